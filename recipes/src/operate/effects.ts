import type { StoredJob } from '@aftermeet/queue';

import {
  type EffectState,
  effectStates,
  type EntryPlace,
  type Ledger,
  type LedgerEntry,
  RECALLED,
} from '../engine/ledger/ledger.ts';
import { isExpansion } from '../engine/outcome.ts';
import { type Found, minPrefixLength } from './deliveries.ts';
import type { OperatorTools, PlanDelivery } from './operator-tools.ts';
import { describeQueued } from './waiting.ts';

/** States of the ledger that need attention: a person tries again, settles, approves or watches. */
export const attentionStates = [
  'failed',
  'parked',
  'unknown',
  'held',
] as const satisfies readonly EffectState[];

interface EffectSelection {
  readonly states: readonly EffectState[];
  readonly recipe?: string | undefined;
  readonly meetingId?: string | undefined;
  /** The first characters of the keys. */
  readonly keyPrefix?: string | undefined;
}

const PAGE = 500;

/** The store looks at so many, and answers with the few that are wanted. */
const SEARCHED_PAGE = 2000;

const maxNamed = 5;

/** The effects that the ledger knows, newest change first, page by page. */
export async function* listEffects(
  { states, recipe, meetingId, keyPrefix }: EffectSelection,
  ledger: Pick<Ledger, 'list'>,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const seen = new Set<string>();
  const limit = meetingId === undefined && keyPrefix === undefined ? PAGE : SEARCHED_PAGE;
  let after: EntryPlace | undefined;
  do {
    const page = await ledger.list({
      states,
      limit,
      meetingId,
      keyPrefix,
      ...(after === undefined ? {} : { after }),
    });
    for (const entry of page.entries) {
      // An entry that changes between two pages is listed in both.
      if (seen.has(entry.effectKey)) continue;
      seen.add(entry.effectKey);
      if (recipe === undefined || entry.recipe === recipe) yield entry;
    }
    after = page.next;
  } while (after !== undefined);
}

/** An effect that is named by a key. */
export interface NamedEffect extends LedgerEntry {
  /** Absent: the ledger knows it. `delivery`: the recipes plan it, and it was never queued. */
  readonly knownFrom?: 'queue' | 'delivery';
}

type FindTools = Pick<OperatorTools, 'ledger' | 'jobAdmin' | 'clock'> & {
  /** Absent: effects that were never queued are not found. */
  readonly plan?: PlanDelivery | undefined;
};

/**
 * Finds an effect by its key, or by the first characters of it (at least eight): in the ledger, in the queues, and among
 * what the recipes make of the stored deliveries.
 */
export async function findEffect(name: string, tools: FindTools): Promise<Found<NamedEffect>> {
  const { ledger, jobAdmin, clock } = tools;
  const exact = (await ledger.read(name, clock())) ?? (await findQueued(name, jobAdmin));
  if (exact !== undefined) return { kind: 'found', value: exact };
  if (name.length < minPrefixLength) return { kind: 'none' };
  const found = new Map<string, NamedEffect>();
  for await (const entry of listEffects({ states: effectStates, keyPrefix: name }, ledger)) {
    found.set(entry.effectKey, entry);
    if (found.size === maxNamed) break;
  }
  for (const job of await jobAdmin.findEffectsByPrefix(name, maxNamed)) {
    const queued = describeQueued(job);
    if (queued === undefined || found.has(queued.effectKey)) continue;
    found.set(queued.effectKey, { ...queued, knownFrom: 'queue' });
  }
  if (found.size === 0) await addPlanned(name, found, tools);
  const [value] = found.values();
  if (value === undefined) return { kind: 'none' };
  if (found.size === 1) return { kind: 'found', value };
  return { kind: 'several', ids: [...found.keys()].slice(0, maxNamed) };
}

async function findQueued(
  effectKey: string,
  jobAdmin: Pick<OperatorTools['jobAdmin'], 'findEffect' | 'listDestinations'>,
): Promise<NamedEffect | undefined> {
  for (const destination of await jobAdmin.listDestinations()) {
    const job = await jobAdmin.findEffect(destination, effectKey);
    const queued = job && describeQueued(job);
    if (queued !== undefined) return { ...queued, knownFrom: 'queue' };
  }
  return undefined;
}

/** The effects that `deliveries show` and a replay name, and that were never queued. */
async function addPlanned(
  name: string,
  found: Map<string, NamedEffect>,
  { jobAdmin, plan }: FindTools,
): Promise<void> {
  if (plan === undefined) return;
  for await (const { id, data, addedAtMs } of jobAdmin.listEvents()) {
    const planned = data && plan(data, id);
    for (const effect of planned?.ok === true ? planned.effects : []) {
      if (!effect.effectKey.startsWith(name)) continue;
      const entry = describeQueued({ id, data: effect, state: 'waiting', addedAtMs, startedTimes: 0 });
      if (entry !== undefined) found.set(effect.effectKey, { ...entry, knownFrom: 'delivery' });
    }
    if (found.has(name) || found.size >= maxNamed) return;
  }
}

/** The state of an effect, which decides what a replay does with it. */
export type EffectVerdict =
  /** Unchanged: it was sent, or there was nothing to send. */
  | 'sent'
  /** Unchanged: it was sent, and a person has taken it back. */
  | 'recalled'
  | 'skipped'
  /** Unchanged: it has planned others from the report. */
  | 'expanded'
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
      return isExpansion(entry.cause) ? 'expanded' : 'skipped';
    case 'sent':
      return entry.cause === RECALLED ? 'recalled' : 'sent';
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

/** What has ended has no job that matters: its verdict follows from its entry alone. */
export function isOver(entry: Pick<LedgerEntry, 'state'> | undefined): boolean {
  return entry !== undefined && OVER.has(entry.state);
}

const OVER: ReadonlySet<EffectState> = new Set(['sent', 'skipped', 'parked', 'held']);

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
