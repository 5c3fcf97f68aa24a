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
    const mapping = { due: 'Task key', owner: 'delivery key' };
    const { columns, problems } = matchProperties({ kind: 'task', mapping }, properties);
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

describe("properties that a recipe of one's own names", () => {
  const shapes = [
    { name: 'Name', type: 'title' },
    { name: 'Customer', type: 'select' },
    { name: 'Seats', type: 'number' },
    { name: 'Renewed', type: 'checkbox' },
    { name: 'Topics', type: 'multi_select' },
    { name: 'Follow-up', type: 'date' },
    { name: 'Deal', type: 'url' },
  ];
  const own = {
    Customer: { kind: 'text', text: 'Acme' },
    seats: { kind: 'number', number: 40 },
    Renewed: { kind: 'checkbox', isChecked: true },
    Topics: { kind: 'names', names: ['price', 'term'] },
    'Follow-up': { kind: 'date', start: '2026-07-14', words: '2026-07-14' },
    Deal: { kind: 'url', url: 'https://crm.example/7' },
  } as const;

  it('are filled by their type', () => {
    const written = { ...page, fields: {}, properties: own };
    const { columns, problems } = matchProperties(written, shapes);
    expect(problems).toEqual([]);
    expect(fillProperties(written, columns, new Map(), true)).toMatchObject({
      Customer: { select: { name: 'Acme' } },
      Seats: { number: 40 },
      Renewed: { checkbox: true },
      Topics: { multi_select: [{ name: 'price' }, { name: 'term' }] },
      'Follow-up': { date: { start: '2026-07-14' } },
      Deal: { url: 'https://crm.example/7' },
    });
  });

  it('must be there, and of a type that holds the value', () => {
    const properties = { Gone: { kind: 'text', text: 'x' }, Seats: { kind: 'text', text: 'many' } } as const;
    expect(matchProperties({ ...page, properties }, shapes).problems).toEqual([
      {
        property: 'Gone',
        found: 'not there',
        expected: 'a property of type rich_text, select, status or multi_select, for the value of "Gone"',
      },
      {
        property: 'Seats',
        found: 'of type number',
        expected: 'a property of type rich_text, select, status or multi_select, for the value of "Seats"',
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
    const mapping = { participants: 'Wer', source: false } as const;
    const { columns, problems } = matchProperties({ kind: 'meeting', mapping }, properties);
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

describe('the owner of a task', () => {
  const task: NotionPage = {
    kind: 'task',
    title: 'Send the offer',
    fields: {
      owner: { kind: 'person', name: 'Anna Berg' },
      ownerName: { kind: 'text', text: 'Anna Berg' },
    },
    mapping: {},
    blocks: [],
  };

  it('keeps the name where the workspace does not know the person', () => {
    const properties = [
      { name: 'Name', type: 'title' },
      { name: 'Owner', type: 'people' },
      { name: 'Owner name', type: 'rich_text' },
    ];
    const { columns } = matchProperties(task, properties);
    expect(fillProperties(task, columns, new Map(), true)).toMatchObject({
      'Owner name': { rich_text: [{ text: { content: 'Anna Berg' } }] },
    });
    expect(fillProperties(task, columns, new Map(), true)).not.toHaveProperty('Owner');
    const known = new Map([['owner', 'id-of-anna']]);
    expect(fillProperties(task, columns, known, true)).toMatchObject({
      Owner: { people: [{ id: 'id-of-anna' }] },
    });
  });
});
