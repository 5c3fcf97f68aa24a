import type { JobOutcome } from '@aftermeet/queue';

import { clampWait } from './clamp-wait.ts';
import { growWait } from './grow-wait.ts';
import type { Claim, ClaimRequest, Ledger, Settlement } from './ledger/ledger.ts';
import type { Obstacle } from './retry-later.ts';
import type { NotSent, ProbeResult, SendResult, Shipment } from './shipment.ts';

/** A lease outlives its call to the vendor by this: when the lease is over, the call is too. */
const leaseReserveMs = 5000;
/** A destination that leaves this many attempts open needs a person. */
const mostProbes = 10;
/** Where nobody can be asked, each repetition can be one too many: one is better than a lost mail. */
const mostRepetitions = 1;

export type Ending =
  | Exclude<JobOutcome, { kind: 'done' }>
  /** `isNew` is false when an earlier attempt turned out to have sent it. */
  | { readonly kind: 'sent'; readonly reference: string; readonly isNew: boolean }
  | ({ readonly kind: 'retry' } & Obstacle)
  | { readonly kind: 'limited'; readonly forMs: number; readonly cause: string };

export interface EffectTools {
  readonly ledger: Ledger;
  readonly clock: () => number;
}

type Held = Extract<Claim, { state: 'claimed' | 'probe' }>;
type Settle = (settlement: Settlement) => Promise<boolean>;

/**
 * Sends a shipment unless it was sent before: intent, then the look at the destination where an
 * earlier attempt is open, then the call, then its outcome.
 */
export async function bringAbout(
  effectKey: string,
  shipment: Shipment,
  request: Omit<ClaimRequest, 'nowMs' | 'leaseMs'>,
  { ledger, clock }: EffectTools,
): Promise<Ending> {
  const claimedAtMs = clock();
  const leaseMs = shipment.timeoutMs + leaseReserveMs;
  const claim = await ledger.claim(effectKey, { ...request, nowMs: claimedAtMs, leaseMs });
  switch (claim.state) {
    case 'sent':
      return { kind: 'sent', reference: claim.reference, isNew: false };
    case 'failed':
      return { kind: 'failed', cause: claim.cause };
    case 'busy':
      return waitUntil(claim.untilMs, clock, 'an earlier attempt may still be under way');
    case 'claimed':
    case 'probe':
  }
  const settle: Settle = (settlement) =>
    ledger.settle(effectKey, claim.fence, settlement, clock(), request.facts);

  let isTraceable = true;
  if (claim.state === 'probe') {
    const probe = await shipment.probe(claim.firstIntentAtMs);
    const ending = await concludeProbe(probe, claim, leaseMs, settle);
    if (ending !== undefined) return ending;
    isTraceable = probe.result !== 'untraceable';
  }
  // The vendor's call must fit into the lease, also after a slow store or a slow look.
  if (clock() - claimedAtMs > leaseReserveMs / 2) {
    const startMs = clock();
    const isOurs = await ledger.renew(effectKey, claim.fence, startMs + leaseMs);
    if (!isOurs || clock() - startMs > leaseReserveMs / 2) {
      // Nothing was sent by this attempt, so it does not count as one.
      const cause = 'nothing was sent: the store of the ledger is slow';
      await settle(
        claim.state === 'claimed' ? { state: 'pending' } : { state: 'unknown', cause, isProbeUsed: false },
      );
      return { kind: 'wait', forMs: leaseMs, cause };
    }
  }
  const sent = await shipment.send();
  if (sent.result !== 'unknown') return await conclude(sent, leaseMs, settle);
  await settle({ state: 'unknown', cause: sent.cause });
  const triesLeft = (isTraceable ? mostProbes : mostRepetitions) - countProbes(claim);
  if (triesLeft > 0) return lookAgain(claim, leaseMs, sent.cause);
  const advice = isTraceable
    ? `after ${mostProbes} tries it is still not known whether it was sent`
    : 'it was sent again once, may have arrived, and is not sent a third time';
  return { kind: 'failed', cause: `${sent.cause}; ${advice}` };
}

/** What the look at the destination settles; nothing when the shipment is to be sent now. */
async function concludeProbe(
  probe: ProbeResult,
  claim: Held,
  leaseMs: number,
  settle: Settle,
): Promise<Ending | undefined> {
  switch (probe.result) {
    case 'absent':
      return undefined;
    case 'untraceable': {
      if (countProbes(claim) <= mostRepetitions) return undefined;
      const cause = 'two attempts were cut off; it may have arrived, and is not sent a third time';
      await settle({ state: 'unknown', cause });
      return { kind: 'failed', cause };
    }
    case 'found':
      await settle({ state: 'sent', reference: probe.reference });
      return { kind: 'sent', reference: probe.reference, isNew: false };
    case 'rate_limited':
      await settle({ state: 'unknown', cause: probe.cause, isProbeUsed: false });
      return { kind: 'limited', forMs: clampWait(probe.retryAfterMs), cause: probe.cause };
    case 'not_asked':
      await settle({ state: 'unknown', cause: probe.cause, isProbeUsed: false });
      return { kind: 'retry', cause: probe.cause };
    case 'unsure':
    case 'impossible':
    default: {
      await settle({ state: 'unknown', cause: probe.cause });
      const isHopeless = probe.result === 'impossible' || countProbes(claim) >= mostProbes;
      return isHopeless ? { kind: 'failed', cause: probe.cause } : lookAgain(claim, leaseMs, probe.cause);
    }
  }
}

async function conclude(
  sent: Exclude<SendResult, { result: 'unknown' }>,
  leaseMs: number,
  settle: Settle,
): Promise<Ending> {
  if (sent.result === 'sent') {
    // A false answer means that another worker has taken over; it will find what we sent.
    const isSettled = await settle({ state: 'sent', reference: sent.reference });
    if (!isSettled) return { kind: 'wait', forMs: leaseMs, cause: 'another worker has taken over' };
    return { kind: 'sent', reference: sent.reference, isNew: true };
  }
  await settle(sent.result === 'permanent' ? { state: 'failed', cause: sent.cause } : { state: 'pending' });
  return endUnsent(sent);
}

/** What becomes of an effect that was surely not sent. */
export function endUnsent(unsent: NotSent): Ending {
  const { result, cause } = unsent;
  if (result === 'rate_limited') return { kind: 'limited', forMs: clampWait(unsent.retryAfterMs), cause };
  return { kind: result === 'permanent' ? 'failed' : 'retry', cause };
}

function countProbes(claim: Held): number {
  return claim.state === 'probe' ? claim.probes : 0;
}

/** Not before the lease is over, and less and less often. */
function lookAgain(claim: Held, leaseMs: number, cause: string): Ending {
  return { kind: 'wait', forMs: Math.max(leaseMs, growWait(countProbes(claim))), cause };
}

function waitUntil(untilMs: number, clock: () => number, cause: string): Ending {
  return { kind: 'wait', forMs: Math.max(untilMs - clock(), 100), cause };
}
