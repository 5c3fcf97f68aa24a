import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../report/digest.ts';
import { parseText } from '../../report/parse-text.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { chooseTaskEvents, type TaskEvent, writeCalendar } from './calendar.ts';

const names = { effectKey: 'k1', from: 'bot@example.com' };

const event: TaskEvent = {
  key: 'a',
  summary: 'Send the offer',
  description: 'Agreed in: Weekly; sync,\nhttps://app.example.com/m_1',
  date: '2026-12-31',
  stampedAt: '2026-07-07T11:00:00Z',
};

describe('writeCalendar', () => {
  it('publishes one all-day entry for each task', () => {
    expect(writeCalendar([event], names)).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Aftermeet//Tasks//EN',
        'CALSCALE:GREGORIAN',
        'METHOD:PUBLISH',
        'BEGIN:VEVENT',
        'UID:k1-ca978112ca1bbdca@example.com',
        'DTSTAMP:20260707T110000Z',
        'DTSTART;VALUE=DATE:20261231',
        'DTEND;VALUE=DATE:20270101',
        'ORGANIZER:mailto:bot@example.com',
        'SUMMARY:Send the offer',
        String.raw`DESCRIPTION:Agreed in: Weekly\; sync\,\nhttps://app.example.com/m_1`,
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  it('has one entry for one key, and none for a day that does not exist', () => {
    const events = [
      event,
      { ...event },
      { ...event, key: 'b', date: '2026-02-30' },
      { ...event, key: 'd', date: '9999-12-31' },
      { ...event, key: 'c', date: 'soon' },
    ];
    expect(writeCalendar(events, names).match(/BEGIN:VEVENT/g)).toHaveLength(1);
  });

  it('takes the day itself where it is not known when it was agreed', () => {
    expect(writeCalendar([{ ...event, stampedAt: '' }], names)).toContain('DTSTAMP:20261231T000000Z\r\n');
  });

  it('folds lines at 75 octets and lets no text bring a line of its own', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ maxLength: 200 }),
        (summary, description) => {
          const file = writeCalendar([{ ...event, summary: `${summary}\r\nEND:VEVENT`, description }], names);
          const lines = file.split('\r\n');
          expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
          expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
          const unfolded = file.replaceAll('\r\n ', '').split('\r\n');
          expect(unfolded.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
          expect(unfolded.find((line) => line.startsWith('SUMMARY:'))).toMatch(/\\nEND:VEVENT$/);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const task = (key: string, dueDate?: string) => ({
  key,
  text: parseText(`Do ${key}`),
  ...(dueDate === undefined ? {} : { dueDate }),
});

const digest: Digest = {
  ...buildDigest(sampleReport),
  startedAt: '2026-07-07T11:00:00Z',
  taskGroups: [
    { owner: 'Ann Lee', email: 'Ann@example.com', tasks: [task('a', '2026-07-10'), task('b')] },
    { owner: 'Bob', tasks: [task('c', '2026-07-11')] },
    { tasks: [task('d', '2026-07-12')] },
  ],
};

describe('chooseTaskEvents', () => {
  it('has the dated tasks of the recipient alone', () => {
    expect(chooseTaskEvents(digest, 'ann@example.com', 'https://app.example.com/m_1')).toEqual([
      {
        key: 'Ann Lee\na',
        summary: 'Do a',
        description: 'Agreed in: Weekly sync\nhttps://app.example.com/m_1',
        date: '2026-07-10',
        stampedAt: '2026-07-07T11:00:00Z',
      },
    ]);
  });

  it.each(['tom@partner.io', 'team@example.com', ''])('has no task of others for "%s"', (recipient) => {
    expect(chooseTaskEvents(digest, recipient)).toEqual([]);
  });
});
