/** A text object whose text is limited further: one kind is copied with the limit, a choice of kinds gets it beside. */
export function limitText(schema, maxLength, definitions) {
  const target = '$ref' in schema ? definitions[schema.$ref.split('/').at(-1)] : schema;
  if ('anyOf' in target) return { allOf: [schema, { properties: { text: { maxLength } } }] };
  const text = target.properties?.text;
  if (text === undefined) throw new Error(`${schema.$ref} has no text to limit`);
  const limited = { ...text, maxLength: Math.min(maxLength, text.maxLength ?? maxLength) };
  return { ...target, properties: { ...target.properties, text: limited } };
}
