import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from './digest.ts';
import { hostileReport, sampleReport } from './testing/sample-report.ts';
import { formatDigest } from './text/digest-text.ts';

describe('buildDigest', () => {
  it('says what a recap needs, in plain text', () => {
    expect(buildDigest(sampleReport)).toEqual({
      meetingId: 'm_1',
      title: 'Weekly sync',
      startedAt: '2026-07-07T11:00:00Z',
      people: ['Ann Lee', 'Bob'],
      facts: ['1 h 05 min', 'Ann Lee, Bob', 'zoom'],
      summary: 'We agreed on the plan.\n\n• budget <fixed>\n• start & end',
      decisions: ['Ship on Friday'],
      taskGroups: [
        {
          owner: 'Ann Lee',
          tasks: [{ text: 'Send the offer', due: '2026-07-10' }, { text: 'Write the minutes' }],
        },
        { tasks: [{ text: 'Book a room' }] },
      ],
      isTranscriptEmpty: false,
      isCut: false,
    });
  });

  it('says that nothing was transcribed', () => {
    expect(buildDigest({ ...sampleReport, isTranscriptEmpty: true }).isTranscriptEmpty).toBe(true);
  });

  it('shows no address in the place of a name', () => {
    const digest = buildDigest({
      ...sampleReport,
      participants: [{ name: 'dan@example.com', email: 'dan@example.com' }],
    });
    expect(digest.people).toEqual(['Ann Lee']);
  });

  it('is bounded and says so when it leaves something out', () => {
    const digest = buildDigest({ ...sampleReport, summary: 'word '.repeat(100_000) });
    expect(digest.summary.length).toBeLessThanOrEqual(40_000);
    expect(digest.isCut).toBe(true);
  });

  // What is not bounded or not linear does not come back from this, and the run hangs here.
  it.each(['-|', '# ', '- ', '[a](', '*a ', '`', '\n', '-\n', ' ', '\t#', '| '])(
    'comes to an end with a report that is full of %j where it is not quite markdown',
    (part) => {
      const fill = (length: number): string => `#${part.repeat(Math.floor((length - 2) / part.length))}x`;
      const digest = buildDigest({
        ...sampleReport,
        title: fill(200_000),
        summary: fill(40_000),
        decisions: Array.from({ length: 300 }, () => fill(4000)),
        tasks: Array.from({ length: 300 }, () => ({ text: fill(4000), owner: fill(4000), due: fill(4000) })),
      });
      expect(formatDigest(digest).length).toBeLessThan(3_000_000);
    },
  );

  it('never throws, and its text is well-formed', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const digest = buildDigest(report);
        expect(digest.title).not.toMatch(/[\r\n]/);
        expect(digest.title).not.toBe('');
        expect(() => encodeURIComponent(JSON.stringify(digest))).not.toThrow();
      }),
      { numRuns: 40 },
    );
  });
});

describe('formatDigest', () => {
  it('says everything in words', () => {
    expect(formatDigest(buildDigest(sampleReport), 'https://app.example.com/m_1')).toBe(
      [
        'Weekly sync',
        '2026-07-07 11:00 UTC · 1 h 05 min · Ann Lee, Bob · zoom',
        '',
        'Summary',
        'We agreed on the plan.\n\n• budget <fixed>\n• start & end',
        '',
        'Decisions',
        '• Ship on Friday',
        '',
        'Tasks',
        'Ann Lee:',
        '• Send the offer (due 2026-07-10)',
        '• Write the minutes',
        'No owner:',
        '• Book a room',
        '',
        'Report: https://app.example.com/m_1',
      ].join('\n'),
    );
  });
});
