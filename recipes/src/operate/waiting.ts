import { type StoredJob, type UnfinishedState } from '@aftermeet/queue';

import type { EffectState, LedgerEntry } from '../engine/ledger/ledger.ts';
import { toSendRequest } from '../engine/record-outcome.ts';
import type { OperatorTools } from './operator-tools.ts';

/** Why an effect waits, and for how long. */
export interface Wait {
  /** The worker's word for it, or `queued`, `slot`, `error`, `under_way`. */
  readonly why: string;
  /** For people, without addresses. */
  readonly cause: string;
  /** Milliseconds since 1970; absent: as soon as a worker takes it. */
  readonly nextTryMs?: number;
}

/** Why a job waits; undefined if it is finished. Pure. */
export function explainWait({
  state,
  data,
  startedTimes,
  dueAtMs,
}: Pick<StoredJob<'effect'>, 'state' | 'data' | 'startedTimes' | 'dueAtMs'>): Wait | undefined {
  if (state === 'active') return { why: 'under_way', cause: 'a worker has it now' };
  if (state !== 'delayed' && state !== 'waiting') return undefined;
  const next = dueAtMs === undefined ? {} : { nextTryMs: dueAtMs };
  const last = data?.lastWait;
  if (last?.start === startedTimes) return { why: last.why, cause: last.cause, ...next };
  if (startedTimes > 0) {
    return {
      why: 'error',
      cause: 'its last try ended with an unexpected error: see the log of the worker',
      ...next,
    };
  }
  return state === 'delayed'
    ? { why: 'slot', cause: 'the rate limit of its destination: others go first', ...next }
    : { why: 'queued', cause: 'no worker has taken it yet', ...next };
}

/** Whether a person has to act before the effect can be sent. */
export function needsPerson({ why }: Wait): boolean {
  return why === 'key_refused' || why === 'destination_paused';
}

/** What the ledger would say of a queued effect that it does not know yet; undefined if its job cannot be read. */
export function describeQueued({
  data,
  state,
  addedAtMs,
  startedTimes,
  cause,
}: StoredJob<'effect'>): LedgerEntry | undefined {
  if (data === undefined) return undefined;
  const { facts } = toSendRequest({ data, startedTimes });
  const counts = { attempts: 0, probes: 0, firstIntentAtMs: 0, changedAtMs: addedAtMs };
  const entry = { effectKey: data.effectKey, ...facts, ...counts };
  if (state === 'failed') return { ...entry, state: 'failed', ...(cause === undefined ? {} : { cause }) };
  if (state === 'completed')
    return { ...entry, state: 'sent', cause: 'it ended, and what came of it is forgotten' };
  return { ...entry, state: 'pending' };
}

/** An effect that waits in its queue, as the ledger knows it or as its job describes it. */
export interface WaitingEffect {
  readonly entry: LedgerEntry;
  readonly wait: Wait;
}

interface WaitingSelection {
  readonly recipe?: string | undefined;
  readonly meetingId?: string | undefined;
  readonly limit: number;
}

export interface WaitingList {
  /** What needs a person first, then what has met something other than a rate limit, then by the next try. */
  readonly effects: readonly WaitingEffect[];
  /** How many wait; those that were not looked at are counted as they stand in the queue. */
  readonly total: number;
  /** Some of them wait because the service refuses the API key. */
  readonly isKeyRefused: boolean;
  readonly paused: readonly PausedDestination[];
}

/** A destination that refuses our token or login, in its own words. */
export interface PausedDestination {
  readonly destination: string;
  readonly cause: string;
}

/** Destinations that effects wait for because they refuse our token or login, each once. */
export function listPausedDestinations(
  waiting: readonly { readonly entry: Pick<LedgerEntry, 'destination'>; readonly wait?: Wait | undefined }[],
): readonly PausedDestination[] {
  const causes = new Map<string, string>();
  for (const { entry, wait } of waiting) {
    if (wait?.why === 'destination_paused') causes.set(entry.destination, wait.cause);
  }
  return [...causes].map(([destination, cause]) => ({ destination, cause }));
}

/** Without a selection so many jobs of each state and destination are looked at: a backlog is counted, not read. */
const MAX_EXAMINED = 500;

/** Entries of the ledger that are read at once. */
const PAGE = 50;

