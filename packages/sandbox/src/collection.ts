export interface CollectionSettings<T> {
  readonly keyOf: (value: T) => string;
  readonly limit?: number;
}

/** Values by key, in the order in which the keys first came. */
export type Collection<T> = ReturnType<typeof createCollection<T>>;

/** Values must be immutable. */
export function createCollection<T>({ keyOf, limit = Infinity }: CollectionSettings<T>) {
  const values = new Map<string, T>();
  return {
    find: (key: string): T | undefined => values.get(key),
    list: (): readonly T[] => [...values.values()],
    /** Adds the value or replaces the one with its key. Over the limit, the oldest is removed. */
    put(value: T): void {
      values.set(keyOf(value), value);
      const [oldest] = values.keys();
      if (values.size > limit && oldest !== undefined) values.delete(oldest);
    },
    remove(key: string): void {
      values.delete(key);
    },
    clear(): void {
      values.clear();
    },
  };
}
