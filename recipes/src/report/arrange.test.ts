import { describe, expect, it } from 'vitest';

import { sampleReport } from '../testing/sample-report.ts';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { arrangeDigest, type Arrangement } from './arrange.ts';
import { buildDigest } from './digest.ts';
import { parseText } from './parse-text.ts';
import { formatDigest } from './plain-digest.ts';

const digest = buildDigest(sampleReport);

function read(arrangement: Arrangement): string {
  return formatDigest(digest, undefined, { words: en }, arrangement);
}

describe('the parts of a message', () => {
  it('stand in the order that is asked for, the others left out', () => {
    expect(read({ parts: ['outcome', 'tasks', 'decisions'] })).toBe(
      [
        'Weekly sync',
        '',
        'We agreed on the plan.',
        '',
        'Tue 7 Jul, 14:00 (UTC+03:00) · 1 h 05 min · Ann Lee, Bob · Zoom',
        '',
        'Tasks',
        'Ann Lee:',
        '• Send the offer (due 10 Jul 2026)',
        '• Write the minutes',
        'No owner:',
        '• Book a room',
        '',
        'Decisions',
        '• Ship on Friday',
      ].join('\n'),
    );
  });

  it('keep the summary in one piece without the outcome', () => {
    expect(read({ parts: ['summary'] })).toMatch(
      /Zoom\n\nSummary\nWe agreed on the plan\.\n\n• budget <fixed>\n• start & end$/,
    );
  });

  it('begin with the tasks of the reader', () => {
    expect(read({ parts: ['tasks'], reader: 'ANN@example.com' })).toMatch(
      /Zoom\n\nYour tasks\n• Send the offer \(due 10 Jul 2026\)\n• Write the minutes\n\nMore tasks\nNo owner:\n• Book a room$/,
    );
    expect(read({ parts: ['tasks'], reader: 'bob@example.com' })).toContain('Zoom\n\nTasks\nAnn Lee:');
    expect(read({ parts: ['decisions'], reader: 'ann@example.com' })).not.toContain('offer');
  });

  it('cut a summary that has no sentence for the outcome', () => {
    const list = { ...digest, summary: parseText('- budget\n- start and end') };
    expect(formatDigest(list, undefined, { words: en }, { parts: ['outcome'] })).toBe(
      'Weekly sync\n\n• budget • start and end\n\nTue 7 Jul, 14:00 (UTC+03:00) · 1 h 05 min · Ann Lee, Bob · Zoom',
    );
  });

  it('say that a summary is missing', () => {
    const without = { ...digest, summary: parseText('') };
    expect(arrangeDigest(without, de).parts[0]).toEqual({
      kind: 'summary',
      title: 'Zusammenfassung',
      text: parseText('Der Bericht enthält keine Zusammenfassung.'),
    });
    expect(arrangeDigest(without, de, { parts: ['outcome'] })).toEqual({ parts: [] });
  });
});
