import { randomUUID } from 'node:crypto';

/** Makes UUIDs (version 4): real ones, or the same sequence for the same seed. */
export function createIdMaker(seed?: number): () => string {
  if (seed === undefined) return randomUUID;
  const random = createSeededRandom(seed);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  return () => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}

/** A linear congruential generator (Numerical Recipes' constants): even enough for ids, 32 bits of state. */
function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
