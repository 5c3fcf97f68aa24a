import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { loadVendorSchema, type VendorSchema } from '../vendor-schema.ts';
import { checkBlocks } from './blocks.ts';

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
const at = (pointer: string) => `[json-pointer:/blocks/0${pointer}]`;

describe('the limits of a block', () => {
  it.each<[string, (length: number) => object, number, string]>([
    ['a header', (length) => ({ type: 'header', text: plain(length) }), 150, '/text/text'],
    ['a section', (length) => ({ type: 'section', text: mrkdwn(length) }), 3000, '/text/text'],
    ['a context', (length) => ({ type: 'context', elements: [mrkdwn(length)] }), 3000, '/elements/0/text'],
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
  ])('%s', (_name, make, limit, pointer) => {
    expect(wrongWith(make(limit))).toEqual([]);
    expect(wrongWith(make(limit + 1))).toContain(
      `must NOT have more than ${String(limit)} characters ${at(pointer)}`,
    );
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
  it.each<[string, object, string]>([
    ['of no type', { text: plain(1) }, `unsupported type: undefined ${at('/type')}`],
    ['of an unknown type', { type: 'banner' }, `unsupported type: banner ${at('/type')}`],
    ['for modals', { type: 'alert', text: plain(1) }, `unsupported type: alert ${at('/type')}`],
    ['an object of JavaScript', { type: 'constructor' }, `unsupported type: constructor ${at('/type')}`],
    ['a header in mrkdwn', { type: 'header', text: mrkdwn(1) }, at('/text/type')],
    ['a section of nothing', { type: 'section' }, at('')],
    ['a section with a bare text', { type: 'section', text: 'hi' }, at('/text')],
    ['a text with nothing in it', { type: 'context', elements: [mrkdwn(0)] }, at('/elements/0/text')],
    ['a divider with text', { type: 'divider', text: plain(1) }, at('')],
    [
      'a list in a list: Slack wants it beside, with an indent',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_list', style: 'bullet', elements: [{ type: 'rich_text_list' }] }],
      },
      at('/elements/0/elements/0/type'),
    ],
  ])('%s', (_name, block, problem) => {
    expect(JSON.stringify(wrongWith(block))).toContain(problem);
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
});

const kinds =
  'actions card carousel container context context_actions data_table data_visualization divider file header image input markdown plan rich_text section table task_card video'.split(
    ' ',
  );

it('blocks with any content are accepted or refused, and never crash', () => {
  const block = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: fc.constantFrom(...kinds),
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
