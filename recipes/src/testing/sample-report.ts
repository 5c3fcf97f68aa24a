import type { Report } from '@aftermeet/client';
import fc from 'fast-check';

import type { MeetingEvent } from '../engine/recipe.ts';
import { anyMarkdown, anyUnits, markdownBombs } from './hostile-text.ts';

const summary = 'We **agreed** on the plan.\n\n- budget <fixed>\n- start & end';

/** A report as tests like it. */
export const sampleReport: Report = {
  meetingId: 'm_1',
  title: 'Weekly sync',
  startedAt: '2026-07-07T11:00:00Z',
  startedLocal: '2026-07-07T14:00:00+03:00',
  utcOffset: '+03:00',
  durationSeconds: 3900,
  source: 'zoom',
  isTranscriptEmpty: false,
  participants: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Bob' },
    { email: 'carl@example.com' },
  ],
  speakers: [{ name: 'Ann Lee' }],
  summary,
  decisions: ['Ship on *Friday*'],
  tasks: [
    { text: 'Send the offer', owner: 'Ann Lee', due: '2026-07-10', dueDate: '2026-07-10', atSeconds: 65 },
    { text: 'Book a room' },
    { text: 'Write the minutes', owner: 'Ann Lee' },
  ],
  transcript: [
    { speaker: 'Ann Lee', text: 'Welcome.', startSeconds: 0, endSeconds: 2 },
    { speaker: 'Ann Lee', text: 'Let us begin.', startSeconds: 2, endSeconds: 5 },
    { speaker: 'Bob', text: 'What about the budget?', startSeconds: 60, endSeconds: 63 },
    { speaker: 'Ann Lee', text: 'It is fixed.', startSeconds: 64, endSeconds: 66 },
  ],
  chapters: [
    { name: 'Opening', startSeconds: 0, endSeconds: 60 },
    { name: 'Budget', startSeconds: 60, endSeconds: 3900 },
  ],
  templates: [
    {
      id: 't_1',
      name: 'Sales Meeting',
      blocks: [
        { name: 'summary', text: summary },
        { name: 'questions_and_answers', text: '**What about the budget?**\n\nIt is fixed.' },
        { name: 'tasks', text: '- Send the offer\n- Book a room\n- Write the minutes' },
      ],
    },
  ],
  keywords: [],
  tags: ['sales'],
  warnings: [],
  raw: undefined,
};

/** The same with nothing beside summary, decisions and tasks: each destination gets it whole in one message. */
export const shortReport: Report = { ...sampleReport, templates: [] };

/** What the service announces of it. */
export const sampleEvent: MeetingEvent = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:05:00Z',
  endpoint: 'default',
  receivedAt: '2026-07-07T12:05:01Z',
};

const hostileBits = fc.constantFrom(
  '<!channel>',
  '<@U1>',
  '<https://evil.example|click>',
  '\r\nBcc: evil@z.io',
  '\ud800',
  '\u0000',
  '\u202e',
  '👨‍👩‍👧',
  '&amp;',
  '"><script>alert(1)</script>',
  '- item\n',
  '[a](javascript:x)',
  '[bank](https://bank.example@evil.example)',
  '[x](https://example.com/"onclick=alert(1))',
  '| a | b |\n|-|-|\n| c | <br> |\n',
);
const hostileText = fc
  .array(fc.oneof({ weight: 3, arbitrary: hostileBits }, { weight: 1, arbitrary: anyUnits }), {
    maxLength: 8,
  })
  .map((bits) => bits.join(''));
const longText = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 3000 }))
  .map(([text, times]) => text.repeat(times).slice(0, 60_000));
const anyText = fc.oneof(
  { weight: 20, arbitrary: hostileText },
  { weight: 8, arbitrary: anyMarkdown },
  { weight: 2, arbitrary: longText },
  { weight: 1, arbitrary: fc.constantFrom(...markdownBombs) },
);
const seconds = fc.oneof(fc.integer({ min: -10, max: 20_000 }), fc.constantFrom(NaN, Infinity));

/** Up to 500 of what would take too long to make up one by one. */
function many<Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> {
  return fc.tuple(fc.array(item, { maxLength: 6 }), fc.constantFrom(1, 1, 1, 100)).map(([items, times]) =>
    Array.from({ length: times }, () => items)
      .flat()
      .slice(0, 500),
  );
}

/** Generated reports with unusual content. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    title: anyText,
    startedAt: fc.oneof(hostileText, fc.constant('2026-07-07T11:00:00Z')),
    utcOffset: fc.oneof(hostileText, fc.constant('-09:30')),
    durationSeconds: fc.double({ noNaN: false }),
    source: anyText,
    summary: anyText,
    participants: many(
      fc.record({ name: anyText, email: fc.oneof(hostileText, fc.constant('ann@example.com')) }),
    ),
    decisions: many(anyText),
    tasks: many(
      fc.record({
        text: anyText,
        owner: hostileText,
        due: hostileText,
        dueDate: hostileText,
        atSeconds: seconds,
      }),
    ),
    tags: many(hostileText),
    templates: fc.array(
      fc.record({
        id: hostileText,
        name: hostileText,
        blocks: fc.array(fc.record({ name: fc.oneof(hostileText, fc.constant('protocol')), text: anyText }), {
          maxLength: 5,
        }),
      }),
      { maxLength: 3 },
    ),
    transcript: many(fc.record({ speaker: hostileText, text: hostileText, startSeconds: seconds })),
    chapters: many(fc.record({ name: hostileText, startSeconds: seconds })),
  })
  .map((fields) => ({ ...sampleReport, ...fields }));
