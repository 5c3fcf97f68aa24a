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

/**
 * The first place where a value breaks a schema, such as `body.children[0].paragraph.rich_text`; undefined: it fits. It
 * interprets the schema: compiling Notion's unions takes a validator longer than a client waits for its first answer, and
 * collecting all errors takes quadratic time. A test compares the two.
 */
export function findMismatch(
  node: SchemaNode,
  value: unknown,
  path: string,
  find: FindDefinition,
): string | undefined {
  const own = resolve(node, find);
  if (own.anyOf !== undefined) {
    const found = chooseBranches(own.anyOf, value, find).map((branch) =>
      findMismatch(branch, value, path, find),
    );
    return found.includes(undefined) ? undefined : found[0];
  }
  if (!fitsOutside(own, value)) return path;
  if (!Array.isArray(value)) {
    return typeof value === 'object' && value !== null ? findInObject(own, value, path, find) : undefined;
  }
  const { items } = own;
  if (items === undefined) return undefined;
  return firstOf(value.entries(), ([index, item]: readonly [number, unknown]) =>
    findMismatch(items, item, `${path}[${String(index)}]`, find),
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
): string | undefined {
  const given = new Map<string, unknown>(Object.entries(value));
  const known = firstOf(Object.entries(properties), ([key, property]) => {
    const place = `${path}.${key}`;
    if (given.has(key)) return findMismatch(property, given.get(key), place, find);
    return required.includes(key) ? place : undefined;
  });
  if (known !== undefined || rule === true) return known;
  const others = [...given].filter(([key]) => !Object.hasOwn(properties, key));
  return firstOf(others, ([key, other]) =>
    rule === false || rule.not !== undefined
      ? `${path}.${key}`
      : findMismatch(rule, other, `${path}.${key}`, find),
  );
}

/** Whether the value itself, without its content, is right. */
function fitsOutside(node: SchemaNode, value: unknown): boolean {
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values !== undefined) return values.includes(value);
  const types = listTypes(node);
  if (types.length > 0 && !types.includes(typeOf(value))) return false;
  return node.pattern === undefined || typeof value !== 'string' || new RegExp(node.pattern).test(value);
}

function firstOf<Item>(items: Iterable<Item>, look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
