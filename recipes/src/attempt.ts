import type { Ending } from './ending.ts';
import type { Claim, Settlement } from './ledger/ledger.ts';
import type { NotSent } from './shipment.ts';

/** One attempt that holds its effect. */
export interface Attempt {
  readonly claim: Extract<Claim, { state: 'claimed' | 'probe' }>;
  readonly leaseMs: number;
  /** How often the effect was looked for before, this attempt included. */
  readonly probes: number;
  /** False when somebody else has taken over. `isOurs` (true by default): what was sent is this attempt's content. */
  readonly settle: (settlement: Settlement, isOurs?: boolean) => Promise<boolean>;
}

/** What an effect that has ended before says to whoever wants to bring it about. */
export function explainEnd(end: Exclude<Claim, { state: 'claimed' | 'probe' | 'busy' }>): Ending {
  if (end.state === 'sent') return { kind: 'sent', reference: end.reference, isNew: false };
  return { kind: end.state === 'skipped' ? 'skipped' : 'failed', cause: end.cause };
}

/** Writes down what came of an attempt, and says it. Where another worker has taken over, that one finds out. */
export async function endAs(
  settlement: Settlement,
  ending: Ending,
  { leaseMs, settle }: Pick<Attempt, 'leaseMs' | 'settle'>,
  isOurs = true,
): Promise<Ending> {
  if (await settle(settlement, isOurs)) return ending;
  return { kind: 'wait', why: 'unclear', forMs: leaseMs, cause: 'another worker has taken over' };
}

export function endSent(reference: string, isNew: boolean, attempt: Attempt): Promise<Ending> {
  // What an earlier attempt sent may have been other content.
  return endAs({ state: 'sent', reference }, { kind: 'sent', reference, isNew }, attempt, isNew);
}

/** Nobody could find out whether it was sent: a person has to. */
export function endParked(cause: string, attempt: Attempt): Promise<Ending> {
  return endAs({ state: 'parked', cause }, { kind: 'failed', cause }, attempt);
}

/** It was surely not sent by this attempt. */
export function endNotSent(unsent: NotSent, attempt: Attempt): Promise<Ending> {
  const { result, cause } = unsent;
  const settlement =
    result === 'permanent' ? ({ state: 'failed', cause } as const) : ({ state: 'pending' } as const);
  return endAs(settlement, explainNotSent(unsent), attempt);
}

/** What becomes of an effect that was surely not sent. */
export function explainNotSent(unsent: NotSent): Ending {
  const { result, cause } = unsent;
  if (result === 'rate_limited') return { kind: 'limited', forMs: unsent.retryAfterMs, cause };
  if (result === 'permanent') return { kind: 'failed', cause };
  return { kind: 'retry', why: 'destination', cause };
}
