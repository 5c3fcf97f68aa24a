import type { z } from 'zod';

import type { Journal } from './journal.ts';

/** One value that is there again after a restart, where the journal keeps it. */
export interface Kept<T> {
  readonly read: () => T;
  readonly write: (value: T) => void;
  /** Back to the first value. */
  readonly reset: () => void;
}

/**
 * A single value, such as a counter or the key: `first` until something is written. The name is unique among the
 * names of one sandbox's collections. Throws `DataFolderError` when the journal holds a value that the schema refuses.
 */
export function createKept<T>(journal: Journal, name: string, schema: z.ZodType<T>, first: T): Kept<T> {
  let [value = first] = journal.load(name, schema);
  return {
    read: () => value,
    write(next) {
      journal.put(name, 'value', next);
      value = next;
    },
    reset() {
      journal.clear(name);
      value = first;
    },
  };
}
