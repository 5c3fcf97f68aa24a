import { type EffectDestination, effectDestinations, type StoredJob } from '@aftermeet/queue';

import type { LedgerEntry } from '../ledger/ledger.ts';
import { judgeEffect } from './judge-effect.ts';
import type { OperatorTools } from './operator-tools.ts';
import { rebuildJob, type RebuildTools } from './rebuild-job.ts';
import { repeatJob } from './repeat-job.ts';

export type RetryTools = Pick<OperatorTools, 'queue' | 'ledger' | 'clock'> & RebuildTools;

export type RetryOutcome =
  /** It is tried again; what may have been sent is looked for at the destination first. */
  | 'again'
  /** The report has asked for it, and its job is gone: the report is read once more, and it is tried where it asks again. */
  | 'planned_again'
  /** It comes by itself. */
  | 'waiting'
  | 'under_way'
  | 'sent'
  /** Neither its job nor its delivery is kept any more: nobody knows where it was to go. */
  | 'job_gone';

/** An effect as an operator sees it: the ledger's entry, and what became of its job. */
export interface TracedEffect {
  readonly entry: LedgerEntry;
  /** Absent: the job is not kept any more. */
  readonly job?: StoredJob<'effect'>;
}

/** Reads what there is to know of an effect. */
export async function traceEffect(
  entry: LedgerEntry,
  { desk }: Pick<OperatorTools, 'desk'>,
): Promise<TracedEffect> {
  const destination = readDestination(entry);
  const job = destination && (await desk.findEffect(destination, entry.effectKey));
  return { entry, ...(job === undefined ? {} : { job }) };
}

/**
 * Has an effect tried again that has `failed`, was `skipped` or `parked`, or that nothing goes on with. Twice is the
 * same as once. The job is looked for first: an effect without one would wait for ever.
 */
export async function retryEffect(entry: LedgerEntry, tools: RetryTools): Promise<RetryOutcome> {
  const { job } = await traceEffect(entry, tools);
  const verdict = judgeEffect(entry, job);
  if (verdict === 'sent' || verdict === 'under_way') return verdict;
  if (verdict === 'waiting') return (await hasten(entry, tools)) ? 'again' : 'waiting';
  const rebuilt =
    job?.data === undefined ? await rebuildJob(entry, tools) : { kind: 'job' as const, job: job.data };
  if (rebuilt === undefined) return 'job_gone';
  // Before its job is there: a worker ends one at once that the ledger has as failed.
  if (rebuilt.kind === 'planner') await tools.ledger.reopen(entry.effectKey, tools.clock());
  await repeatJob(rebuilt.job, tools);
  return rebuilt.kind === 'job' ? 'again' : 'planned_again';
}

export type SettleVerdict = 'sent' | 'not_sent';

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly retried?: RetryOutcome }
  /** Its state says what became of it: there is nothing to settle. */
  | { readonly kind: 'not_open'; readonly state: LedgerEntry['state'] };

const openStates: ReadonlySet<string> = new Set([
  'unknown',
  'parked',
  'failed',
] satisfies LedgerEntry['state'][]);

/**
 * Takes a person's word for what became of an effect that is `unknown`, `parked` or `failed`. What was not sent is
 * then tried again, without a look at the destination.
 */
export async function settleEffect(
  entry: LedgerEntry,
  verdict: SettleVerdict,
  tools: RetryTools,
): Promise<SettleOutcome> {
  const before = (await tools.ledger.decide(entry.effectKey, verdict, tools.clock())) ?? entry.state;
  if (!openStates.has(before)) return { kind: 'not_open', state: before };
  if (verdict === 'sent') return { kind: 'settled' };
  const retried = await retryEffect({ ...entry, state: 'pending' }, tools);
  return { kind: 'settled', retried };
}

function readDestination({ destination }: LedgerEntry): EffectDestination | undefined {
  return effectDestinations.find((name) => name === destination);
}

/** A job that sleeps is taken now. */
async function hasten(entry: LedgerEntry, { desk }: Pick<RetryTools, 'desk'>): Promise<boolean> {
  const destination = readDestination(entry);
  return destination !== undefined && (await desk.repeatEffect(destination, entry.effectKey));
}
