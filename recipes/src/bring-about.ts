import type { JobOutcome } from '@aftermeet/queue';
import type { Claim, ClaimRequest, Ledger, Settlement } from './ledger/ledger.ts';
import { growWait } from './read-digest.ts';
import { type NotSent, type SendResult, sendTimeoutMs, type Shipment } from './shipment.ts';

/** Longer than one call to a vendor: when a lease is over, its call is too. */
const leaseMs = 15_000;
/** A destination that leaves this many attempts open needs a person. */
const mostProbes = 10;

export type Ending =
  | Exclude<JobOutcome, { kind: 'done' }>
  /** `isNew` is false when an earlier attempt turned out to have sent it. */
  | { readonly kind: 'sent'; readonly reference: string; readonly isNew: boolean }
  | { readonly kind: 'retry'; readonly cause: string }
  | { readonly kind: 'limited'; readonly forMs: number; readonly cause: string };

export interface EffectTools {
  readonly ledger: Ledger;
  readonly clock: () => number;
}

type Held = Extract<Claim, { state: 'claimed' | 'probe' }>;

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
  const settle = (settlement: Settlement): Promise<boolean> =>
    ledger.settle(effectKey, claim.fence, settlement, clock());

  if (claim.state === 'probe') {
    const probe = await shipment.probe(claim.firstIntentAtMs);
    if (probe.result === 'found') {
      await settle({ state: 'sent', reference: probe.reference });
      return { kind: 'sent', reference: probe.reference, isNew: false };
    }
    if (probe.result !== 'absent') {
      await settle({ state: 'unknown', cause: probe.cause });
      const isHopeless = probe.result === 'impossible' || claim.probes >= mostProbes;
      return isHopeless ? { kind: 'failed', cause: probe.cause } : lookAgain(claim, probe.cause);
    }
  }
  // The vendor's call must fit into the lease, also after a slow store or a slow look.
  if (clock() - claimedAtMs > (leaseMs - sendTimeoutMs) / 2) {
    const startMs = clock();
    const isOurs = await ledger.renew(effectKey, claim.fence, startMs + leaseMs);
    if (!isOurs || clock() - startMs > (leaseMs - sendTimeoutMs) / 2) {
      return { kind: 'wait', forMs: leaseMs, cause: 'the store of the ledger is slow' };
    }
  }
  return await conclude(await shipment.send(), claim, settle);
}

async function conclude(
  sent: SendResult,
  claim: Held,
  settle: (settlement: Settlement) => Promise<boolean>,
): Promise<Ending> {
  if (sent.result === 'sent') {
    // A false answer means that another worker has taken over; it will find what we sent.
    const isSettled = await settle({ state: 'sent', reference: sent.reference });
    if (!isSettled) return { kind: 'wait', forMs: leaseMs, cause: 'another worker has taken over' };
    return { kind: 'sent', reference: sent.reference, isNew: true };
  }
  if (sent.result === 'unknown') {
    await settle({ state: 'unknown', cause: sent.cause });
    const isHopeless = claim.state === 'probe' && claim.probes >= mostProbes;
    if (!isHopeless) return lookAgain(claim, sent.cause);
    const cause = `${sent.cause}; after ${mostProbes} tries it is still not known whether it was sent`;
    return { kind: 'failed', cause };
  }
  await settle(sent.result === 'permanent' ? { state: 'failed', cause: sent.cause } : { state: 'pending' });
  return endUnsent(sent);
}

/** What becomes of an effect that was surely not sent. */
export function endUnsent(unsent: NotSent): Ending {
  const { result, cause } = unsent;
  if (result === 'rate_limited') return { kind: 'limited', forMs: unsent.retryAfterMs, cause };
  return { kind: result === 'permanent' ? 'failed' : 'retry', cause };
}

/** Not before the lease is over, and less and less often. */
function lookAgain(claim: Held, cause: string): Ending {
  const probes = claim.state === 'probe' ? claim.probes : 0;
  return { kind: 'wait', forMs: Math.max(leaseMs, growWait(probes)), cause };
}

function waitUntil(untilMs: number, clock: () => number, cause: string): Ending {
  return { kind: 'wait', forMs: Math.max(untilMs - clock(), 100), cause };
}