const UNFINISHED_STATES = ['active', 'delayed', 'waiting'] as const satisfies readonly UnfinishedState[];

/** The ledger lists these, or their jobs have nothing left to do. */
const ENDED: ReadonlySet<EffectState> = new Set(['sent', 'skipped', 'failed', 'parked', 'held', 'unknown']);

/** The effects that wait in their queues, whether the ledger knows them or not. */
export async function listWaiting(
  selection: WaitingSelection,
  tools: Pick<OperatorTools, 'jobAdmin' | 'queue' | 'ledger' | 'isKeyRefused' | 'clock'>,
): Promise<WaitingList> {
  const found: Candidate[] = [];
  let total = 0;
  let isPartial = false;
  for (const destination of await tools.jobAdmin.listDestinations()) {
    const examined = await examineQueue(destination, selection, tools);
    found.push(...examined.found);
    total += examined.total;
    isPartial ||= examined.isPartial;
  }
  const effects: WaitingEffect[] = [];
  const ordered = found.toSorted(compareCandidates);
  let at = 0;
  for (; at < ordered.length && effects.length < selection.limit; at += PAGE) {
    const page = ordered.slice(at, at + PAGE);
    const entries = await Promise.all(
      page.map(({ queued }) => tools.ledger.read(queued.effectKey, tools.clock())),
    );
    for (const [index, { queued, wait }] of page.entries()) {
      const entry = entries[index] ?? queued;
      if (ENDED.has(entry.state)) total -= 1;
      else effects.push({ entry, wait });
    }
  }
  // Those that were not looked at may be the ones: the workers have noted it.
  const isKeyRefused =
    found.some(({ wait }) => wait.why === 'key_refused') || (isPartial && (await tools.isKeyRefused()));
  return {
    effects: effects.slice(0, selection.limit),
    total,
    isKeyRefused,
    paused: listPausedDestinations(found.map(({ queued, wait }) => ({ entry: queued, wait }))),
  };
}

interface Candidate {
  readonly queued: LedgerEntry;
  readonly wait: Wait;
}

async function examineQueue(
  destination: string,
  { recipe, meetingId, limit }: WaitingSelection,
  { jobAdmin, queue }: Pick<OperatorTools, 'jobAdmin' | 'queue'>,
): Promise<{ readonly found: readonly Candidate[]; readonly total: number; readonly isPartial: boolean }> {
  const isSelective = recipe !== undefined || meetingId !== undefined;
  const maxExamined = isSelective ? Number.POSITIVE_INFINITY : Math.max(limit, MAX_EXAMINED);
  // Of a selection from a large backlog more are counted than kept.
  const maxKept = Math.max(limit, MAX_EXAMINED);
  const found: Candidate[] = [];
  const kept = [0, 0, 0];
  let total = 0;
  let isPartial = false;
  for (const state of UNFINISHED_STATES) {
    let examined = 0;
    for await (const job of jobAdmin.listEffects(destination, state)) {
      if (examined >= maxExamined) {
        isPartial = true;
        break;
      }
      examined += 1;
      const queued = describeQueued(job);
      const wait = explainWait(job);
      if (queued === undefined || wait === undefined) continue;
      if (recipe !== undefined && queued.recipe !== recipe) continue;
      if (meetingId !== undefined && queued.meetingId !== meetingId) continue;
      total += 1;
      const rank = rankWait(wait);
      const before = kept[rank] ?? 0;
      kept[rank] = before + 1;
      if (before < maxKept) found.push({ queued, wait });
    }
  }
  if (!isPartial) return { found, total, isPartial };
  const { waiting, active, delayed } = await queue.countEffects(destination);
  return { found, total: waiting + active + delayed, isPartial };
}

const ORDINARY: ReadonlySet<string> = new Set(['slot', 'queued', 'under_way']);

function rankWait(wait: Wait): number {
  if (needsPerson(wait)) return 0;
  return ORDINARY.has(wait.why) ? 2 : 1;
}

function compareCandidates(one: Candidate, other: Candidate): number {
  const byRank = rankWait(one.wait) - rankWait(other.wait);
  return byRank === 0 ? (one.wait.nextTryMs ?? 0) - (other.wait.nextTryMs ?? 0) : byRank;
}
