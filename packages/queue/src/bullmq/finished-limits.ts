/** How long finished jobs of a queue are kept, and how many. */
export interface FinishedLimits {
  readonly completed: FinishedLimit;
  readonly failed: FinishedLimit;
}

interface FinishedLimit {
  readonly ageSeconds: number;
  readonly count: number;
}

const daySeconds = 24 * 3600;

/** Failed ones as long as the ledger keeps a failed effect, so that who finds one there can repeat its job. */
export const finishedLimits: FinishedLimits = {
  completed: { ageSeconds: 7 * daySeconds, count: 100_000 },
  failed: { ageSeconds: 30 * daySeconds, count: 100_000 },
};
