import { describe, expect, it } from 'vitest';

import { useTestSandbox } from '../testing/sandbox.ts';

describe('starting', () => {
  const link = 'https://meet.example/standup';
  const cron = '0 9 * * 1';
  const service = useTestSandbox({ clock: () => Date.UTC(2026, 6, 7, 9) });

  const start = async (fields: object) => (await service.call('POST', '/api/record-meeting', fields)).status;

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
