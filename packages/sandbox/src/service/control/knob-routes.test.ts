import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';
import { knobsSchema } from '../knobs/knobs.ts';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox({ knobs: { tagPageSize: 7 } });
});

afterEach(() => house.sandbox.reset());

afterAll(() => house.sandbox.close());

const started = { ...knobsSchema.parse({}), tagPageSize: 7 };
const patch = (body: object) => house.call('PATCH', '/_sandbox/knobs', body);

it('tells all knobs, turns some of them, and brings back the start', async () => {
  expect((await house.call('GET', '/_sandbox/knobs')).body).toEqual({ knobs: started });
  const turned = { ...started, errorShape: 'text', stateWords: { new: 'ready' } };
  expect((await patch({ errorShape: 'text', stateWords: { new: 'ready' } })).body).toEqual({ knobs: turned });
  expect((await patch({})).body).toEqual({ knobs: turned });
  expect((await house.call('DELETE', '/_sandbox/knobs')).body).toEqual({ knobs: started });
  await patch({ errorShape: 'text' });
  await house.call('POST', '/_sandbox/reset');
  expect((await house.call('GET', '/_sandbox/knobs')).body).toEqual({ knobs: started });
});

it.each([
  [{ errorshape: 'text' }, /^There is no knob "errorshape": did you mean errorShape\?$/],
  [{ tagPageSize: 1, constructor: 1 }, /^There is no knob "constructor": the knobs are sources, /],
  [{ errorShape: null }, /^errorShape must be "json", "nested", "text"\.$/],
  [{ tagPageSize: 3, tagNameMaxLength: 1e9 }, /^tagNameMaxLength must be a whole number from 1 to 10000\.$/],
  [{ workspaceMetadata: ['a'] }, /^workspaceMetadata must be null or an object\.$/],
  [{ sources: ['x'.repeat(1e4)] }, /^sources must be "any" or a list of texts\. 0: /],
  [[], /^The body: /],
])('refuses %j and turns nothing', async (body, message) => {
  const answer = await patch(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  expect((answer.body as { message: string }).message).toMatch(message);
  expect((await house.call('GET', '/_sandbox/knobs')).body).toEqual({ knobs: started });
});

it('is not fooled by a body with __proto__', async () => {
  const response = await fetch(`${house.url}/_sandbox/knobs`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{"__proto__":{"tagPageSize":1},"errorCodes":{"__proto__":"x"},"tagPageSize":5}',
  });
  await response.body?.cancel();
  expect(house.sandbox.knobs.read().tagPageSize).toBe(response.ok ? 5 : 7);
  expect({}).not.toHaveProperty('tagPageSize');
});
