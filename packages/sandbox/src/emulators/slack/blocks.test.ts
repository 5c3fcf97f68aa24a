import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { loadVendorSchema, type VendorSchema } from '../vendor-schema.ts';
import { blockDefinitions, checkBlocks } from './blocks.ts';

let schema: VendorSchema;

beforeAll(async () => {
  schema = await loadVendorSchema('slack');
});

/** What is wrong with one block, without the pointer's beginning; [] when it is fine. */
function wrongWith(block: object): unknown {
  const outcome = checkBlocks([block], schema);
  return 'error' in outcome ? (outcome.details ?? outcome.error) : [];
}

const x = (length: number): string => 'x'.repeat(length);
const plain = (length: number) => ({ type: 'plain_text', text: x(length) });
const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: x(length) });
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_item, index) => make(index));
const button = (fields: object = {}) => ({ type: 'button', text: plain(1), ...fields });
const rich = (element: object) => ({ type: 'rich_text', elements: [element] });
const line = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
const tooLong = (limit: number, pointer: string) =>
  `must be less than ${String(limit + 1)} characters [json-pointer:/blocks/0${pointer}]`;

describe('the limits of a block', () => {
  it.each<[string, (length: number) => object, number, string]>([
    ['a header', (length) => ({ type: 'header', text: plain(length) }), 150, '/text/text'],
    ['a block_id', (length) => ({ type: 'divider', block_id: x(length) }), 255, '/block_id'],
    [
      'a label',
      (length) => ({ type: 'actions', elements: [button({ text: plain(length) })] }),
      75,
      '/elements/0/text/text',
    ],
    [
      'an address',
      (length) => ({ type: 'actions', elements: [button({ url: x(length) })] }),
      3000,
      '/elements/0/url',
    ],
    [
      'a value',
      (length) => ({ type: 'actions', elements: [button({ value: x(length) })] }),
      2000,
      '/elements/0/value',
    ],
    [
      'an action_id',
      (length) => ({ type: 'actions', elements: [button({ action_id: x(length) })] }),
      255,
      '/elements/0/action_id',
    ],
    [
      'an alt text',
      (length) => ({ type: 'image', image_url: 'https://example.com/', alt_text: x(length) }),
      2000,
      '/alt_text',
    ],
    ["a card's title", (length) => ({ type: 'card', title: mrkdwn(length) }), 150, '/title/text'],
    ["a card's body", (length) => ({ type: 'card', body: mrkdwn(length) }), 200, '/body/text'],
    ['a context', (length) => ({ type: 'context', elements: [mrkdwn(length)] }), 3000, '/elements/0/text'],
  ])('%s', (_name, make, limit, pointer) => {
    expect(wrongWith(make(limit))).toEqual([]);
    expect(wrongWith(make(limit + 1))).toContain(tooLong(limit, pointer));
  });

  it('says of a text object that fits nowhere what Slack says', () => {
    expect(wrongWith({ type: 'section', text: mrkdwn(3000), fields: many(10, () => plain(600)) })).toEqual(
      [],
    );
    expect(wrongWith({ type: 'section', text: mrkdwn(3001) })).toEqual([
      'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
      tooLong(3000, '/text/text'),
    ]);
    expect(wrongWith({ type: 'section', fields: [plain(2001)] })).toEqual([
      'failed to match all allowed schemas [json-pointer:/blocks/0/fields/0]',
      tooLong(2000, '/fields/0/text'),
    ]);
  });

  it.each<[string, (count: number) => object, number, string]>([
    ['fields', (count) => ({ type: 'section', fields: many(count, () => plain(1)) }), 10, '/fields'],
    [
      'context elements',
      (count) => ({ type: 'context', elements: many(count, () => plain(1)) }),
      10,
      '/elements',
    ],
    ['actions', (count) => ({ type: 'actions', elements: many(count, () => button()) }), 25, '/elements'],
    [
      'cards',
      (count) => ({ type: 'carousel', elements: many(count, () => ({ type: 'card' })) }),
      10,
      '/elements',
    ],
    [
      'rows',
      (count) => ({ type: 'table', rows: many(count, () => [{ type: 'raw_text', text: 'a' }]) }),
      100,
      '/rows',
    ],
    [
      'cells',
      (count) => ({ type: 'table', rows: [many(count, () => ({ type: 'raw_text', text: 'a' }))] }),
      20,
      '/rows/0',
    ],
    [
      'blocks in a container',
      (count) => ({
        type: 'container',
        title: plain(1),
        child_blocks: many(count, () => ({ type: 'divider' })),
      }),
      10,
      '/child_blocks',
    ],
  ])('the number of %s', (_name, make, limit, pointer) => {
    expect(wrongWith(make(limit))).toEqual([]);
    expect(wrongWith(make(limit + 1))).toEqual([
      `no more than ${String(limit)} items allowed [json-pointer:/blocks/0${pointer}]`,
    ]);
  });

  it('the number of blocks', () => {
    const dividers = many(51, () => ({ type: 'divider' }));
    expect(checkBlocks(dividers.slice(1), schema)).toHaveLength(50);
    expect(checkBlocks(dividers, schema)).toEqual({
      error: 'invalid_blocks',
      details: ['no more than 50 items allowed [json-pointer:/blocks]'],
    });
  });
});

