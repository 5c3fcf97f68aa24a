import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { loadVendorDefinitions, loadVendorSchema } from '../vendor-schema.ts';
import { findMismatch, type SchemaNode } from './schema-mismatches.ts';

const schema = await loadVendorSchema('notion');
const definitions = await loadVendorDefinitions('notion');
const find = (name: string): SchemaNode => definitions[name] ?? {};

const text = fc.record(
  {
    type: fc.constantFrom('text', 'mention', 'equation', 'other', 5),
    text: fc.record(
      {
        content: fc.oneof(fc.string(), fc.constant(5)),
        link: fc.constantFrom(null, { url: 'https://a.io' }, 'x'),
      },
      { requiredKeys: [] },
    ),
    equation: fc.record({ expression: fc.string() }),
    annotations: fc.constantFrom({ bold: true }, { color: 'red' }, { color: 'mauve' }, { huge: true }),
  },
  { requiredKeys: [] },
);
const content = fc.record(
  {
    rich_text: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant('text')),
    checked: fc.constantFrom(true, 'yes'),
    color: fc.constantFrom('default', 'red_background', 'mauve'),
    language: fc.constantFrom('json', 'klingon'),
    children: fc.constantFrom([], [{ divider: {} }], [{ toggle: { rich_text: [], children: [] } }], 5),
  },
  { requiredKeys: [] },
);
const block = fc.record(
  {
    type: fc.constantFrom('paragraph', 'to_do', 'code', 'divider', 'note'),
    object: fc.constantFrom('block', 'page'),
    paragraph: content,
    to_do: content,
    code: content,
    divider: fc.constantFrom({}, { x: 1 }),
    note: fc.constant({}),
  },
  { requiredKeys: [] },
);
const condition = fc.constantFrom(
  { equals: 'x' },
  { contains: 5 },
  { is_empty: true },
  { is_empty: false },
  {},
  'x',
);
const filter = fc.record(
  {
    property: fc.constantFrom('Name', 5),
    rich_text: condition,
    select: condition,
    timestamp: fc.constant('created_time'),
    created_time: fc.constantFrom({ after: 'today' }, { after: 5 }),
    and: fc.constantFrom([], [{ property: 'Name', title: { equals: 'x' } }], [{ or: [{ and: [] }] }]),
  },
  { requiredKeys: [] },
);

const id = '0b07a000-0000-4000-8000-000000000001';
const option = fc.constantFrom({ name: 'x' }, { id: 'x', color: 'red' }, { color: 'mauve' }, {}, null, 'x');
const property = fc.record(
  {
    type: fc.constantFrom('title', 'select', 'formula'),
    title: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant('x')),
    select: option,
    multi_select: fc.oneof(fc.array(option, { maxLength: 2 }), option),
    number: fc.constantFrom(1, null, '1'),
    people: fc.constantFrom([{ id }], [{ id, object: 'group' }], [{ id: 'x' }], [{}]),
    date: fc.constantFrom({ start: 'x' }, { start: 'x', end: null }, { end: 'x' }, null),
    files: fc.constantFrom(
      [{ name: 'x', external: { url: 'x' } }],
      [{ file_upload: { id } }],
      [{ name: 'x' }],
    ),
  },
  { requiredKeys: [] },
);
const config = fc.record(
  {
    name: fc.constantFrom('x', 5),
    type: fc.constantFrom('rich_text', 'number', 'colour'),
    rich_text: fc.constantFrom({}, { x: 1 }),
    number: fc.constantFrom({}, { format: 'euro' }, { format: 5 }),
    select: fc.constantFrom({}, { options: [{ name: 'x' }] }, { options: [{ color: 'mauve' }] }),
    relation: fc.constantFrom({ data_source_id: id, single_property: {} }, { data_source_id: 'x' }),
  },
  { requiredKeys: [] },
);
const parent = fc.constantFrom(
  { data_source_id: id },
  { type: 'page_id', page_id: 'x' },
  { workspace: true },
  { type: 'page_id', workspace: true },
  {},
  5,
);

describe('findMismatch', () => {
  it.each<[definition: string, args: fc.Arbitrary<unknown>]>([
    [
      'CreatePageParameters',
      fc.record(
        {
          parent,
          properties: fc.dictionary(fc.string(), property, { maxKeys: 2 }),
          children: fc.array(block, { maxLength: 2 }),
          icon: fc.constantFrom(null, { emoji: 'x' }, { emoji: 5 }, {}),
        },
        { requiredKeys: [] },
      ),
    ],
    ['UpdateBlockParameters', block.map((given) => ({ block_id: id, ...given }))],
    [
      'UpdateDataSourceParameters',
      fc.record({
        data_source_id: fc.constant(id),
        properties: fc.dictionary(fc.string(), fc.oneof(config, fc.constantFrom(null, 5)), { maxKeys: 2 }),
      }),
    ],
    [
      'QueryDataSourceParameters',
      fc.record(
        { data_source_id: fc.constantFrom(id.replaceAll('-', ''), 'x'), filter },
        { requiredKeys: ['data_source_id'] },
      ),
    ],
  ])('finds something in %s exactly where the validator does', (definition, args) => {
    fc.assert(
      fc.property(args, (value) => {
        const isRight = schema.check(definition, value).length === 0;
        const found = findMismatch(find(definition), value, 'body', find);
        expect([value, found === undefined]).toEqual([value, isRight]);
      }),
      { numRuns: 150 },
    );
  });

  it('knows every word that the schemas use', () => {
    const known = ['$ref', 'anyOf', 'type', 'const', 'enum', 'pattern', 'properties', 'required'];
    const others = ['additionalProperties', 'items', 'not', 'deprecated'];
    expect([...listKeywords(definitions)].toSorted()).toEqual([...known, ...others].toSorted());
  });

  it('tells the branch of a union by the type that is named, else by the keys that are there', () => {
    const say = (value: unknown) => findMismatch(find('BlockObjectRequest'), value, 'body', find);
    expect(say({ type: 'quote', paragraph: { rich_text: [] } })).toBe('body.quote');
    expect(say({ quote: {} })).toBe('body.quote.rich_text');
    expect(say({ quote: { rich_text: [] } })).toBeUndefined();
    expect(say(null)).toBe('body');
  });
});

/** The JSON Schema keywords of a schema whose property names are arbitrary. */
function listKeywords(named: object): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      for (const [word, value] of Object.entries(node)) {
        words.add(word);
        if (word === 'properties') Object.values(value as object).forEach(visit);
        else if (word !== 'const' && word !== 'enum') visit(value);
      }
    }
  };
  Object.values(named).forEach(visit);
  return words;
}
