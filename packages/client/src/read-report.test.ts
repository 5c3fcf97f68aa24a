import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readReport, readReportStatus } from './read-report.ts';

const observed = {
  followup_v2: {
    name: 'Sales sync',
    date: '2026-07-07T12:00:00Z',
    duration: 1800,
    source: 'gmeet',
    status: 'processed',
    is_transcript_empty: false,
    keywords: ['price', 'price', 'pilot'],
    speakers: [{ id: 1, speaker: 'Ann', color: '#fff' }, 'Bob'],
    chapters: [
      {
        name: 'Opening',
        startSeconds: 0,
        endSeconds: '10:00',
        transcript: [
          { speaker: { speaker: 'Ann' }, text: 'Hello', timestamp: '00:05' },
          { speaker: 'Bob', text: 'Hi', startSeconds: 7.5, endSeconds: 8 },
          { text: '' },
        ],
      },
    ],
    templates: [
      {
        id: 42,
        name: 'Sales Meeting',
        entities: [
          { name: 'summary', text: '# Summary\nWe agreed on a pilot.' },
          { name: 'decisions', text: '- Start the pilot\n- Meet on Friday' },
          {
            name: 'tasks',
            text: {
              actions: [{ text: 'Send the offer', assignee: { name: 'Ann' }, deadline: 'Friday' }, {}],
            },
          },
          null,
        ],
      },
    ],
  },
};

describe('readReport', () => {
  it('reads the observed shape into the normalised form', () => {
    const { raw, ...report } = readReport('m_1', observed);
    expect(raw).toBe(observed);
    expect(report).toEqual({
      meetingId: 'm_1',
      title: 'Sales sync',
      startedAt: '2026-07-07T12:00:00.000Z',
      durationSeconds: 1800,
      source: 'gmeet',
      summary: '# Summary\nWe agreed on a pilot.',
      isTranscriptEmpty: false,
      participants: [],
      speakers: ['Ann', 'Bob'],
      decisions: ['Start the pilot', 'Meet on Friday'],
      tasks: [{ text: 'Send the offer', owner: 'Ann', due: 'Friday' }],
      transcript: [
        { text: 'Hello', speaker: 'Ann', startSeconds: 5 },
        { text: 'Hi', speaker: 'Bob', startSeconds: 7.5, endSeconds: 8 },
      ],
      chapters: [{ name: 'Opening', startSeconds: 0, endSeconds: 600 }],
      templates: [
        {
          id: '42',
          name: 'Sales Meeting',
          blocks: [
            { name: 'summary', text: '# Summary\nWe agreed on a pilot.' },
            { name: 'decisions', text: '- Start the pilot\n- Meet on Friday' },
            { name: 'tasks', text: '- Send the offer' },
          ],
        },
      ],
      keywords: ['price', 'pilot'],
      warnings: ['1 template entries could not be read', '1 transcript entries could not be read'],
    });
  });

  it.each(['followup_v2', 'followup', 'report', 'data'])('finds the report inside %s', (wrapper) => {
    expect(readReport('m', { [wrapper]: { name: 'Found', templates: [] } }).title).toBe('Found');
  });

  it('finds the report without a wrapper', () => {
    expect(readReport('m', { name: 'Bare' }).title).toBe('Bare');
  });

  it('reads tasks that come as a Markdown list', () => {
    const body = {
      templates: [{ name: 'T', entities: [{ name: 'tasks', text: 'Tasks\n- [ ] One\n2) Two' }] }],
    };
    expect(readReport('m', body).tasks).toEqual([{ text: 'One' }, { text: 'Two' }]);
  });

  it('keeps one of two templates’ equal tasks', () => {
    const entities = [{ name: 'tasks', text: '- Same' }];
    expect(readReport('m', { templates: [{ entities }, { entities }] }).tasks).toEqual([{ text: 'Same' }]);
  });

  it('says when it knows none of the parts', () => {
    expect(readReport('m', { surprise: true }).warnings).toEqual(['the report has none of the known parts']);
  });

  it('does not follow wrappers without end', () => {
    let deep: unknown = { name: 'deep' };
    for (let level = 0; level < 50_000; level += 1) deep = { data: deep };
    expect(readReport('m', deep).title).toBe('Untitled meeting');
  });

  it('never throws, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readReport('m', value).meetingId).toBe('m');
      }),
    );
  });

  it('never throws when any part of a good report is replaced', () => {
    const places = listPlaces(observed, []);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
        const report = readReport('m', replaceAt(observed, place, value));
        expect(report.warnings.every((warning) => typeof warning === 'string')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('readReportStatus', () => {
  it('finds the word inside the wrapper', () => {
    expect(readReportStatus({ followup_v2: { status: 'processing' } })).toBe('processing');
    expect(readReportStatus('text')).toBeUndefined();
  });
});

function listPlaces(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => listPlaces(item, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy: unknown = structuredClone(value);
  if (typeof copy !== 'object' || copy === null) return replacement;
  const fields = copy as Record<string, unknown>;
  fields[key] = replaceAt(fields[key], rest, replacement);
  return copy;
}
