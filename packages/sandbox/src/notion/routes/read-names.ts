/** `filter_properties`, once or several times in the query. */
export function readNames(given: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.filter((name) => typeof name === 'string');
}
