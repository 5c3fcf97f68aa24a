import { type Attempt, endAs, endNotSent, endParked, endSent, explainEnd } from './attempt.ts';
import { changeSent } from './change-sent.ts';
import { concludeProbe, lookAgain, mostCutOff, mostUnconfirmed } from './conclude-probe.ts';
import type { Ending } from './ending.ts';
import type { ClaimRequest, Ledger } from './ledger/ledger.ts';
import type { DeliveryPolicy } from './pace/policy.ts';
import type { ProbeResult, Shipment } from './shipment.ts';

/** The vendor's call must begin within this after the claim, or the lease is renewed first. */
const slowStoreMs = 2500;
/** Whoever is at it may be done long before its lease is over. */
const longestBusyMs = 5000;

export interface BringAboutTools {
  readonly ledger: Ledger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly policy: DeliveryPolicy;
  /** How often in a row the destination had it and did not confirm it. Default 0. */
  readonly unconfirmedTimes?: number;
  /** Told of every look at the destination. */
  readonly onProbe?: (result: ProbeResult['result']) => void;
}

export type BringAboutRequest = Omit<ClaimRequest, 'nowMs' | 'leaseMs'>;

/**
 * Sends a shipment unless it was sent before: intent, then the look at the destination where an earlier attempt is
 * open, then the call, then its outcome. `probes` is how often it was looked for already in this start of the job.
 */
export async function bringAbout(
  effectKey: string,
  shipment: Shipment,
  request: BringAboutRequest,
  tools: BringAboutTools,
  probes = 0,
): Promise<Ending> {
  const { ledger, clock, policy } = tools;
  const claimedAtMs = clock();
  // While the lease runs nobody looks: the call must be over by then, and the destination must show what it took.
  const leaseMs = shipment.timeoutMs + policy.graceMs;
  const claim = await ledger.claim(effectKey, { ...request, nowMs: claimedAtMs, leaseMs });
  switch (claim.state) {
    case 'sent':
    case 'skipped':
    case 'failed':
    case 'parked':
      return explainEnd(claim);
    case 'busy':
      return waitWhileBusy(claim.untilMs - clock());
    case 'claimed':
    case 'probe':
  }
  const attempt: Attempt = {
    claim,
    leaseMs,
    probes: claim.state === 'probe' ? claim.probes : probes,
    settle: (settlement, isOurs = true) =>
      ledger.settle(effectKey, claim.fence, settlement, {
        nowMs: clock(),
        facts: request.facts,
        ...(request.subject === undefined || !isOurs ? {} : { subject: request.subject }),
      }),
  };

  // What goes beside an earlier one can arrive twice, as any first one can: it is not repeated as a change is.
  const previous = shipment.isSentAnew === true ? undefined : claim.previous;
  let isTraceable = true;
  if (claim.state === 'probe' && previous === undefined) {
    const probe = await shipment.probe(claim.firstIntentAtMs);
    tools.onProbe?.(probe.result);
    const ending = await concludeProbe(probe, shipment, attempt, policy);
    if (ending !== undefined) return ending;
    isTraceable = probe.result !== 'untraceable';
    if (isTraceable && request.subject !== undefined) {
      // It is not there. Another effect of the subject may have gone meanwhile: a fresh claim compares.
      if (!(await attempt.settle({ state: 'pending' }))) return waitWhileBusy(leaseMs);
      const again = { ...request, isTraceComplete: true };
      return await bringAbout(effectKey, shipment, again, tools, attempt.probes);
    }
  }
  if (clock() - claimedAtMs > slowStoreMs) {
    const ending = await renewLease(effectKey, attempt, tools);
    if (ending !== undefined) return ending;
  }
  if (previous !== undefined) return await changeSent(previous, shipment, attempt);
  return await send(shipment, attempt, tools, isTraceable);
}

async function send(
  shipment: Shipment,
  attempt: Attempt,
  { policy, unconfirmedTimes = 0 }: BringAboutTools,
  isTraceable: boolean,
): Promise<Ending> {
  const sent = await shipment.send();
  if (sent.result === 'sent') return await endSent(sent.reference, true, attempt);
  if (sent.result !== 'unknown') return await endNotSent(sent, attempt);
  const { cause } = sent;
  const mayGoOn = isTraceable
    ? attempt.probes < policy.mostProbes
    : unconfirmedTimes < mostUnconfirmed && attempt.probes < mostCutOff;
  if (mayGoOn) return await lookAgain(cause, attempt, policy, true);
  const advice = isTraceable
    ? `after ${policy.mostProbes} tries it is still not known whether it was sent`
    : 'it may have arrived, and is not sent once more';
  return await endParked(`${cause}; ${advice}`, attempt);
}

/** The vendor's call must fit into the lease, also after a slow store or a slow look. */
async function renewLease(
  effectKey: string,
  attempt: Attempt,
  { ledger, clock }: BringAboutTools,
): Promise<Ending | undefined> {
  const { claim, leaseMs } = attempt;
  const startMs = clock();
  const isOurs = await ledger.renew(effectKey, claim.fence, startMs + leaseMs);
  if (isOurs && clock() - startMs <= slowStoreMs) return undefined;
  // Nothing was sent by this attempt, so it does not count as one.
  const cause = 'nothing was sent: the store of the ledger is slow';
  const ending = { kind: 'wait', why: 'unclear', forMs: longestBusyMs, cause } as const;
  if (claim.state === 'claimed') return await endAs({ state: 'pending' }, ending, attempt);
  return await endAs({ state: 'unknown', cause, isProbeUsed: false }, ending, attempt);
}

function waitWhileBusy(leftMs: number): Ending {
  const forMs = Math.min(Math.max(leftMs, 100), longestBusyMs);
  return { kind: 'wait', why: 'unclear', forMs, cause: 'an earlier attempt may still be under way' };
}
