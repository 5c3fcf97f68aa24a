import type { TakenJob } from '@aftermeet/queue';

import { deriveEffectKey } from './effect-key.ts';
import type { Ending } from './ending.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { RetryLimits } from './pace/retry-later.ts';

/** The first part may have to wait for as long as its destination is away. */
const limits: RetryLimits = {
  firstWaitMs: 1000,
  longestWaitMs: 60_000,
  patienceMs: 7 * 24 * 60 * 60 * 1000,
};

/**
 * What the first part of a later one became, or what becomes of this one without it. A part that is none of the later
 * ones has no parent.
 */
export async function findParent(
  { data }: Pick<TakenJob<'effect'>, 'data'>,
  { ledger, workspace, clock }: { ledger: Pick<Ledger, 'read'>; workspace: string; clock: () => number },
): Promise<{ readonly kind: 'parent'; readonly reference?: string } | Ending> {
  const { recipe, target, part, item, event } = data;
  if (part === 0) return { kind: 'parent' };
  const parentKey = deriveEffectKey({
    workspace,
    recipe,
    eventKind: event.kind,
    meetingId: event.meetingId,
    occurrence: event.occurrence,
    target,
    part: 0,
    ...(item === undefined ? {} : { item }),
  });
  const entry = await ledger.read(parentKey, clock());
  switch (entry?.state) {
    case 'sent':
      // Where a person has said that it was sent, nobody knows where it is.
      return entry.reference === undefined
        ? { kind: 'failed', cause: 'it is not known where the message is that it belongs to' }
        : { kind: 'parent', reference: entry.reference };
    case 'skipped':
      return { kind: 'skipped', cause: 'the message that it belongs to was not sent either' };
    case 'failed':
    case 'parked':
      return { kind: 'failed', cause: 'the message that it belongs to was not sent' };
    case 'pending':
    case 'sending':
    case 'unknown':
    case undefined:
    default: {
      const cause = 'the message that it belongs to is not sent yet';
      return { kind: 'retry', why: 'first_part', cause, limits };
    }
  }
}
