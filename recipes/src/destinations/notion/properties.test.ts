import { describe, expect, it } from 'vitest';

import type { NotionPage } from './page.ts';
import { fillProperties } from './properties.ts';
import { matchProperties } from './properties.ts';

const page: NotionPage = {
  kind: 'meeting',
  title: 'Sync',
  fields: {
    date: {
      kind: 'date',
      start: '2026-07-07T11:00:00.000Z',
      end: '2026-07-07T12:05:00.000Z',
      words: 'Tuesday',
    },
    duration: { kind: 'number', number: 65 },
    participants: { kind: 'names', names: ['Lee, Ann', 'Lee Ann', '', 'x'.repeat(300)] },
    tags: { kind: 'names', names: Array.from({ length: 150 }, (_, index) => `tag ${index}`) },
    source: { kind: 'text', text: 'zoom' },
    status: { kind: 'text', text: 'New' },
  },
  mapping: {},
  blocks: [],
};

describe('matchProperties', () => {
  it('assigns no fact to the properties by which pages are found', () => {
    const properties = [
      { name: 'Name', type: 'title' },
      { name: 'Delivery key', type: 'rich_text' },
      { name: 'Task key', type: 'rich_text' },
    ];
    const { columns, problems } = matchProperties(
      'task',
      { due: 'Task key', owner: 'delivery key' },
      properties,
    );
    expect(columns.map(({ fact }) => fact)).toEqual(['title']);
    expect(problems).toEqual([
      {
        property: 'delivery key',
        found: 'used for something else',
        expected: 'a property of type people, rich_text, select or multi_select, for owner',
      },
      {
        property: 'Task key',
        found: 'used for something else',
        expected: 'a property of type date or rich_text, for due',
      },
    ]);
  });
});

describe('fillProperties', () => {
  it('fills properties by their type, and the status only in a new page', () => {
    const properties = [
      { name: 'Besprechung', type: 'title' },
      { name: 'date', type: 'date' },
      { name: 'Wer', type: 'multi_select' },
      { name: 'Tags', type: 'multi_select' },
      { name: 'Source', type: 'rich_text' },
      { name: 'Duration', type: 'formula' },
      { name: 'Status', type: 'select' },
    ];
    const { columns, problems } = matchProperties(
      'meeting',
      { participants: 'Wer', source: false },
      properties,
    );
    expect(problems).toEqual([]);
    const filled = fillProperties(page, columns, new Map(), true);
    expect(Object.keys(filled).toSorted()).toEqual(['Besprechung', 'Status', 'Tags', 'Wer', 'date']);
    expect(filled['Wer']).toEqual({
      multi_select: [{ name: 'Lee Ann' }, { name: `${'x'.repeat(99)}…` }],
    });
    expect(filled['date']).toEqual({
      date: { start: '2026-07-07T11:00:00.000Z', end: '2026-07-07T12:05:00.000Z' },
    });
    expect(JSON.stringify(filled['Tags']).match(/"name"/g)).toHaveLength(100);
    expect(fillProperties(page, columns, new Map(), false)['Status']).toBeUndefined();
  });
});
