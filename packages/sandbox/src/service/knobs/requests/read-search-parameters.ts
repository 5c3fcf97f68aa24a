import type { Knobs } from '../knobs.ts';
import { isObject } from '../shapes/json-value.ts';

/** The query under the names of the contract. `unknown` holds the parameters that bear a name of the contract and not the one they have now. */
export function readSearchParameters(
  query: unknown,
  names: Knobs['searchParameters'],
): { readonly query: unknown; readonly unknown: readonly string[] } {
  if (!isObject(query)) return { query, unknown: [] };
  const known = new Map(Object.entries(names).map(([name, given]) => [given, name]));
  const isReplaced = (name: string): boolean => Object.hasOwn(names, name) && !known.has(name);
  const entries = Object.entries(query).filter(([name]) => !isReplaced(name));
  return {
    query: Object.fromEntries(entries.map(([name, value]) => [known.get(name) ?? name, value])),
    unknown: Object.keys(query).filter(isReplaced),
  };
}
