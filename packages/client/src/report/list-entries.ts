import { asEntries, asPresent, isFields, openText, readFirst } from './loose.ts';
import { readListItems } from './read-list-items.ts';
import { saysNothing } from './says-nothing.ts';

const MAX_DEPTH = 3;

/**
 * The entries of a block: of a Markdown list, of a list, or of an object that holds one under one of the names.
 * Any other object is an entry itself. A text that only says that there is nothing is none. `onSkipped` hears
 * of each line of a text that is lost.
 */
export function listEntries(
  value: unknown,
  names: readonly string[],
  onSkipped: () => void,
  depth = 0,
): readonly unknown[] {
  const opened = openText(value);
  if (typeof opened === 'string') return readListItems(opened, onSkipped);
  const inner = isFields(opened) && depth < MAX_DEPTH ? readFirst(opened, names, asPresent) : undefined;
  if (inner !== undefined) return listEntries(inner, names, onSkipped, depth + 1);
  return asEntries(opened).filter((entry) => typeof entry !== 'string' || !saysNothing(entry));
}
