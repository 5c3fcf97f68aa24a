import type { Report } from '@aftermeet/client';
import fc from 'fast-check';

/** A report as tests like it. */
export const sampleReport: Report = {
  meetingId: 'm_1',
  title: 'Weekly sync',
  startedAt: '2026-07-07T11:00:00Z',
  durationSeconds: 3900,
  source: 'zoom',
  isTranscriptEmpty: false,
  participants: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Bob' },
    { email: 'carl@example.com' },
  ],
  speakers: [{ name: 'Ann Lee' }],
  summary: 'We **agreed** on the plan.\n\n- budget <fixed>\n- start & end',
  decisions: ['Ship on *Friday*'],
  tasks: [
    { text: 'Send the offer', owner: 'Ann Lee', due: '2026-07-10' },
    { text: 'Book a room' },
    { text: 'Write the minutes', owner: 'Ann Lee' },
  ],
  transcript: [],
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
};

const hostileBits = fc.constantFrom(
  '<!channel>',
  '<@U1>',
  '<https://evil.example|click>',
  '\r\nBcc: evil@z.io',
  '\ud800',
  '\u0000',
  '👨‍👩‍👧',
  '&amp;',
  '"><script>alert(1)</script>',
  '- item\n',
  '[a](javascript:x)',
);
const hostileText = fc
  .array(fc.oneof(hostileBits, fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 8 })
  .map((bits) => bits.join(''));
const longText = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 3000 }))
  .map(([text, times]) => text.repeat(times).slice(0, 60_000));
const anyText = fc.oneof({ weight: 4, arbitrary: hostileText }, { weight: 1, arbitrary: longText });

/** Reports that nobody would write by hand. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    title: anyText,
    startedAt: fc.oneof(hostileText, fc.constant('2026-07-07T11:00:00Z')),
    durationSeconds: fc.double({ noNaN: false }),
    source: anyText,
    summary: anyText,
    participants: fc.array(fc.record({ name: anyText, email: hostileText }), { maxLength: 200 }),
    decisions: fc.array(anyText, { maxLength: 150 }),
    tasks: fc.array(fc.record({ text: anyText, owner: hostileText, due: hostileText }), { maxLength: 150 }),
  })
  .map((fields) => ({ ...sampleReport, ...fields }));
