import { describe, expect, it } from 'vitest';

import { holdsReport, readReport } from './read-report.ts';

const MEGABYTE = 1_000_000;
const TEXT_FIELDS = ['name', 'date', 'duration', 'status', 'source', 'participants', 'speakers', 'keywords'];

// What is not linear does not come back from these, and the run hangs there.
describe('readReport, given a megabyte', () => {
  it.each([' ', '\n', '- ', '[ ] ', '<@', '";', '00:', '2026-', '_aB', '_', ':'])(
    'of %j in every place',
    (part) => {
      // The last letter is what makes a search that runs to the end start over.
      const text = `${part.repeat(MEGABYTE / part.length)}x`;
      const task = { text, owner: text, due: text, timestamp: text, chapter: text };
      const body = {
        ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, text])),
        tags: [text],
        chapters: [
          { name: text, startSeconds: text, transcript: [{ speaker: text, text, timestamp: text }] },
        ],
        templates: [
          {
            id: text,
            name: text,
            entities: [
              { name: text, text },
              { name: 'summary', text: [text, { text }] },
            ],
          },
          {
            entities: [
              { name: 'tasks', text },
              { name: 'tasks', text: { actions: [text, task] } },
            ],
          },
        ],
      };
      expect(readReport('m', body).raw).toBe(body);
      expect(readReport('m', text).title).toBe('Untitled meeting');
    },
  );
});

describe('readReport, given very many', () => {
  const many = <T>(make: (index: number) => T): readonly T[] =>
    Array.from({ length: 10_000 }, (_, index) => make(index));

  it('segments, reads them all', () => {
    const transcript = Array.from({ length: 100_000 }, () => ({ text: 'a', timestamp: '00:01' }));
    expect(readReport('m', { transcript }).transcript).toHaveLength(100_000);
  });

  it('chapters, tasks, speakers and people, reads them all', () => {
    const report = readReport('m', {
      speakers: many((index) => ({ id: index, name: `S${index}` })),
      participants: many((index) => `P${index}`).join(','),
      chapters: many((index) => ({
        name: `C${index}`,
        startSeconds: index,
        transcript: [{ text: 'a', speaker: index }],
      })),
      templates: [
        { entities: [{ name: 'tasks', text: many((index) => ({ text: `T${index}`, timestamp: index })) }] },
      ],
      tags: many(() => null),
    });
    expect(report.transcript[9999]).toEqual({ text: 'a', speaker: 'S9999' });
    expect(report.tasks[9999]).toEqual({ text: 'T9999', atSeconds: 9999, chapter: 'C9999' });
    expect([report.participants.length, report.speakers.length]).toEqual([10_000, 10_000]);
    expect(report.warnings).toEqual(['10000 of the tags could not be read']);
  });

  it('levels of nesting anywhere, follows few of them', () => {
    const nest = (open: string, close: string): unknown =>
      JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
    for (const open of ['[', '{"data":', '{"actions":', '{"name":']) {
      const deep = nest(open, open === '[' ? ']' : '}');
      const body = {
        ...Object.fromEntries(
          [...TEXT_FIELDS, 'transcript', 'tasks', 'decisions'].map((name) => [name, deep]),
        ),
        speakers: [deep],
        chapters: [deep],
        templates: [
          deep,
          { entities: deep },
          {
            entities: [
              { name: 'summary', text: deep },
              { name: 'tasks', text: deep },
            ],
          },
        ],
      };
      expect(readReport('m', body).raw).toBe(body);
      expect(readReport('m', deep).meetingId).toBe('m');
      expect(holdsReport(deep)).toBe(false);
    }
  });
});
