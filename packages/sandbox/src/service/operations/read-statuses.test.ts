import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox({ transitions: { polls: 2 } });
});

afterAll(() => house.sandbox.close());

const ask = (query: string) => house.call('GET', `/api/meeting/status?${query}`);

it('tells the status of several meetings as a map, and each counts as a question', async () => {
  const one = await house.holdMeeting();
  const { body } = await house.call('POST', '/api/record-meeting', { link: 'https://meet.example/plans' });
  const { meeting_id: other } = body as { meeting_id: string };
  const query = `meeting_ids=${one},unknown,${other},%20${one}`;
  expect(await ask(query)).toMatchObject({
    status: 200,
    type: 'application/json; charset=utf-8',
    body: { [one]: 'new', [other]: 'recording' },
  });
  expect((await ask(query)).body).toEqual({ [one]: 'new', [other]: 'processing' });
});

it.each([
  ['none', 'meeting_ids=', 'meeting_ids'],
  ['an empty one', 'meeting_ids=a,,b', 'meeting_ids'],
  [
    '101',
    `meeting_ids=${Array.from({ length: 101 }, (_none, index) => `m${String(index)}`).join(',')}`,
    'meeting_ids',
  ],
  ['two lists', 'meeting_ids=a&meeting_ids=b', 'meeting_id'],
  ['a list and one besides', 'meeting_ids=a&meeting_id=b', 'meeting_ids'],
  ['neither a list nor one', '', 'meeting_id'],
])('refuses %s', async (_what, query, field) => {
  expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', field } });
});

it('takes 100 at once', async () => {
  const ids = Array.from({ length: 100 }, (_none, index) => `m${String(index)}`);
  expect(await ask(`meeting_ids=${ids.join(',')}`)).toMatchObject({ status: 200, body: {} });
});
