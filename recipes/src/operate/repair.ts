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
  const rebuilt = await findJob({ entry, job }, tools);
  if (rebuilt === undefined) return 'job_gone';
  return await repeat(entry, rebuilt, tools);
}

export type ResendOutcome = RetryOutcome | 'not_sent';

/**
 * Sends again what was sent and is not there any more. Its destination is asked first: what is still there is not sent a
 * second time. `not_sent`: it was not sent, so there is nothing to send again.
 */
export async function resendEffect(entry: LedgerEntry, tools: RetryTools): Promise<ResendOutcome> {
  const rebuilt = await findJob(await traceEffect(entry, tools), tools);
  if (rebuilt === undefined) return 'job_gone';
  const before = await tools.ledger.resend(entry.effectKey, tools.clock());
  if (before !== 'sent') return 'not_sent';
  return await repeat(entry, rebuilt, tools);
}

async function findJob({ entry, job }: TracedEffect, tools: RetryTools): Promise<RebuiltJob | undefined> {
  return job?.data === undefined ? await rebuildJob(entry, tools) : { kind: 'job', job: job.data };
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

/** Plans the job from the stored delivery, because the ledger holds no targets; undefined if the delivery was removed. */
async function rebuildJob(
  entry: LedgerEntry,
  { jobAdmin, plan }: RebuildTools,
): Promise<RebuiltJob | undefined> {
  if (plan === undefined) return undefined;
  const range = { fromMs: entry.receivedAtMs - slackMs, toMs: entry.receivedAtMs + slackMs };
  for await (const { id, data } of jobAdmin.listEvents(range)) {
    const planned = data && plan(data, id);
    const rebuilt = planned?.ok === true ? chooseJob(entry, planned.effects) : undefined;
    if (rebuilt !== undefined) return rebuilt;
  }
  return undefined;
}

function chooseJob(entry: LedgerEntry, planned: readonly EffectJob[]): RebuiltJob | undefined {
  const { effectKey, part, targetHash } = entry;
  const itself = planned.find((each) => each.effectKey === effectKey);
  if (itself !== undefined) return { kind: 'job', job: itself };
  const related = planned.filter((each) => isOfSameEvent(each, entry));
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
