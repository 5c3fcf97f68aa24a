import { randomUUID } from 'node:crypto';

/** Numbers from 0 to 1 (excluded), the same for the same seed: a linear congruential generator (Numerical Recipes), 32 bits of state. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes UUIDs (version 4): random ones, or the same sequence for the same seed. */
export function createIdMaker(seed?: number): () => string {
  if (seed === undefined) return randomUUID;
  const random = createSeededRandom(seed);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  return () => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}
