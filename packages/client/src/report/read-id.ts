import type { Dropped } from './dropped.ts';
import { asText, type Fields, readFirst } from './loose.ts';

/** An id as text. A number that JSON can't hold exactly has become the id of something else. */
export function asId(value: unknown): string | undefined {
  return isChanged(value) ? undefined : asText(value);
}

/** The first of several fields that holds an id; one that can't be kept is dropped. */
export function readId(fields: Fields, names: readonly string[], dropped: Dropped): string | undefined {
  const id = readFirst(fields, names, asId);
  if (id === undefined && names.some((name) => isChanged(fields[name]))) dropped.add('ids');
  return id;
}

/** Whether a number is beyond those that arrive as they were sent (2^53). */
function isChanged(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
