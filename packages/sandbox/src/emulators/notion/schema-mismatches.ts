import { refuseBody, type NotionRefusal } from './errors.ts';

/** The part of JSON Schema (draft 7) that the file made from Notion's types uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Only ids have one. */
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly not?: SchemaNode;
}

/** Returns a definition by its name. */
export type FindDefinition = (name: string) => SchemaNode;

/** One way in which a value is not what Notion takes. */
export interface Mismatch {
  /** `body.children[0].paragraph.rich_text` */
  readonly path: string;
  /** Alternatives: any of them would be right. */
  readonly expected: readonly string[];
  /** Undefined: the value is missing. */
  readonly value: unknown;
}

/**
 * The first place where a value breaks a schema; several if a union leaves open what was meant (mending one is enough).
 * Empty: it fits. It interprets the schema: compiling Notion's unions takes a validator longer than a client waits for
 * its first answer, and collecting all errors takes quadratic time. A test compares the two.
 */
export function findMismatches(
  node: SchemaNode,
  value: unknown,
  path: string,
  find: FindDefinition,
): readonly Mismatch[] {
  const own = resolve(node, find);
  if (own.anyOf !== undefined) {
    const results = chooseBranches(own.anyOf, value, find).map((branch) =>
      findMismatches(branch, value, path, find),
    );
    return results.some((result) => result.length === 0) ? [] : mergeSamePaths(results.flat());
  }
  const expected = listExpected(own, value);
  if (expected !== undefined) return [{ path, expected, value }];
  if (!Array.isArray(value)) {
    return typeof value === 'object' && value !== null ? findInObject(own, value, path, find) : [];
  }
  const { items } = own;
  if (items === undefined) return [];
  return firstOf(value.entries(), ([index, item]: readonly [number, unknown]) =>
    findMismatches(items, item, `${path}[${String(index)}]`, find),
  );
}

function resolve(node: SchemaNode, find: FindDefinition): SchemaNode {
  return node.$ref === undefined ? node : resolve(find(node.$ref.replace('#/definitions/', '')), find);
}

/**
 * The members of a union that a value can mean: the one that it names as its `type`, else those of whose required keys
 * it has the most, else all. The members of Notion's unions differ in one key.
 */
function chooseBranches(
  union: readonly SchemaNode[],
  value: unknown,
  find: FindDefinition,
): readonly SchemaNode[] {
  const branches = flatten(union, find);
  const ofType = branches.filter((branch) => listTypes(branch).includes(typeOf(value)));
  if (ofType.length === 0) return branches;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofType;
  const named = ofType.filter(
    (branch) => 'type' in value && branch.properties?.['type']?.const === value.type,
  );
  if (named.length > 0) return named;
  const counts = ofType.map((branch) => (branch.required ?? []).filter((key) => key in value).length);
  const most = Math.max(...counts);
  return most === 0 ? branches : ofType.filter((_branch, index) => counts[index] === most);
}

function flatten(union: readonly SchemaNode[], find: FindDefinition): readonly SchemaNode[] {
  return union.flatMap((member) => {
    const node = resolve(member, find);
    return node.anyOf === undefined ? [node] : flatten(node.anyOf, find);
  });
}

/** The types of value that a node takes; empty if it does not say. */
function listTypes({ type, const: only, enum: values }: SchemaNode): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  return (values ?? (only === undefined ? [] : [only])).map(typeOf);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function findInObject(
  { properties = {}, required = [], additionalProperties: rule = true }: SchemaNode,
  value: object,
  path: string,
  find: FindDefinition,
): readonly Mismatch[] {
  const given = new Map<string, unknown>(Object.entries(value));
  const known = firstOf(Object.entries(properties), ([key, property]) => {
    const place = `${path}.${key}`;
    const isRequired = required.includes(key);
    if (!given.has(key)) return isRequired ? [{ path: place, expected: ['defined'], value: undefined }] : [];
    const found = findMismatches(property, given.get(key), place, find);
    return isRequired ? found : found.map((mismatch) => allowAbsence(mismatch, place));
  });
  if (known.length > 0 || rule === true) return known;
  const others = [...given].filter(([key]) => !Object.hasOwn(properties, key));
  return firstOf(others, ([key, other]) =>
    rule === false || rule.not !== undefined
      ? [{ path: `${path}.${key}`, expected: ['not present'], value: other }]
      : findMismatches(rule, other, `${path}.${key}`, find),
  );
}

/** An optional value may also be absent. */
function allowAbsence(mismatch: Mismatch, place: string): Mismatch {
  return mismatch.path === place
    ? { ...mismatch, expected: [...mismatch.expected, '`undefined`'] }
    : mismatch;
}

const typePhrases: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  null: '`null`',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** What the value itself, without its content, should be; undefined if it is right. */
function listExpected(node: SchemaNode, value: unknown): readonly string[] | undefined {
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values !== undefined) return values.includes(value) ? undefined : values.map(quoteValue);
  const types = listTypes(node);
  if (types.length > 0 && !types.includes(typeOf(value))) {
    return types.map((type) => typePhrases[type] ?? type);
  }
  if (node.pattern === undefined || typeof value !== 'string') return undefined;
  return new RegExp(node.pattern).test(value) ? undefined : ['a valid uuid'];
}

function mergeSamePaths(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const byPath = new Map<string, Mismatch>();
  for (const mismatch of mismatches) {
    const known = byPath.get(mismatch.path)?.expected ?? [];
    byPath.set(mismatch.path, { ...mismatch, expected: [...new Set([...known, ...mismatch.expected])] });
  }
  return [...byPath.values()];
}

function firstOf<Item>(
  items: Iterable<Item>,
  look: (item: Item) => readonly Mismatch[],
): readonly Mismatch[] {
  for (const item of items) {
    const found = look(item);
    if (found.length > 0) return found;
  }
  return [];
}

/** Notion's words for mismatches. `part` is `body`, `path` or `query`. */
export function refuseMismatches(mismatches: readonly Mismatch[], part = 'body'): NotionRefusal {
  const lines = mismatches.map(
    ({ path, expected, value }) =>
      `${path} should be ${joinChoices(expected)}, instead was ${quoteValue(value)}.`,
  );
  const [only] = lines;
  return refuseBody(
    lines.length === 1 && only !== undefined
      ? `${part} failed validation: ${only}`
      : `${part} failed validation. Fix one:\n${lines.join('\n')}`,
  );
}

/** How much of a value Notion repeats, in characters (observed). */
const quotedLength = 55;

/** A value's JSON between backticks, cut. */
function quoteValue(value: unknown): string {
  const text = value === undefined ? 'undefined' : toJson(value);
  return text.length > quotedLength ? `\`${text.slice(0, quotedLength)}...\`` : `\`${text}\``;
}

/** A value that is nested too deeply for JSON is quoted by its first characters. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return (Array.isArray(value) ? '[' : '{').repeat(quotedLength + 1);
  }
}

/** `a`; `a or b`; `a, b, or c` */
function joinChoices(choices: readonly string[]): string {
  const [last = '', ...others] = choices.toReversed();
  if (others.length < 2) return [...others.toReversed(), last].join(' or ');
  return `${others.toReversed().join(', ')}, or ${last}`;
}
