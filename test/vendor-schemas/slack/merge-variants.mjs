/** What is checked elsewhere, piece by piece, so that a refusal names its own code. */
const opaque = {
  blocks: { type: 'array' },
  attachments: { type: 'array' },
  metadata: { type: 'object' },
};

/**
 * One object of all variants of an argument type: a property is required where every variant requires it. Unknown
 * properties pass, as at Slack.
 */
export function mergeVariants(schema, definitions) {
  const variants = listVariants(schema, definitions);
  const properties = {};
  for (const variant of variants) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      if (name === 'token' || 'not' in property) continue;
      properties[name] = opaque[name] ?? unite(properties[name], property);
    }
  }
  const [first, ...others] = variants.map((variant) => variant.required ?? []);
  const required = (first ?? []).filter((name) => others.every((list) => list.includes(name)));
  return { type: 'object', properties, required };
}

function listVariants(schema, definitions) {
  // A name with angle brackets is encoded in its reference.
  if ('$ref' in schema) {
    return listVariants(definitions[decodeURIComponent(schema.$ref.split('/').at(-1))], definitions);
  }
  return (schema.anyOf ?? [schema]).flatMap((variant) =>
    'anyOf' in variant || '$ref' in variant ? listVariants(variant, definitions) : [variant],
  );
}

/** The wider of two: variants that allow one value of a boolean allow any together. */
function unite(known, property) {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(property)) return property;
  if (known.type !== property.type)
    throw new Error(`Two types for one argument: ${known.type}, ${property.type}`);
  return { type: known.type };
}
