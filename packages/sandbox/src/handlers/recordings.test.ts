import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createSandbox, type Sandbox } from '../create-sandbox.ts';
import { startTestSandbox, type TestSandbox } from '../testing/sandbox.ts';

describe('starting', () => {
  const link = 'https://meet.example/standup';
  const cron = '0 9 * * 1';

  let sandbox: Sandbox;
  let url: string;

  beforeAll(async () => {
    sandbox = createSandbox({ clock: () => Date.UTC(2026, 6, 7, 9) });
    ({ url } = await sandbox.listen());
  });

  beforeEach(() => sandbox.reset());

  afterAll(() => sandbox.close());

  async function start(fields: object): Promise<number> {
    const response = await fetch(`${url}/api/record-meeting`, {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox_key', 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    await response.body?.cancel();
    return response.status;
  }

  it.each([
    ['a series while its link is recorded', { link }, { link, cron }, 200],
    ['a recording of now beside a series', { link, cron }, { link }, 200],
    [
      'a recording at the start of a series',
      { link, cron, local_date_time: '2026-07-08T09:00:00Z' },
      { link, local_date_time: '2026-07-08T09:00:00Z' },
      200,
    ],
    ['a series of another time', { link, cron }, { link, cron: '0 10 * * 1' }, 200],
    ['the same series of another link', { link, cron }, { link: `${link}-2`, cron }, 200],
    ['the same series', { link, cron }, { link, cron: ' 0  9 * * 1' }, 409],
    [
      'the same series from another day on',
      { link, cron },
      { link, cron, local_date_time: '2026-07-08T09:00:00Z' },
      409,
    ],
  ])('answers %s', async (_name, first, second, status) => {
    expect(await start(first)).toBe(200);
    expect(await start(second)).toBe(status);
  });

  it.each(['0 9 31 2 *', '0 9 31 2 *,1'])('refuses the series %s, which never comes', async (expression) => {
    expect(await start({ link, cron: expression })).toBe(400);
  });

  it('takes a series that comes beyond the three months', async () => {
    expect(await start({ link, cron: '0 9 29 2 *' })).toBe(200);
  });
});

describe('many statuses', () => {
  let service: TestSandbox;

  beforeAll(async () => {
    service = await startTestSandbox({ transitions: { polls: 2 } });
  });

  afterAll(() => service.sandbox.close());

  const ask = (query: string) => service.call('GET', `/api/meeting/status?${query}`);

  it('answers the status of several meetings as a map, and each counts as a query', async () => {
    const one = await service.holdMeeting();
    const { body } = await service.call('POST', '/api/record-meeting', {
      link: 'https://meet.example/plans',
    });
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
    ['two lists', 'meeting_ids=a&meeting_ids=b', 'meeting_ids'],
    ['a list and one besides', 'meeting_ids=a&meeting_id=b', 'meeting_ids'],
    ['neither a list nor one', '', 'meeting_id'],
  ])('refuses %s', async (_what, query, field) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', field } });
  });

  it('takes 100 at once', async () => {
    const ids = Array.from({ length: 100 }, (_none, index) => `m${String(index)}`);
    expect(await ask(`meeting_ids=${ids.join(',')}`)).toMatchObject({ status: 200, body: {} });
  });
});
