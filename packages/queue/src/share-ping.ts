/** How long an answer of the store counts, in milliseconds. */
const COUNTS_MS = 1000;

export interface SharedPing {
  ping(): Promise<void>;
  /** What the store answered before counts no more: something has failed since. */
  forget(): void;
}

/**
 * Makes one ping of many: those who ask while one is under way share it, and what it found counts for a second. Who
 * asks may be anybody, as often as he likes. A failure counts only for those who waited for it.
 */
export function sharePing(
  ping: () => Promise<void>,
  nowMs: () => number = () => performance.now(),
): SharedPing {
  let answeredMs = -Infinity;
  let underWay: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const beganMs = nowMs();
    try {
      await ping();
      answeredMs = beganMs;
    } finally {
      underWay = undefined;
    }
  }

  return {
    ping: () => {
      if (underWay === undefined && nowMs() - answeredMs < COUNTS_MS) return Promise.resolve();
      underWay ??= ask();
      return underWay;
    },
    forget: () => {
      answeredMs = -Infinity;
    },
  };
}
