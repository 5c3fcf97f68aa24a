import { describe, expect, it } from 'vitest';

import { bindApprove, checkApprove } from './approve-settings.ts';

const destinations = {
  slack: { token: 'xoxb-1' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: [] },
};

describe('approve of a recipe', () => {
  it('names a channel, members, addresses and a time', () => {
    const approve = { slack: 'C0APPROVE', by: ['U0ANNA'], email: 'ann@example.com', expires: '1d' };
    expect(checkApprove(approve, destinations)).toEqual([]);
    expect(bindApprove(approve)).toEqual({
      asks: [
        { destination: 'slack', target: 'C0APPROVE' },
        { destination: 'email', target: 'ann@example.com' },
      ],
      by: ['U0ANNA'],
      expiresMs: 86_400_000,
    });
    expect(bindApprove({ slack: 'C0APPROVE' })).toMatchObject({ by: [], expiresMs: 259_200_000 });
    expect([checkApprove(undefined, destinations), bindApprove(undefined)]).toEqual([[], undefined]);
  });

  it.each([
    [{}, 'approve', 'slack: a channel, or email: addresses'],
    [{ slack: '#general' }, 'approve.slack', 'the id of a channel, such as C0123ABC'],
    [{ email: 'ann@example.com', by: ['U0ANNA'] }, 'approve.slack', 'the id of a channel, such as C0123ABC'],
    [{ slack: 'C0APPROVE', by: [] }, 'approve.by', 'ids of members, such as [U0123ABC]'],
    [{ slack: 'C0APPROVE', by: ['anna'] }, 'approve.by.0', 'ids of members, such as [U0123ABC]'],
    [{ email: 'ann' }, 'approve.email', 'an address such as name@example.com, or a list of them'],
    [
      { slack: 'C0APPROVE', expires: '1y' },
      'approve.expires',
      'a time such as 400ms, 90s, 15m or 2d, from 1m to 30d',
    ],
    [{ slak: 'C0APPROVE' }, 'approve.slak', 'slack'],
  ])('refuses %j', (approve, setting, expected) => {
    const [problem] = checkApprove(approve, destinations);
    expect(problem?.setting).toBe(setting);
    expect(problem?.expected).toContain(expected);
  });

  it('needs its destination', () => {
    const approve = { slack: 'C0APPROVE', email: 'ann@example.com' };
    expect(checkApprove(approve, {}).map(({ setting, expected }) => [setting, expected])).toEqual([
      ['approve.slack', 'slack is not configured: set SLACK_BOT_TOKEN'],
      ['approve.email', 'email is not configured: set SMTP_URL and MAIL_FROM'],
    ]);
  });
});
