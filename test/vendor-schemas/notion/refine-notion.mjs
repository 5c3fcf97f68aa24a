/** Ids are UUIDs, with or without dashes (https://developers.notion.com/reference/intro, Conventions). */
const uuid = '^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$';

/**
 * Says what an id looks like, and gives the types that have no name a short one: the generator's own depends on where a
 * type stands in its file.
 */
export function refineNotion(definitions) {
  const names = new Map(
    Object.keys(definitions)
      .filter((name) => !/^\w+$/.test(name))
      .map((name, index) => [
        `#/definitions/${encodeURIComponent(name)}`,
        { name, short: `Unnamed${index + 1}` },
      ]),
  );
  const rename = (node) => {
    if (Array.isArray(node)) return node.map(rename);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === '$ref' && names.has(value) ? `#/definitions/${names.get(value).short}` : rename(value),
      ]),
    );
  };
  const shorts = new Map([...names.values()].map(({ name, short }) => [name, short]));
  const renamed = Object.entries(definitions).map(([name, node]) => [shorts.get(name) ?? name, rename(node)]);
  const refined = Object.fromEntries(renamed);
  for (const name of ['IdRequest', 'IdResponse'])
    if (name in refined) refined[name] = { type: 'string', pattern: uuid };
  return refined;
}
