import { type Attempt, endAs, endParked, endSent, explainNotSent } from './attempt.ts';
import type { Ending } from './ending.ts';
import { clampWait } from './pace/clamp-wait.ts';
import type { DeliveryPolicy } from './pace/policy.ts';
import type { ProbeResult, Shipment } from './shipment.ts';

/**
 * Where nobody can be asked, each repetition can be one too many, though it can be recognised. What the destination had
 * and did not confirm goes once more: it would not confirm a third one either. An attempt that was cut off on our side
 * has most likely sent nothing.
 */
export const mostUnconfirmed = 1;
export const mostCutOff = 5;

const longestLookMs = 5 * 60 * 1000;

/** What the look at the destination settles; nothing when the shipment is to be sent now. */
export async function concludeProbe(
  probe: ProbeResult,
  shipment: Shipment,
  attempt: Attempt,
  policy: DeliveryPolicy,
): Promise<Ending | undefined> {
  switch (probe.result) {
    case 'absent':
      return undefined;
    case 'untraceable': {
      const mayRepeat = policy.whenUntraceable === 'resend' && attempt.probes <= mostCutOff;
      if (mayRepeat) return undefined;
      return await endParked(
        'an attempt was cut off; it may have arrived, and is not sent once more',
        attempt,
      );
    }
    case 'begun':
      return await finishBegun(probe.reference, shipment, attempt, policy);
    case 'found':
      return await endSent(probe.reference, false, attempt);
    case 'rate_limited': {
      const { cause } = probe;
      // The limit of looking is none of sending.
      const forMs = clampWait(probe.retryAfterMs);
      const ending = { kind: 'wait', why: 'limited', forMs, cause } as const;
      return await endAs({ state: 'unknown', cause, isProbeUsed: false }, ending, attempt);
    }
    case 'not_asked': {
      const { cause } = probe;
      const ending = { kind: 'retry', why: 'destination', cause } as const;
      return await endAs({ state: 'unknown', cause, isProbeUsed: false }, ending, attempt);
    }
    case 'unsure':
    case 'impossible':
    default: {
      const { cause } = probe;
      const isHopeless = probe.result === 'impossible' || attempt.probes >= policy.mostProbes;
      if (isHopeless) return await endParked(cause, attempt);
      return await lookAgain(cause, attempt, policy);
    }
  }
}

/**
 * Writes to its end what an earlier attempt left half done. Until that has worked it stays unknown: the next start finds
 * it again, and never makes a second one.
 */
async function finishBegun(
  reference: string,
  shipment: Shipment,
  attempt: Attempt,
  policy: DeliveryPolicy,
): Promise<Ending> {
  const cause = 'what was begun can not be finished';
  const finished = await (shipment.finish?.(reference) ?? shipment.update?.(reference));
  if (finished === undefined) return await endParked(cause, attempt);
  switch (finished.result) {
    case 'sent':
      return await endSent(finished.reference, true, attempt);
    case 'gone':
      return await endParked(finished.cause, attempt);
    case 'permanent':
      return await endParked(`${finished.cause}; ${cause}`, attempt);
    case 'rate_limited':
    case 'not_sent_retry': {
      const settlement = { state: 'unknown', cause: finished.cause, isProbeUsed: false } as const;
      return await endAs(settlement, explainNotSent(finished), attempt);
    }
    case 'unknown':
    default:
      if (attempt.probes >= policy.mostProbes) return await endParked(finished.cause, attempt);
      return await lookAgain(finished.cause, attempt, policy);
  }
}

/** It is not known what became of it. Not before the lease is over, and less and less often. */
export function lookAgain(
  cause: string,
  { leaseMs, probes, settle }: Attempt,
  { firstWaitMs }: DeliveryPolicy,
  isUnconfirmed = false,
): Promise<Ending> {
  const forMs = Math.max(leaseMs, Math.min(firstWaitMs * 2 ** probes, longestLookMs));
  const ending = { kind: 'wait', why: 'unclear', forMs, cause, isUnconfirmed } as const;
  return endAs({ state: 'unknown', cause }, ending, { leaseMs, settle });
}
