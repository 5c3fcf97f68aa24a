import type { z } from 'zod';

import { DataFolderError, type SavedState } from './data-folder.ts';

/** The state in memory. A data folder saves it, and a later process starts with what was saved. */
export interface Store {
  /** The saved values of one name. Throws `DataFolderError` when the schema refuses one. */
  readonly load: <T>(name: string, schema: z.ZodType<T>) => readonly T[];
  /** Adds a list to what is saved. Every name is used once. */
  readonly onSave: (name: string, list: () => readonly unknown[]) => void;
  /** To be called after every change: the state has to be saved. */
  readonly changed: () => void;
  readonly save: () => SavedState;
}

export function createStore(saved: SavedState = {}, changed: () => void = () => {}): Store {
  const lists = new Map<string, () => readonly unknown[]>();
  return {
    load(name, schema) {
      const values = Object.hasOwn(saved, name) ? (saved[name] ?? []) : [];
      return values.map((value) => {
        const result = schema.safeParse(value);
        if (result.success) return result.data;
        const [issue] = result.error.issues;
        const place = [name, ...(issue?.path ?? [])].join('.');
        throw new DataFolderError(
          `The saved state has an unknown form at ${place}. Use the version that wrote it, or name another folder.`,
        );
      });
    },
    onSave(name, list) {
      lists.set(name, list);
    },
    changed,
    save: () => Object.fromEntries([...lists].map(([name, list]) => [name, list()])),
  };
}

/** Values by key, in the order in which the keys first came. */
export interface Collection<T> {
  readonly find: (key: string) => T | undefined;
  readonly list: () => readonly T[];
  readonly count: () => number;
  /** Adds the value or replaces the one with its key. Over the limit, the oldest is removed. */
  readonly put: (value: T) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

export interface CollectionSettings<T> {
  readonly store: Store;
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly keyOf: (value: T) => string;
  readonly limit?: number;
  /** Called with a value that was removed because of the limit. */
  readonly onDropped?: (value: T) => void;
}

/** Values must be immutable, and equal after JSON. */
export function createCollection<T>(settings: CollectionSettings<T>): Collection<T> {
  const { store, name, schema, keyOf, limit = Infinity, onDropped } = settings;
  const values = new Map(store.load(name, schema).map((value) => [keyOf(value), value]));
  store.onSave(name, () => [...values.values()]);
  return {
    find: (key) => values.get(key),
    list: () => [...values.values()],
    count: () => values.size,
    put(value) {
      values.set(keyOf(value), value);
      const [oldest] = values;
      if (values.size > limit && oldest !== undefined) {
        values.delete(oldest[0]);
        onDropped?.(oldest[1]);
      }
      store.changed();
    },
    remove(key) {
      if (values.delete(key)) store.changed();
    },
    clear() {
      values.clear();
      store.changed();
    },
  };
}

/** A single value, such as a counter or the hash of the key. */
export interface Cell<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Back to the first value. */
  readonly reset: () => void;
}

export function createCell<T>(store: Store, name: string, schema: z.ZodType<T>, first: T): Cell<T> {
  let [value = first] = store.load(name, schema);
  store.onSave(name, () => (value === undefined ? [] : [value]));
  const set = (next: T): void => {
    value = next;
    store.changed();
  };
  return {
    get: () => value,
    set,
    reset() {
      set(first);
    },
  };
}