describe('what a block cannot be', () => {
  it.each<[string, object, readonly string[]]>([
    ['of no type', { text: plain(1) }, ['missing required field: type [json-pointer:/blocks/0]']],
    ['of a type that is no text', { type: 7 }, ['must provide a string [json-pointer:/blocks/0/type]']],
    ['of an unknown type', { type: 'banner' }, ['unsupported type: banner [json-pointer:/blocks/0/type]']],
    [
      'for modals',
      { type: 'alert', text: plain(1) },
      ['unsupported type: alert [json-pointer:/blocks/0/type]'],
    ],
    [
      'an object of JavaScript',
      { type: 'constructor' },
      ['unsupported type: constructor [json-pointer:/blocks/0/type]'],
    ],
    [
      'a header in mrkdwn',
      { type: 'header', text: mrkdwn(1) },
      ['must be a valid enum value [json-pointer:/blocks/0/text/type]'],
    ],
    [
      'a section of nothing',
      { type: 'section' },
      ['must define either `fields` or `text` [json-pointer:/blocks/0]'],
    ],
    [
      'a section with a bare text',
      { type: 'section', text: 'hi' },
      ['must provide an object [json-pointer:/blocks/0/text]'],
    ],
    [
      'a text of an unknown kind',
      { type: 'section', text: { type: 'html', text: 'x' } },
      ['unsupported type: html [json-pointer:/blocks/0/text/type]'],
    ],
    [
      'a text with nothing in it',
      { type: 'context', elements: [mrkdwn(0)] },
      ['must be more than 0 characters [json-pointer:/blocks/0/elements/0/text]'],
    ],
    [
      'mrkdwn with emoji',
      { type: 'section', text: { ...mrkdwn(1), emoji: true } },
      ['invalid additional property: emoji [json-pointer:/blocks/0/text]'],
    ],
    [
      'a divider with text',
      { type: 'divider', text: plain(1) },
      ['invalid additional property: text [json-pointer:/blocks/0]'],
    ],
    [
      'a context of nothing',
      { type: 'context', elements: [] },
      ['must provide at least 1 items [json-pointer:/blocks/0/elements]'],
    ],
    [
      'a button in a colour of its own',
      { type: 'actions', elements: [button({ style: 'green' })] },
      ['must be a valid enum value [json-pointer:/blocks/0/elements/0/style]'],
    ],
    [
      'a table with a cell too little',
      { type: 'table', rows: [[{ type: 'raw_number', text: '1' }]] },
      ['missing required field: value [json-pointer:/blocks/0/rows/0/0]'],
    ],
    [
      'an empty text in rich text',
      rich(line('')),
      ['must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]'],
    ],
  ])('%s', (_name, block, problems) => {
    expect(wrongWith(block)).toEqual(problems);
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a list in a list: Slack wants it beside, with an indent',
      rich({
        type: 'rich_text_list',
        style: 'bullet',
        elements: [{ type: 'rich_text_list', style: 'bullet', elements: [line('a')] }],
      }),
      ['must be a valid enum value [json-pointer:/blocks/0/elements/0/elements/0/type]'],
    ],
    [
      'a section in a section',
      rich({ type: 'rich_text_section', elements: [line('a')] }),
      ['unsupported type: rich_text_section [json-pointer:/blocks/0/elements/0/elements/0/type]'],
    ],
    [
      'a container in a container',
      {
        type: 'container',
        title: plain(1),
        child_blocks: [{ type: 'container', title: plain(1), child_blocks: [] }],
      },
      ['unsupported type: container [json-pointer:/blocks/0/child_blocks/0/type]'],
    ],
    [
      'a ninth level of a list',
      rich({ type: 'rich_text_list', style: 'bullet', indent: 9, elements: [line('a')] }),
      ['must be less than 8 [json-pointer:/blocks/0/elements/0/indent]'],
    ],
  ])('nested too deep: %s', (_name, block, problems) => {
    expect(wrongWith(block)).toEqual(expect.arrayContaining([...problems]));
  });
});

