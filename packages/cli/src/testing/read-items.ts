/** What `--json` has printed; of a list its items. */
export function readItems(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && 'items' in value ? value.items : value;
}
