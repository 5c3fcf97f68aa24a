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

/** A definition by its name. */
export type FindDefinition = (name: string) => SchemaNode;

/** What the node says itself, whatever it refers to. */
export function resolveNode(node: SchemaNode, find: FindDefinition): SchemaNode {
  return node.$ref === undefined ? node : resolveNode(find(node.$ref.replace('#/definitions/', '')), find);
}

/** The kinds of value that a node takes; none where it does not say. */
export function listTypes({ type, const: only, enum: values }: SchemaNode): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  return (values ?? (only === undefined ? [] : [only])).map(nameType);
}

export function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
