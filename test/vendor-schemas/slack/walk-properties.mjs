/** Calls `visit(property, replace)` for every property of every object in the definitions, however deep. */
export function walkProperties(definitions, visit) {
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node;
    if (typeof properties === 'object' && properties !== null) {
      for (const name of Object.keys(properties))
        visit(properties[name], (next) => (properties[name] = next));
    }
    Object.values(node).forEach(walk);
  };
  walk(definitions);
}
