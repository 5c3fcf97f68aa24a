/** How far this machine's clock is off the store's, which is the one that all workers share. */
export interface ClockSkew {
  /** Milliseconds to add to this clock; 0 while it is not known to differ. */
  skewMs(): number;
  /** Looks again when the last look is a minute old. Never rejects. */
  refresh(): Promise<void>;
}

const lookEveryMs = 60_000;
/** Less does no harm to a rate limit. */
const smallestSkewMs = 25;

/** `readStoreMs` and `clock` give milliseconds since 1970. */
export function createClockSkew(readStoreMs: () => Promise<number>, clock: () => number): ClockSkew {
  let skewMs = 0;
  let nextLookMs = Number.NEGATIVE_INFINITY;
  return {
    skewMs: () => skewMs,
    async refresh() {
      const askedMs = clock();
      if (askedMs < nextLookMs) return;
      nextLookMs = askedMs + lookEveryMs;
      try {
        const storeMs = await readStoreMs();
        const halfTripMs = (clock() - askedMs) / 2;
        const foundMs = Math.round(storeMs - askedMs - halfTripMs);
        // The answer can be wrong by half the way there and back.
        skewMs = Math.abs(foundMs) > halfTripMs + smallestSkewMs ? foundMs : 0;
      } catch {
        // The store is away; what was known is still the best that is known.
      }
    },
  };
}
