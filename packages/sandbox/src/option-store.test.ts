import { expect, it } from 'vitest';
import { z } from 'zod';

import { createOptionStore } from './option-store.ts';

const schema = z.strictObject({ max_bytes: z.int().min(1), require_auth: z.boolean() });
const createStore = () => createOptionStore(schema, { max_bytes: 10, require_auth: false });

it('sets the named options, and goes back to the start', () => {
  const store = createStore();
  expect(store.trySet({ require_auth: true })).toEqual({ options: { max_bytes: 10, require_auth: true } });
  store.set({ max_bytes: 7 });
  expect(store.get()).toEqual({ max_bytes: 7, require_auth: true });
  store.reset();
  expect(store.get()).toEqual({ max_bytes: 10, require_auth: false });
});

const names = 'one of max_bytes, require_auth';
it.each([
  [{ max_byte: 1 }, `There is no such option: max_bytes? (${names}).`],
  [{ somethingElse: 1, max_bytes: 2 }, `There is no such option: ${names}.`],
  [JSON.parse('{"__proto__": 1}') as unknown, `There is no such option: ${names}.`],
  [{ max_bytes: 'a secret' }, /^max_bytes: (?!.*secret)/],
  [['max_bytes'], 'Options are an object of max_bytes, require_auth.'],
  [null, 'Options are an object of max_bytes, require_auth.'],
])('refuses %j and changes nothing', (body, refusal) => {
  const store = createStore();
  const outcome = store.trySet(body);
  expect('refusal' in outcome && outcome.refusal).toMatch(refusal);
  expect(store.get()).toEqual({ max_bytes: 10, require_auth: false });
});
