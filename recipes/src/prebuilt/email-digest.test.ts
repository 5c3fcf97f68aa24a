import { describe, expect, it } from 'vitest';

import type { MeetingEvent } from '../engine/recipe.ts';
import { buildDigest } from '../report/digest.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { emailDigest } from './email-digest.ts';

const destinations = {
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: ['ann@example.com'] },
};
const due: MeetingEvent = {
  kind: 'recipe.due',
  meetingId: '',
  occurrence: '2026-07-08T06:00:00.000Z',
  since: '2026-07-07T06:00:00.000Z',
  endpoint: 'default',
  receivedAt: '2026-07-08T06:00:00.000Z',
};

describe('emailDigest', () => {
  it.each([
    [{}, { cron: '0 8 * * *', timeZone: 'UTC' }],
    [
      { at: '17:05', timezone: 'Europe/Berlin' },
      { cron: '5 17 * * *', timeZone: 'Europe/Berlin' },
    ],
    [
      { every: 'week', at: '00:00' },
      { cron: '0 0 * * 1', timeZone: 'UTC' },
    ],
  ])('%j is due at %j', (values, schedule) => {
    expect(emailDigest.check(values)).toEqual([]);
    expect(emailDigest.bind(values, destinations).schedule).toEqual(schedule);
  });

  it.each([
    [{ at: '8:00' }, 'with.at', 'a time of day such as "08:00"'],
    [{ at: '24:00' }, 'with.at', 'a time of day such as "08:00"'],
    [{ every: 'month' }, 'with.every', 'day or week'],
    [{ timezone: 'Europe/Atlantis' }, 'with.timezone', 'a time zone such as Europe/Berlin'],
    [{ timezone: '+03:00' }, 'with.timezone', 'a time zone such as Europe/Berlin'],
  ])('refuses %j', (values, setting, expected) => {
    expect(emailDigest.check(values)).toEqual([{ setting, found: 'a value that does not fit', expected }]);
  });

  it('plans a mail for each recipient when it is due, and none for a delivery', () => {
    const to = ['ann@example.com', 'bob@example.com', 'ANN@example.com'];
    const { plan } = emailDigest.bind({ to }, destinations);
    expect(plan(due).map(({ target }) => target)).toEqual(['ann@example.com', 'bob@example.com']);
    const { since: _since, ...delivered } = due;
    expect(plan({ ...delivered, kind: 'meeting.completed' })).toEqual([]);
    expect(emailDigest.events).toEqual([]);
  });

  it('renders the meetings of its period', () => {
    const link = 'https://app.example.com/{meeting_id}';
    const { input } = emailDigest.bind({ timezone: 'Europe/Berlin', link }, destinations);
    if (input.from !== 'period') throw new Error(input.from);
    const period = { fromMs: Date.parse(due.since ?? ''), toMs: Date.parse(due.occurrence) };
    const rendered = input.render([{ digest: buildDigest(sampleReport) }], period);
    expect(rendered).toMatchObject({
      destination: 'email',
      message: { subject: '1 meeting since Tue 7 Jul, 08:00' },
    });
    expect(JSON.stringify(rendered)).toContain('https://app.example.com/m_1');
  });
});
