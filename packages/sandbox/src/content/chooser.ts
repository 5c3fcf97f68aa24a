/** Returns a whole number from 0, below `count`. */
export type Chooser = (count: number) => number;

/**
 * Makes the same choices for the same seed, in every release. Seeds that differ in one character differ from the first
 * choice on: FNV-1a turns the seed into a number, mulberry32 draws from it.
 */
export function createChooser(seed: string): Chooser {
  let state = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01_00_01_93);
  return (count) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
}

/** Returns the items in another order. */
export function shuffle<T>(items: readonly T[], choose: Chooser): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(choose(left.length), 1));
}
