/** Upper bounds of the histogram of `aftermeet_delivery_seconds`; past the last one is +Inf. */
export const SECONDS_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The counts of one process since its start: plain JSON, so that it can cross to another process. */
export interface MeterReading {
  /** Answered deliveries by outcome: `accepted`, `duplicate`, or the reason of the refusal. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Deliveries whose id was used for another body before. */
  readonly conflicts: number;
  /** Refused verifications by cause. */
  readonly refusedCauses: Readonly<Record<string, number>>;
  readonly heldBytes: number;
  readonly connectionsDropped: number;
  /** Seconds until the answer: one count for each of `SECONDS_BOUNDS` and one for what took longer. */
  readonly seconds: { readonly counts: readonly number[]; readonly sum: number };
  readonly residentBytes: number;
  /** Unix time. */
  readonly startedAtSeconds: number;
}

/** Counts what a receiver does. Every method but `read` is some additions: it runs for each delivery. */
export interface DeliveryMeter {
  countAnswer(outcome: string, seconds: number): void;
  countConflict(): void;
  countRefusedCause(cause: string): void;
  countDroppedConnection(): void;
  /** Bytes more (or fewer) that bodies occupy. */
  addHeldBytes(bytes: number): void;
  read(): MeterReading;
}

export function createDeliveryMeter(): DeliveryMeter {
  const outcomes = new Map<string, number>();
  const refusedCauses = new Map<string, number>();
  const counts = Array.from({ length: SECONDS_BOUNDS.length + 1 }, () => 0);
  let sum = 0;
  let conflicts = 0;
  let heldBytes = 0;
  let connectionsDropped = 0;

  return {
    countAnswer(outcome, seconds) {
      increase(outcomes, outcome);
      sum += seconds;
      let slot = 0;
      while (slot < SECONDS_BOUNDS.length && seconds > (SECONDS_BOUNDS[slot] ?? 0)) slot += 1;
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    countConflict() {
      conflicts += 1;
    },
    countRefusedCause(cause) {
      increase(refusedCauses, cause);
    },
    countDroppedConnection() {
      connectionsDropped += 1;
    },
    addHeldBytes(bytes) {
      heldBytes += bytes;
    },
    read: () => ({
      outcomes: Object.fromEntries(outcomes),
      conflicts,
      refusedCauses: Object.fromEntries(refusedCauses),
      heldBytes,
      connectionsDropped,
      seconds: { counts: [...counts], sum },
      residentBytes: process.memoryUsage.rss(),
      startedAtSeconds: Math.round(performance.timeOrigin / 1000),
    }),
  };
}

function increase(counters: Map<string, number>, name: string): void {
  counters.set(name, (counters.get(name) ?? 0) + 1);
}
