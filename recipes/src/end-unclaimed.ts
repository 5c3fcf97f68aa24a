import { explainEnd } from './attempt.ts';
import type { BringAboutRequest, BringAboutTools } from './bring-about.ts';
import type { Ending } from './ending.ts';

/** Nobody sends anything in this time: it only has to be longer than two steps of the store. */
const leaseMs = 15_000;

/**
 * Writes down that an effect is over although nothing was tried now: it failed before it came to the destination, or
 * there was nothing to send. Where an earlier attempt is unclear, a person has to settle it; where one is under way, or
 * has ended otherwise, that counts.
 */
export async function endUnclaimed(
  effectKey: string,
  { state, cause }: { readonly state: 'failed' | 'skipped'; readonly cause: string },
  request: BringAboutRequest,
  { ledger, clock }: Pick<BringAboutTools, 'ledger' | 'clock'>,
): Promise<Ending> {
  const { subject: _subject, ...alone } = request;
  const claim = await ledger.claim(effectKey, { ...alone, nowMs: clock(), leaseMs });
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
  if (claim.state === 'probe' && claim.previous === undefined) {
    const unclear = `${cause}; whether an earlier attempt was sent is not known`;
    await settle({ state: 'parked', cause: unclear });
    return { kind: 'failed', cause: unclear };
  }
  await settle({ state, cause });
  return { kind: state, cause };
}
