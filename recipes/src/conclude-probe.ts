import { type Attempt, endAs, endParked, endSent } from './attempt.ts';
import type { Ending } from './ending.ts';
import { clampWait } from './pace/clamp-wait.ts';
import type { DeliveryPolicy } from './pace/policy.ts';
import type { ProbeResult } from './shipment.ts';

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
