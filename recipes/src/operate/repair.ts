import type { EffectJob, StoredJob } from '@aftermeet/queue';

import { hashTarget } from '../engine/effect-key.ts';
import type { Decision, LedgerEntry } from '../engine/ledger/ledger.ts';
import { expandTarget } from '../engine/recipe.ts';
import { explainEffect } from './effects.ts';
import type { OperatorTools, PlanDelivery } from './operator-tools.ts';

export type RetryTools = Pick<OperatorTools, 'queue' | 'ledger' | 'clock'> & RebuildTools;

export type RetryOutcome =
  /** It is retried; if it may have been sent, the worker checks the destination first. */
  | 'again'
  /** Its job was removed: the report is read again, and the effect is retried if the report still asks for it. */
  | 'planned_again'
  /** Its recipe sends to other targets now: what goes there is queued, and this one is dismissed. */
  | 'moved'
  /** A worker will take it. */
  | 'waiting'
  | 'under_way'
  | 'sent'
  /** It was sent, and taken back. */
  | 'recalled'
  /** A person approves it first. */
  | 'held'
  /** Its job and its delivery were removed, so its target is unknown. */
  | 'job_gone';

/** The ledger entry of an effect and its job. */
export interface TracedEffect {
  readonly entry: LedgerEntry;
  /** Absent: the job was removed. */
  readonly job?: StoredJob<'effect'> | undefined;
}

/** Finds the job of an effect. */
export async function traceEffect(
  entry: LedgerEntry,
  { jobAdmin }: Pick<OperatorTools, 'jobAdmin'>,
): Promise<TracedEffect> {
  const job = await jobAdmin.findEffect(entry.destination, entry.effectKey);
  return { entry, ...(job === undefined ? {} : { job }) };
}

/**
 * Retries an effect that is `failed`, `skipped` or `parked`, or that has no active job. Idempotent. Finds the job before
 * it changes the ledger, because an effect without a job would wait for ever.
 */
export async function retryEffect(entry: LedgerEntry, tools: RetryTools): Promise<RetryOutcome> {
  const { job } = await traceEffect(entry, tools);
  const verdict = explainEffect(entry, job);
  if (verdict === 'sent' || verdict === 'recalled') return verdict;
  if (verdict === 'under_way' || verdict === 'held') return verdict;
  if (verdict === 'waiting') return (await takeNow(entry, tools)) ? 'again' : 'waiting';
  const planned = await planNow({ entry, job }, tools);
  if (await queueForPresentTargets(entry, planned, tools)) {
    await tools.ledger.decide(entry.effectKey, 'dismissed', tools.clock(), MOVED);
    // One that was never tried ends by itself: its worker sees that the recipe does not send there.
    if (entry.state === 'pending' && job?.data !== undefined) await repeatJob(job.data, tools);
    return 'moved';
  }
  const rebuilt = chooseJob({ entry, job }, planned);
  if (rebuilt === undefined) return 'job_gone';
  return await repeat(entry, rebuilt, tools);
}

const MOVED = 'its recipe sends to another target now';

export type ResendOutcome = RetryOutcome | 'not_sent';

/**
 * Sends again what was sent and is not there any more. Its destination is asked first: what is still there is not sent a
 * second time. Where its recipe sends to another target now, it is sent there. `not_sent`: it was not sent, so there is nothing to send again.
 */
export async function resendEffect(entry: LedgerEntry, tools: RetryTools): Promise<ResendOutcome> {
  const traced = await traceEffect(entry, tools);
  const planned = await planNow(traced, tools);
  if (entry.state === 'sent' && (await queueForPresentTargets(entry, planned, tools))) return 'moved';
  const rebuilt = chooseJob(traced, planned);
  if (rebuilt === undefined) return 'job_gone';
  const before = await tools.ledger.resend(entry.effectKey, tools.clock());
  if (before !== 'sent') return 'not_sent';
  return await repeat(entry, rebuilt, tools);
}

async function repeat(entry: LedgerEntry, rebuilt: RebuiltJob, tools: RetryTools): Promise<RetryOutcome> {
  // Before the job is queued: a worker drops a job whose ledger entry is failed.
  if (rebuilt.kind === 'planner') await tools.ledger.reopen(entry.effectKey, tools.clock());
  await repeatJob(rebuilt.job, tools);
  return rebuilt.kind === 'job' ? 'again' : 'planned_again';
}

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly retried?: RetryOutcome }
  /** Its outcome is known: there is nothing to settle. */
  | { readonly kind: 'not_open'; readonly state: LedgerEntry['state'] };

const openStates: ReadonlySet<string> = new Set([
  'unknown',
  'parked',
  'failed',
] satisfies LedgerEntry['state'][]);

