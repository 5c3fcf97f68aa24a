import { type Fields, isFields, openText, readFirst, spellNames } from './loose.ts';

const wrappers = spellNames('followup_v2', 'followup', 'report', 'data');
/** So many have been seen around a report; more would be somebody's attack on the stack. */
const MAX_WRAPPERS = 2;
const listNames = spellNames('templates', 'chapters', 'transcript', 'speakers');

/** The report's own object first, then those that it is wrapped in: some fields stand outside (observed: `tags`). */
export type Layers = readonly Fields[];

/**
 * Finds the report inside of `followup_v2`, `followup`, `report`, `data` or nothing, twice at most, also where
 * the whole or the inner part is JSON inside a text.
 */
export function findLayers(body: unknown): Layers {
  const outer = openText(body);
  return isFields(outer) ? unwrap(outer, 0) : [];
}

/** A layer that holds parts of a report is left only for one that does too: `report` may be a mere field. */
function unwrap(fields: Fields, depth: number): Layers {
  if (depth === MAX_WRAPPERS) return [fields];
  const found = wrappers
    .map((name) => openText(fields[name]))
    .filter(isFields)
    .map((inner) => unwrap(inner, depth + 1));
  const chosen = found.find((layers) => layers.some(hasParts)) ?? (hasParts(fields) ? undefined : found[0]);
  return chosen === undefined ? [fields] : [...chosen, fields];
}

/** Whether an object holds a list that only a report holds. Templates may be an object too, by their names. */
export function hasParts(fields: Fields): boolean {
  return (
    listNames.some((name) => Array.isArray(openText(fields[name]))) || isFields(openText(fields['templates']))
  );
}

/** The innermost of several fields in which the reader finds something. */
export function readLayers<T>(
  layers: Layers,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const fields of layers) {
    const found = readFirst(fields, names, read);
    if (found !== undefined) return found;
  }
  return undefined;
}
