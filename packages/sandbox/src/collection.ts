/** Values by key, in the order in which the keys first came. */
export interface Collection<T> {
  readonly find: (key: string) => T | undefined;
  readonly list: () => readonly T[];
  /** Adds the value or replaces the one with its key. Over the limit, the oldest is removed. */
  readonly put: (value: T) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

export interface CollectionSettings<T> {
  readonly keyOf: (value: T) => string;
  readonly limit?: number;
}

/** Values must be immutable. */
export function createCollection<T>({ keyOf, limit = Infinity }: CollectionSettings<T>): Collection<T> {
  const values = new Map<string, T>();
  return {
    find: (key) => values.get(key),
    list: () => [...values.values()],
    put(value) {
      values.set(keyOf(value), value);
      const [oldest] = values.keys();
      if (values.size > limit && oldest !== undefined) values.delete(oldest);
    },
    remove(key) {
      values.delete(key);
    },
    clear() {
      values.clear();
    },
  };
}
