import type { StoredJob } from '@aftermeet/queue';

import {
  type EffectState,
  effectStates,
  type EntryPlace,
  type Ledger,
  type LedgerEntry,
} from '../engine/ledger/ledger.ts';
import { isExpansion } from '../engine/outcome.ts';
import { type Found, minPrefixLength } from './deliveries.ts';

/** States that need attention. */
export const attentionStates = ['failed', 'parked', 'unknown'] as const satisfies readonly EffectState[];

interface EffectSelection {
  readonly states: readonly EffectState[];
  readonly recipe?: string;
  readonly meetingId?: string;
}

const pageSize = 500;

const maxNamed = 5;

/** The effects that the ledger knows, newest change first, page by page. */
export async function* listEffects(
  { states, recipe, meetingId }: EffectSelection,
  ledger: Pick<Ledger, 'list'>,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const seen = new Set<string>();
  let after: EntryPlace | undefined;
  do {
    const page = await ledger.list({ states, limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const entry of page.entries) {
      // An entry that changes between two pages is listed in both.
      if (seen.has(entry.effectKey)) continue;
      seen.add(entry.effectKey);
      const isWanted =
        (recipe === undefined || entry.recipe === recipe) &&
        (meetingId === undefined || entry.meetingId === meetingId);
      if (isWanted) yield entry;
    }
    after = page.next;
  } while (after !== undefined);
}

/** Finds an effect by its key, or by the first characters of it (at least eight). */
export async function findEffect(
  name: string,
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'list' | 'read'>; readonly clock: () => number },
): Promise<Found<LedgerEntry>> {
  const exact = await ledger.read(name, clock());
  if (exact !== undefined) return { kind: 'found', value: exact };
  if (name.length < minPrefixLength) return { kind: 'none' };
  const found: LedgerEntry[] = [];
  for await (const entry of listEffects({ states: effectStates }, ledger)) {
    if (!entry.effectKey.startsWith(name)) continue;
    found.push(entry);
    if (found.length === maxNamed) break;
  }
  const [value] = found;
  if (value === undefined) return { kind: 'none' };
  if (found.length === 1) return { kind: 'found', value };
  return { kind: 'several', ids: found.map(({ effectKey }) => effectKey) };
}

/** The state of an effect, which decides what a replay does with it. */
export type EffectVerdict =
  /** Unchanged: it was sent, or there was nothing to send. */
  | 'sent'
  | 'skipped'
  /** Unchanged: it has planned others from the report. */
  | 'spread'
  /** Unchanged: a worker has it, or will take it. */
  | 'under_way'
  | 'waiting'
  /** Unchanged: a person settles it. */
  | 'parked'
  /** Unchanged: a person approves it. */
  | 'held'
  /** Unchanged: its job completed, and its ledger entry has expired. */
  | 'ended'
  /** Retried. */
  | 'failed'
  /** Retried: it was not sent or the outcome is unknown, and it has no active job. */
  | 'stranded'
  /** Queued: it has no ledger entry and no job. */
  | 'new';

/** Classifies an effect by its ledger entry and its job. Pure. */
export function explainEffect(
  entry: Pick<LedgerEntry, 'state' | 'cause'> | undefined,
  job: Pick<StoredJob<'effect'>, 'state'> | undefined,
): EffectVerdict {
  switch (entry?.state) {
    case 'skipped':
      return isExpansion(entry.cause) ? 'spread' : 'skipped';
    case 'sent':
    case 'parked':
    case 'held':
      return entry.state;
    case 'failed':
      return classifyJob(job) ?? 'failed';
    case 'pending':
    case 'sending':
    case 'unknown':
      return classifyJob(job) ?? 'stranded';
    case undefined:
    default:
      if (job?.state === 'completed') return 'ended';
      return classifyJob(job) ?? (job === undefined ? 'new' : 'failed');
  }
}

/** Whether a replay tries the effect, again or for the first time. */
export function isTriedBy(verdict: EffectVerdict): boolean {
  return verdict === 'failed' || verdict === 'stranded' || verdict === 'new';
}

/** The verdict of a job that is not finished; undefined if it is finished or removed. */
function classifyJob(
  job: Pick<StoredJob<'effect'>, 'state'> | undefined,
): 'under_way' | 'waiting' | undefined {
  if (job?.state === 'active') return 'under_way';
  return job?.state === 'waiting' || job?.state === 'delayed' ? 'waiting' : undefined;
}
