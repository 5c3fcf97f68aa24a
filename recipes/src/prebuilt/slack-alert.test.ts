import { describe, expect, it } from 'vitest';

import { writeAlert } from '../engine/alert-text.ts';
import { slackAlert } from './slack-alert.ts';

const destinations = { slack: { token: 'xoxb-1', channel: 'C0123456789' } };
const event = {
  kind: 'meeting.failed',
  meetingId: 'm_1',
  occurrence: '2026-11-21T10:00:00Z',
  endpoint: 'default',
  receivedAt: '2026-11-21T10:00:01Z',
  title: 'Weekly sync',
};

function bind(values: Readonly<Record<string, unknown>>) {
  expect(slackAlert.check(values)).toEqual([]);
  const { input } = slackAlert.bind(values, destinations);
  if (input.from !== 'event') throw new Error('it is made from the event');
  return input;
}

describe('slackAlert', () => {
  it.each([
    [{}, 600_000],
    [{ cooldown: '90s' }, 90_000],
    [{ cooldown: '2h' }, 7_200_000],
    [{ cooldown: '7d' }, 604_800_000],
    [{ cooldown: '0' }, 0],
    [{ cooldown: 0 }, 0],
  ])('has the cooldown of %o', (values, ms) => {
    expect(bind(values).cooldownMs).toBe(ms);
  });

  it.each(['10', '8d', '-1m', 'soon', 5])('refuses a cooldown of %s', (cooldown) => {
    expect(slackAlert.check({ cooldown })).toMatchObject([
      { setting: 'with.cooldown', expected: 'a time such as 10m, 2h or 1d (7d at most), or 0' },
    ]);
  });

  it('says how many were kept back, and opens the meeting where there is one', () => {
    const subject = bind({ link: 'https://app.example.com/{meeting_id}' });
    const read = (alert = writeAlert(event), suppressed = 0): string => {
      const rendered = subject.render(alert, suppressed);
      return rendered.destination === 'slack' ? rendered.message.text : '';
    };
    expect(read(writeAlert({ ...event, reason: 'No <sound>' }), 3)).toBe(
      [
        'Meeting failed: Weekly sync',
        '',
        'The service could not process this meeting, so there is no report.',
        '',
        'Reason',
        'No &lt;sound&gt;',
        '',
        'What to do',
        'See in the service what became of the recording. A recording of your own can be uploaded as a new meeting.',
        '',
        'And 3 more of this kind since the last alert.',
        '',
        'Open the meeting: https://app.example.com/m_1',
        '',
        'meeting m_1 · 2026-11-21 10:00 UTC',
      ].join('\n'),
    );
    // Text within blocks is shown as it is.
    const rendered = subject.render(writeAlert({ ...event, reason: 'No <sound>' }), 0);
    expect(JSON.stringify(rendered)).toContain('"text":"No <sound>');
    const keyRefused = writeAlert({ ...event, kind: 'service.key_refused', meetingId: '' });
    expect(read(keyRefused)).not.toContain('https://');
    expect(read(keyRefused)).not.toContain('more of this kind');
  });
});
