import { chooseBranches } from './choose-branches.ts';
import { quoteValue, type Mismatch } from './describe-mismatch.ts';
import { listTypes, nameType, resolveNode, type FindDefinition, type SchemaNode } from './schema-node.ts';

/**
 * The first place where a value breaks a schema, as Notion sees it; several where a union leaves open what was meant
 * (to mend one of them is enough). Empty: it fits. It reads the schema as it goes: to compile Notion's unions takes a
 * validator longer than a client may wait for its first answer, and to collect what breaks them a time that grows with
 * the square of it. That both find the same is tested.
 */
export function findMismatches(
  node: SchemaNode,
  value: unknown,
  path: string,
  find: FindDefinition,
): readonly Mismatch[] {
  const own = resolveNode(node, find);
  if (own.anyOf !== undefined) {
    const results = chooseBranches(own.anyOf, value, find).map((branch) =>
      findMismatches(branch, value, path, find),
    );
    return results.some((result) => result.length === 0) ? [] : merge(results.flat());
  }
  const expected = listExpected(own, value);
  if (expected !== undefined) return [{ path, expected, value }];
  if (Array.isArray(value)) {
    const { items } = own;
    return items === undefined
      ? []
      : findFirst(value.entries(), ([index, item]: readonly [number, unknown]) =>
          findMismatches(items, item, `${path}[${String(index)}]`, find),
        );
  }
  return typeof value === 'object' && value !== null ? findInObject(own, value, path, find) : [];
}

function findInObject(
  { properties = {}, required = [], additionalProperties }: SchemaNode,
  value: object,
  path: string,
  find: FindDefinition,
): readonly Mismatch[] {
  const given = new Map<string, unknown>(Object.entries(value));
  const known = findFirst(Object.entries(properties), ([key, property]) => {
    const place = `${path}.${key}`;
    const isRequired = required.includes(key);
    if (!given.has(key)) return isRequired ? [{ path: place, expected: ['defined'], value: undefined }] : [];
    const found = findMismatches(property, given.get(key), place, find);
    return isRequired ? found : found.map((mismatch) => allowAbsence(mismatch, place));
  });
  if (known.length > 0) return known;
  const others = [...given].filter(([key]) => !Object.hasOwn(properties, key));
  const rule = additionalProperties ?? true;
  if (rule === true) return [];
  return findFirst(others, ([key, other]) =>
    rule === false || rule.not !== undefined
      ? [{ path: `${path}.${key}`, expected: ['not present'], value: other }]
      : findMismatches(rule, other, `${path}.${key}`, find),
  );
}

/** What may be left out is said to be so. */
function allowAbsence(mismatch: Mismatch, place: string): Mismatch {
  return mismatch.path === place
    ? { ...mismatch, expected: [...mismatch.expected, '`undefined`'] }
    : mismatch;
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  null: '`null`',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** What the value itself, without what is in it, should be; undefined where it is that. */
function listExpected(node: SchemaNode, value: unknown): readonly string[] | undefined {
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values !== undefined) return values.includes(value) ? undefined : values.map(quoteValue);
  const types = listTypes(node);
  if (types.length > 0 && !types.includes(nameType(value))) {
    return types.map((type) => typeWords[type] ?? type);
  }
  if (node.pattern === undefined || typeof value !== 'string') return undefined;
  return new RegExp(node.pattern).test(value) ? undefined : ['a valid uuid'];
}

/** What is expected at one and the same place becomes one line. */
function merge(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const places = new Map<string, Mismatch>();
  for (const mismatch of mismatches) {
    const known = places.get(mismatch.path)?.expected ?? [];
    places.set(mismatch.path, { ...mismatch, expected: [...new Set([...known, ...mismatch.expected])] });
  }
  return [...places.values()];
}

function findFirst<Item>(
  items: Iterable<Item>,
  look: (item: Item) => readonly Mismatch[],
): readonly Mismatch[] {
  for (const item of items) {
    const found = look(item);
    if (found.length > 0) return found;
  }
  return [];
}
