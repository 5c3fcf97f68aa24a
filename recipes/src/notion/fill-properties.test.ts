import { createNotionStandIn, type NotionStandIn } from '@aftermeet/sandbox';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { takeShipment } from '../testing/bring-to-end.ts';
import { fillProperties } from './fill-properties.ts';
import { matchProperties } from './match-properties.ts';
import type { NotionPage } from './notion-page.ts';
import { openNotion } from './send-notion-page.ts';

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
  it('gives nobody the properties by which pages are found again', () => {
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
  it('fills what the data source has by its type, and the status only once', () => {
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

  describe('towards Notion', () => {
    let standIn: NotionStandIn;
    let url: string;
    beforeAll(async () => {
      standIn = createNotionStandIn();
      ({ url } = await standIn.listen());
    });
    afterAll(() => standIn.close());

    it('is taken whatever the values are', async () => {
      const settings = { token: 'ntn_test', baseUrl: url, dataSourceId: standIn.dataSourceId };
      const carrier = openNotion(settings, () => 0);
      const text = fc.string({ unit: 'grapheme', maxLength: 300 });
      const values = fc.record({
        source: text.map((name) => ({ kind: 'text' as const, text: name })),
        participants: fc.array(text, { maxLength: 130 }).map((names) => ({ kind: 'names' as const, names })),
        duration: fc.double().map((number) => ({ kind: 'number' as const, number })),
        meetingId: text.map((id) => ({ kind: 'text' as const, text: id })),
      });
      await fc.assert(
        fc.asyncProperty(values, text, async (fields, title) => {
          const label = { effectKey: 'k1', target: standIn.dataSourceId };
          const shipment = takeShipment(await carrier.prepare({ ...page, title, fields }, label));
          expect(await shipment.send()).toMatchObject({ result: 'sent' });
        }),
        { numRuns: 15 },
      );
    });
  });
});
