import type { Outcome, RefusalKind } from './outcome.ts';

/** Refusals of one cause at one endpoint. Milliseconds since 1970. */
export interface RefusedDeliveries {
  /** Of unknown addresses, the newest one. */
  readonly endpoint: string | undefined;
  readonly kind: RefusalKind;
  readonly cause: string;
  readonly times: number;
  readonly lastMs: number;
}

/** What this process has answered since it started. */
export interface DeliveryCounts {
  readonly sinceMs: number;
  readonly accepted: number;
  readonly duplicate: number;
  /** The newest first. */
  readonly refused: readonly RefusedDeliveries[];
}

/** Counts answers for the console: a delivery that is refused leaves nothing in the store. */
export interface DeliveryTally {
  note(outcome: Outcome, endpoint: string | undefined): void;
  read(): DeliveryCounts;
}

/** Endpoints and causes are ours, so a sender cannot fill this. */
const MAX_CAUSES = 200;

export function createDeliveryTally(nowMs: () => number): DeliveryTally {
  const sinceMs = nowMs();
  const counts = { accepted: 0, duplicate: 0 };
  const refused = new Map<string, RefusedDeliveries>();
  return {
    note(outcome, endpoint) {
      if ('id' in outcome) {
        counts[outcome.kind] += 1;
        return;
      }
      const { kind, cause } = outcome;
      const isKnown = kind !== 'unknown_endpoint' && kind !== 'too_many';
      const key = isKnown ? `${kind} ${endpoint} ${cause}` : kind;
      const times = (refused.get(key)?.times ?? 0) + 1;
      if (times === 1 && refused.size >= MAX_CAUSES) return;
      refused.set(key, { endpoint, kind, cause, times, lastMs: nowMs() });
    },
    read: () => ({
      sinceMs,
      ...counts,
      refused: [...refused.values()].toSorted((one, other) => other.lastMs - one.lastMs),
    }),
  };
}
