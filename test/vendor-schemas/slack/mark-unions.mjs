/**
 * Unions whose variants all have a constant `type` become `oneOf` with a `discriminator` (the OpenAPI keyword that Ajv
 * knows): only the variant that was meant is checked, so that what is said is about it.
 */
export function markUnions(definitions) {
  const mark = (node) => {
    if (Array.isArray(node)) return node.map(mark);
    if (typeof node !== 'object' || node === null) return node;
    const kinds = 'anyOf' in node ? listKinds(node.anyOf, definitions) : [];
    if (new Set(kinds.map(({ type }) => type)).size < 2)
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mark(value)]));
    const { anyOf: _variants, ...rest } = node;
    const oneOf = kinds.map(({ schema }) => mark(schema));
    return { ...rest, type: 'object', required: ['type'], discriminator: { propertyName: 'type' }, oneOf };
  };
  const marked = Object.entries(definitions).map(([name, definition]) => [name, mark(definition)]);
  Object.assign(definitions, Object.fromEntries(marked));
}

/** One schema for each `type`, unions inside of unions laid flat; empty where a variant has no constant `type`. */
function listKinds(variants, definitions) {
  const kinds = variants.map((variant) => {
    const target = '$ref' in variant ? definitions[variant.$ref.split('/').at(-1)] : variant;
    const type = target.properties?.type?.const;
    if (type !== undefined) return [{ type, schema: variant }];
    const inner = 'anyOf' in target ? listKinds(target.anyOf, definitions) : [];
    const [first] = inner;
    if (first === undefined || inner.some((kind) => kind.type !== first.type)) return inner;
    // Variants of one and the same type: which of them is meant, `type` does not tell.
    const properties = { type: { const: first.type } };
    return [
      { type: first.type, schema: { type: 'object', properties, required: ['type'], allOf: [variant] } },
    ];
  });
  return kinds.some((list) => list.length === 0) ? [] : kinds.flat();
}
