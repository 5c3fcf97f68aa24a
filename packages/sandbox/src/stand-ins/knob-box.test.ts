import { expect, it } from 'vitest';
import { z } from 'zod';

import { createKnobBox } from './knob-box.ts';

const schema = z.strictObject({ max_bytes: z.int().min(1), require_auth: z.boolean() });
const createBox = () => createKnobBox(schema, { max_bytes: 10, require_auth: false });

it('turns what is named, leaves the rest, and goes back to the start', () => {
  const box = createBox();
  expect(box.order({ require_auth: true })).toEqual({ knobs: { max_bytes: 10, require_auth: true } });
  box.turn({ max_bytes: 7 });
  expect(box.read()).toEqual({ max_bytes: 7, require_auth: true });
  box.reset();
  expect(box.read()).toEqual({ max_bytes: 10, require_auth: false });
});

const names = 'one of max_bytes, require_auth';
it.each([
  [{ max_byte: 1 }, `There is no such knob: max_bytes? (${names}).`],
  [{ somethingElse: 1, max_bytes: 2 }, `There is no such knob: ${names}.`],
  [JSON.parse('{"__proto__": 1}') as unknown, `There is no such knob: ${names}.`],
  [{ max_bytes: 'a secret' }, /^max_bytes: (?!.*secret)/],
  [['max_bytes'], 'Knobs are an object of max_bytes, require_auth.'],
  [null, 'Knobs are an object of max_bytes, require_auth.'],
])('refuses %j and turns nothing', (body, refusal) => {
  const box = createBox();
  const outcome = box.order(body);
  expect('refusal' in outcome && outcome.refusal).toMatch(refusal);
  expect(box.read()).toEqual({ max_bytes: 10, require_auth: false });
});
