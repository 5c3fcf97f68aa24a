import type { Outcome, RefusalKind } from './outcome.ts';

/** Refusals of one cause at one endpoint. Milliseconds since 1970. */
export interface RefusedDeliveries {
  /** Of unknown addresses, the newest one. */
  readonly endpoint: string;
  readonly kind: RefusalKind;
  readonly cause: string;
  readonly times: number;
  readonly lastMs: number;
}

/** Deliveries of one endpoint that were answered with 200. */
interface StoredDeliveries {
  readonly endpoint: string;
  readonly accepted: number;
  /** Came again. */
  readonly duplicate: number;
}

/** What this process has answered since it started. */
export interface DeliveryCounts {
  readonly sinceMs: number;
  readonly stored: readonly StoredDeliveries[];
  /** The newest first. */
  readonly refused: readonly RefusedDeliveries[];
}

/** Counts answers for the console: a delivery that is refused leaves nothing in the store. */
export interface DeliveryTally {
  note(outcome: Outcome, endpoint?: string): void;
  read(): DeliveryCounts;
}

/** Causes are ours, and so are endpoints but for the one unknown name that is kept: a sender cannot fill this. */
const MAX_CAUSES = 200;

export function createDeliveryTally(nowMs: () => number): DeliveryTally {
  const sinceMs = nowMs();
  const stored = new Map<string, StoredDeliveries>();
  const refused = new Map<string, RefusedDeliveries>();
  return {
    note(outcome, endpoint = '') {
      if ('id' in outcome) {
        const known = stored.get(endpoint) ?? { endpoint, accepted: 0, duplicate: 0 };
        stored.set(endpoint, { ...known, [outcome.kind]: known[outcome.kind] + 1 });
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
      stored: [...stored.values()],
      refused: [...refused.values()].toSorted((one, other) => other.lastMs - one.lastMs),
    }),
  };
}
