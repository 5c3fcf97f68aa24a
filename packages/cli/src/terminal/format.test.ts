import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Column, createPaint, formatJson, formatTable, plainPaint } from './format.ts';

describe('formatJson', () => {
  it('escapes what a terminal would obey', () => {
    expect(formatJson({ title: '\u009B31mred\u202E\u061C\u206F\u001B[0m' }, { oneLine: true })).toBe(
      String.raw`{"title":"\u009b31mred\u202e\u061c\u206f\u001b[0m"}` + '\n',
    );
  });

  it('prints null for what JSON has no word for', () => {
    expect(formatJson(undefined)).toBe('null\n');
  });

  it('cuts what is nested too deep for its readers, and says so', () => {
    const deep: unknown = JSON.parse(`{"answer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const [before, after] = formatJson(deep, { oneLine: true }).split('"(cut: more than 500 levels deep)"');
    expect(before).toBe(`{"answer":${'['.repeat(499)}`);
    expect(after).toBe(`${']'.repeat(499)}}\n`);
  });

  it('leaves whole what stands in many places', () => {
    const shared = { at: new Date(0) };
    expect(formatJson([shared, [shared, [[shared]]]], { oneLine: true })).toBe(
      '[{"at":"1970-01-01T00:00:00.000Z"},[{"at":"1970-01-01T00:00:00.000Z"},[[{"at":"1970-01-01T00:00:00.000Z"}]]]]\n',
    );
  });

  it('is the same value to every reader', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x20_6f })), (codes) => {
        const value = { text: String.fromCharCode(...codes) };
        expect(JSON.parse(formatJson(value))).toEqual(value);
      }),
    );
  });
});

it.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
])('createPaint on a terminal: %s, with %j, colours: %s', (isTerminal, environment, isColoured) => {
  const text = createPaint({ isTerminal, environment }).good('ok');
  expect(text).toBe(isColoured ? '\u001B[32mok\u001B[0m' : 'ok');
});

interface Row {
  readonly id: string;
  readonly title?: string;
  readonly tags: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', read: ({ id }) => id },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
  { title: 'TAGS', read: ({ tags }) => tags, shrinks: true },
];

const rows: readonly Row[] = [
  { id: 'm_1', title: 'Weekly sync', tags: 'sales' },
  { id: 'm_22', title: '日本語の会議 👍 with a long tail of words', tags: 'product, roadmap' },
  { id: 'm_3', tags: '' },
  { id: 'm_4', title: 'two\nlines \u001B[31mred\u001B[0m', tags: '' },
];

describe('formatTable', () => {
  it('aligns by display width, and cuts nothing in a pipe', () => {
    expect(formatTable(rows, columns)).toBe(
      [
        'ID    TITLE                                      TAGS',
        'm_1   Weekly sync                                sales',
        'm_22  日本語の会議 👍 with a long tail of words  product, roadmap',
        'm_3',
        'm_4   two lines red',
        '',
      ].join('\n'),
    );
  });

  it('takes from the widest column that may shrink what a terminal lacks', () => {
    expect(formatTable(rows, columns, { width: 40, paint: plainPaint })).toBe(
      [
        'ID    TITLE             TAGS',
        'm_1   Weekly sync       sales',
        'm_22  日本語の会議 👍…  product, roadmap',
        'm_3',
        'm_4   two lines red',
        '',
      ].join('\n'),
    );
  });

  it('has room for as many rows as there are', () => {
    const text = formatTable(Array<string>(130_000).fill('m_1'), [{ title: 'ID', read: (id) => id }]);
    expect(text.length).toBe('ID\n'.length + 130_000 * 'm_1\n'.length);
  });

  it('cuts the lines themselves where nothing can shrink any more', () => {
    for (const line of formatTable(rows, columns, { width: 12, paint: plainPaint }).split('\n'))
      expect(line.length).toBeLessThanOrEqual(12);
  });

  it('leaves out what matters least, and keeps state, title and the beginning of the id', () => {
    const meetings: readonly Column<string>[] = [
      { title: 'TITLE', read: () => 'A weekly meeting of everybody', shrinks: true },
      { title: 'STATE', read: (state) => state, isState: true },
      { title: 'ENDPOINT', read: () => 'sales-of-the-north', leftOut: 1 },
      { title: 'DELIVERY', read: () => '3f2a9c01be770011', isId: true },
    ];
    const view = { width: 40, paint: createPaint({ isTerminal: true, environment: {} }) };
    expect(formatTable(['failed', 'delayed'], meetings, view)).toBe(
      [
        'TITLE                  STATE    DELIVERY',
        'A weekly meeting of …  \u001B[31mfailed \u001B[0m  3f2a9c01',
        'A weekly meeting of …  delayed  3f2a9c01',
        '',
      ].join('\n'),
    );
    expect(formatTable(['failed'], meetings)).toBe(
      'TITLE                          STATE   ENDPOINT            DELIVERY\n' +
        'A weekly meeting of everybody  failed  sales-of-the-north  3f2a9c01be770011\n',
    );
  });
});
