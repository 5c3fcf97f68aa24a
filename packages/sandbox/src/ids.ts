import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { createCell, type Store } from './store.ts';

/** Numbers from 0 to 1 (excluded), the same for the same seed: a linear congruential generator (Numerical Recipes), 32 bits of state. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes UUIDs (version 4): random ones, or the same sequence for the same seed, which goes on after a restart. */
export function createIdMaker(store: Store, seed?: number): () => string {
  if (seed === undefined) return randomUUID;
  const random = createSeededRandom(seed);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const makeNext = (): string => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
  const made = createCell(store, 'ids', z.int().min(0), 0);
  for (let number = 0; number < made.get(); number += 1) makeNext();
  return () => {
    made.set(made.get() + 1);
    return makeNext();
  };
}
