import type { SharedStore } from '../engine/store/shared-store.ts';

/** The records of a shared store in memory: one process, one store. */
export function createMemoryCells(): Pick<SharedStore, 'swap' | 'read'> {
  const kept = new Map<string, string>();
  return {
    read: async (name) => kept.get(name),
    swap: async (swaps) =>
      swaps.map(({ name, known, next }) => {
        const found = kept.get(name);
        if (found !== undefined && found !== known) return found;
        kept.set(name, next);
        return undefined;
      }),
  };
}
