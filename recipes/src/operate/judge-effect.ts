import type { StoredJob } from '@aftermeet/queue';

import { isSpread } from '../describe-spread.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';

/** Where an effect stands, and so what a replay does with it. */
export type EffectVerdict =
  /** Left alone: it was sent, or there was nothing to send. */
  | 'sent'
  | 'skipped'
  /** Left alone: it has planned others from the report. */
  | 'spread'
  /** Left alone: it comes by itself. */
  | 'under_way'
  | 'waiting'
  /** Left alone: a person settles it. */
  | 'parked'
  /** Left alone: its job has ended well, and the ledger does not know it any more. */
  | 'ended'
  /** Tried again. */
  | 'failed'
  /** Tried again: nothing was sent, or nobody knows, and no job goes on with it. */
  | 'stranded'
  /** Queued: nobody has heard of it. */
  | 'new';

/** Judges an effect by what the ledger knows and what became of its job. Pure. */
export function judgeEffect(
  entry: Pick<LedgerEntry, 'state' | 'cause'> | undefined,
  job: Pick<StoredJob<'effect'>, 'state'> | undefined,
): EffectVerdict {
  switch (entry?.state) {
    case 'skipped':
      return isSpread(entry.cause) ? 'spread' : 'skipped';
    case 'sent':
    case 'parked':
      return entry.state;
    case 'failed':
      return judgeJob(job) ?? 'failed';
    case 'pending':
    case 'sending':
    case 'unknown':
      return judgeJob(job) ?? 'stranded';
    case undefined:
    default:
      if (job?.state === 'completed') return 'ended';
      return judgeJob(job) ?? (job === undefined ? 'new' : 'failed');
  }
}

/** Whether a replay makes it be tried, again or for the first time. */
export function isTriedBy(verdict: EffectVerdict): boolean {
  return verdict === 'failed' || verdict === 'stranded' || verdict === 'new';
}

/** What a job that still goes on says; nothing when it has ended or is gone. */
function judgeJob(job: Pick<StoredJob<'effect'>, 'state'> | undefined): 'under_way' | 'waiting' | undefined {
  if (job?.state === 'active') return 'under_way';
  return job?.state === 'waiting' || job?.state === 'delayed' ? 'waiting' : undefined;
}