describe('what only all blocks together can break', () => {
  it('ids that stand twice', () => {
    const actions = (block: string, action: string) => ({
      type: 'actions',
      block_id: block,
      elements: [button({ action_id: action })],
    });
    expect(checkBlocks([actions('a', '1'), actions('b', '2')], schema)).toHaveLength(2);
    expect(checkBlocks([actions('a', '1'), actions('a', '1')], schema)).toEqual({
      error: 'invalid_blocks',
      details: [
        '`block_id` "a" already exists [json-pointer:/blocks/1/block_id]',
        '`action_id` "1" already exists [json-pointer:/blocks/1/elements/0/action_id]',
      ],
    });
  });

  it('a message with more than 11,000 characters to read', () => {
    const sections = (last: number) => [...many(3, () => section(3000)), section(last)];
    const section = (length: number) => ({ type: 'section', text: mrkdwn(length) });
    expect(checkBlocks(sections(2000), schema)).toHaveLength(4);
    expect(checkBlocks(sections(2001), schema)).toEqual({ error: 'msg_blocks_too_long' });
  });

  it('markdown of more than 12,000 characters, and tables of more than 10,000', () => {
    expect(checkBlocks([{ type: 'markdown', text: x(12_001) }], schema)).toEqual({
      error: 'msg_too_long',
    });
    const table = (length: number) => ({ type: 'table', rows: [[{ type: 'raw_text', text: x(length) }]] });
    expect(checkBlocks([table(5000), table(5000)], schema)).toHaveLength(2);
    expect(checkBlocks([table(5000), table(5001)], schema)).toMatchObject({ error: 'invalid_blocks' });
  });
});

describe('the kinds of blocks', () => {
  it('are those of the SDK, without the one for modals and with the one that has no type yet', () => {
    const known = z.object({ oneOf: z.array(z.unknown()) }).parse(schema.get('KnownBlock'));
    const types = known.oneOf.map((variant) => /definitions\/(\w+)/.exec(JSON.stringify(variant))?.[1] ?? '');
    const emulated = [...blockDefinitions.values()].filter((name) => name !== undefined);
    expect([...emulated, 'AlertBlock'].toSorted((left, right) => left.localeCompare(right))).toEqual(
      types.toSorted((left, right) => left.localeCompare(right)),
    );
  });

  it('are accepted or refused, and never crash, with any content', () => {
    const block = fc.oneof(
      fc.anything(),
      fc.record(
        {
          type: fc.constantFrom(...blockDefinitions.keys()),
          text: fc.jsonValue(),
          elements: fc.jsonValue(),
          rows: fc.jsonValue(),
        },
        { requiredKeys: ['type'] },
      ),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const outcome = checkBlocks(JSON.parse(JSON.stringify(blocks)), schema);
        if ('error' in outcome)
          expect(outcome.error).toMatch(
            /^(invalid_blocks|invalid_blocks_format|msg_too_long|msg_blocks_too_long)$/,
          );
        else expect(outcome).toHaveLength(blocks.length);
      }),
      { numRuns: 60 },
    );
  });
});
