import { explainEnd } from './attempt.ts';
import type { BringAboutRequest, BringAboutTools } from './bring-about.ts';
import type { Ending } from './ending.ts';

/** Nobody sends anything in this time: it only has to be longer than two steps of the store. */
const leaseMs = 15_000;

/** How an effect ends that was not tried now. */
interface UnclaimedEnd {
  readonly state: 'failed' | 'skipped';
  readonly cause: string;
  /** Nothing can have been sent by an earlier attempt: the effect sends nothing itself. */
  readonly isSilent?: boolean;
}

/**
 * Writes down that an effect is over although nothing was tried now: it failed before it came to the destination, or
 * there was nothing to send. Where an earlier attempt is unclear, a person has to settle it; where one is under way, or
 * has ended otherwise, that counts.
 */
export async function endUnclaimed(
  effectKey: string,
  { state, cause, isSilent = false }: UnclaimedEnd,
  request: BringAboutRequest,
  { ledger, clock }: Pick<BringAboutTools, 'ledger' | 'clock'>,
): Promise<Ending> {
  const { subject: _subject, ...alone } = request;
  const claim = await ledger.claim(effectKey, {
    ...alone,
    isTraceComplete: alone.isTraceComplete || isSilent,
    nowMs: clock(),
    leaseMs,
  });
  switch (claim.state) {
    case 'sent':
    case 'skipped':
    case 'failed':
    case 'parked':
      return explainEnd(claim);
    case 'busy': {
      const forMs = Math.max(claim.untilMs - clock(), 100);
      return { kind: 'wait', why: 'unclear', forMs, cause: 'an earlier attempt may still be under way' };
    }
    case 'claimed':
    case 'probe':
  }
  const settle = (settlement: Parameters<typeof ledger.settle>[2]): Promise<boolean> =>
    ledger.settle(effectKey, claim.fence, settlement, { nowMs: clock(), facts: request.facts });
  if (claim.state === 'probe' && claim.previous === undefined && !isSilent) {
    const unclear = `${cause}; whether an earlier attempt was sent is not known`;
    await settle({ state: 'parked', cause: unclear });
    return { kind: 'failed', cause: unclear };
  }
  await settle({ state, cause });
  return { kind: state, cause };
}
