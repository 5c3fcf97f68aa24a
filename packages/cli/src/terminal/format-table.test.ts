import { describe, expect, it } from 'vitest';

import { type Column, formatTable } from './format-table.ts';

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
  it('aligns by what is seen, and cuts nothing that is piped on', () => {
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
    expect(formatTable(rows, columns, 40)).toBe(
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
    for (const line of formatTable(rows, columns, 12).split('\n'))
      expect(line.length).toBeLessThanOrEqual(12);
  });
});