/**
 * Marks an effect that is `unknown`, `parked` or `failed` as sent, not sent, or dismissed. An effect that was not sent is
 * retried without a check of the destination.
 */
export async function settleEffect(
  entry: LedgerEntry,
  verdict: Decision,
  tools: RetryTools,
  reason?: string,
): Promise<SettleOutcome> {
  const { effectKey } = entry;
  const before = (await tools.ledger.decide(effectKey, verdict, tools.clock(), reason)) ?? entry.state;
  if (!openStates.has(before)) return { kind: 'not_open', state: before };
  if (verdict !== 'not_sent') return { kind: 'settled' };
  const retried = await retryEffect({ ...entry, state: 'pending' }, tools);
  return { kind: 'settled', retried };
}

/** Makes a delayed job due now. */
async function takeNow(entry: LedgerEntry, { jobAdmin }: Pick<RetryTools, 'jobAdmin'>): Promise<boolean> {
  return await jobAdmin.repeatEffect(entry.destination, entry.effectKey);
}

interface RebuildTools extends Pick<OperatorTools, 'jobAdmin'> {
  /** Plans a removed job again; absent: only existing jobs are repeated. */
  readonly plan?: PlanDelivery | undefined;
}

/** The job that makes a worker continue an effect whose own job was removed. */
type RebuiltJob =
  | { readonly kind: 'job'; readonly job: EffectJob }
  /** The job of the effect that plans it from the report, which holds its target. */
  | { readonly kind: 'planner'; readonly job: EffectJob };

/** Maximum difference between the time of the delivery and that of its job. */
const slackMs = 60_000;

/** What the recipe of an effect makes of its event now; empty if it takes it no more, or if job and delivery were removed. */
async function planNow(
  { entry, job }: TracedEffect,
  { jobAdmin, plan }: RebuildTools,
): Promise<readonly EffectJob[]> {
  if (plan === undefined) return [];
  if (job?.data !== undefined) return plan.ofEvent?.(job.data) ?? [];
  const range = { fromMs: entry.receivedAtMs - slackMs, toMs: entry.receivedAtMs + slackMs };
  for await (const { id, data } of jobAdmin.listEvents(range)) {
    const planned = data && plan(data, id);
    const related = planned?.ok === true ? planned.effects.filter((each) => isOfSameEvent(each, entry)) : [];
    if (related.length > 0) return related;
  }
  return [];
}

/**
 * Queues what the recipe sends instead, where its present settings name other targets. False: it still sends to the target of
 * the effect, or the report alone says where, or the delivery was removed.
 */
async function queueForPresentTargets(
  entry: LedgerEntry,
  related: readonly EffectJob[],
  tools: RetryTools,
): Promise<boolean> {
  const isStillPlanned = related.some(
    ({ effectKey, target }) =>
      effectKey === entry.effectKey || target === expandTarget || hashTarget(target) === entry.targetHash,
  );
  if (related.length === 0 || isStillPlanned) return false;
  for (const job of related) await repeatJob(job, tools);
  return true;
}

/** Its own job, or one of what was planned, because the ledger holds no targets; undefined if there is none. */
function chooseJob({ entry, job }: TracedEffect, related: readonly EffectJob[]): RebuiltJob | undefined {
  if (job?.data !== undefined) return { kind: 'job', job: job.data };
  const { effectKey, part, targetHash } = entry;
  const itself = related.find((each) => each.effectKey === effectKey);
  if (itself !== undefined) return { kind: 'job', job: itself };
  // A later part has the target of the first one.
  const [first, ...others] = related.filter(({ target }) => hashTarget(target) === targetHash);
  if (part > 0 && first !== undefined && others.length === 0) {
    return { kind: 'job', job: { ...first, effectKey, part } };
  }
  const planner = related.find(({ target }) => target === expandTarget);
  return planner && { kind: 'planner', job: planner };
}

function isOfSameEvent({ recipe, event }: EffectJob, entry: LedgerEntry): boolean {
  return (
    recipe === entry.recipe &&
    event.kind === entry.eventKind &&
    event.meetingId === entry.meetingId &&
    event.occurrence === entry.occurrence
  );
}

/**
 * Retries an effect with its old job, or else with a new one. Idempotent, also for an effect that was sent meanwhile:
 * the worker claims it in the ledger before it sends.
 */
export async function repeatJob(
  job: EffectJob,
  { ledger, jobAdmin, queue, clock }: Pick<OperatorTools, 'ledger' | 'jobAdmin' | 'queue' | 'clock'>,
): Promise<void> {
  await ledger.reopen(job.effectKey, clock());
  const isRepeated = await jobAdmin.repeatEffect(job.destination, job.effectKey);
  // Does nothing if the job is still queued, because its id is taken.
  if (!isRepeated) await queue.addEffects([{ job }]);
}
