import type { z } from 'zod';

import type { Journal } from './journal.ts';

/** Values by their key, in the order in which the keys first came. With a journal, they are there again after a restart. */
export interface Collection<T> {
  readonly find: (key: string) => T | undefined;
  readonly list: () => readonly T[];
  readonly count: () => number;
  /** Adds the value or replaces the one with its key. When there are more than may be kept, the oldest is forgotten. */
  readonly put: (value: T) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

export interface CollectionSettings<T> {
  /** Its name in the journal; unique in one sandbox. */
  readonly name: string;
  /** Reads what an earlier process wrote. */
  readonly schema: z.ZodType<T>;
  readonly keyOf: (value: T) => string;
  readonly limit?: number;
  readonly journal: Journal;
  /** Told of a value that was forgotten because of the limit. */
  readonly onForgotten?: (value: T) => void;
}

/** Values must be immutable, and be the same after JSON. For a single value, see `kept.ts`. Throws `DataFolderError` when the journal holds a value that the schema refuses. */
export function createCollection<T>(settings: CollectionSettings<T>): Collection<T> {
  const { name, schema, keyOf, limit = Infinity, journal, onForgotten } = settings;
  const values = new Map<string, T>();
  for (const value of journal.load(name, schema)) values.set(keyOf(value), value);

  // The journal comes first: what it cannot keep has not happened.
  function remove(key: string): void {
    if (!values.has(key)) return;
    journal.remove(name, key);
    values.delete(key);
  }

  return {
    find: (key) => values.get(key),
    list: () => [...values.values()],
    count: () => values.size,
    put(value) {
      const key = keyOf(value);
      journal.put(name, key, value);
      values.set(key, value);
      const [oldest] = values;
      if (values.size <= limit || oldest === undefined) return;
      remove(oldest[0]);
      onForgotten?.(oldest[1]);
    },
    remove,
    clear() {
      journal.clear(name);
      values.clear();
    },
  };
}
