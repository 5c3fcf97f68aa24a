import type { EffectJob, JobOutcome, Log, TakenJob } from '@aftermeet/queue';

import { hashTarget } from './effect-key.ts';
import { type Attempt, type Journal, MAX_NOTED_TEXT } from './journal/journal.ts';
import type { EndState, Ledger } from './ledger/ledger.ts';
import type { DeliveryPolicies } from './limits/policy.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { clampWait, meetObstacle, type Obstacle, retryLater } from './limits/retry-later.ts';
import {
  type EffectLabel,
  type Outcome,
  type RecordedOutcome,
  type WorkerStep,
  type SendRequest,
  toOutcome,
} from './outcome.ts';
import { describeRateLimit } from './queue-effects.ts';
import { ALREADY_SENT } from './send-once.ts';

export interface RecordingTools {
  readonly ledger: Ledger;
  readonly journal: Pick<Journal, 'note'>;
  /** `host:pid`. */
  readonly workerName: string;
  readonly rateLimits: RateLimits;
  readonly policies: DeliveryPolicies;
  /** Queues alerts about an effect that has failed, or waits for approval. */
  readonly alertOfEffect: (
    kind: 'effect.failed' | 'effect.held',
    effect: EffectJob,
    cause: string,
  ) => Promise<void>;
  /** Asks those who approve what the recipe of the effect holds. */
  readonly askForApproval: (effect: EffectJob) => Promise<void>;
  readonly log: Log;
  readonly observe: (step: WorkerStep) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

type EffectTask = TakenJob<'effect'>;

/** Records what came of one start of an effect in ledger, log, metrics and alerts, and says it to the queue. */
export async function recordOutcome(
  outcome: Outcome,
  job: EffectTask & { readonly startedMs?: number },
  tools: RecordingTools,
): Promise<JobOutcome<'effect'>> {
  const { log, observe, clock } = tools;
  const label = labelEffect(job.data);
  const { startedMs = clock() } = job;
  const recorded = await recordInLedger(loseInTime(outcome, job, tools), job, tools);
  noteAttempt(recorded, { effectKey: job.data.effectKey, startedMs }, tools);
  switch (recorded.kind) {
    case 'sent': {
      const { reference, sentNow } = recorded;
      const elapsedMs = Math.max(0, clock() - Date.parse(job.data.event.receivedAt));
      log.info({ ...label, reference, elapsedMs }, sentNow ? 'sent' : 'was sent before');
      observe({ kind: 'effect_sent', reference, elapsedMs, sentNow, ...label });
      return { kind: 'done' };
    }
    case 'skipped':
      log.info({ ...label, cause: recorded.cause }, 'nothing to send');
      observe({ kind: 'effect_skipped', cause: recorded.cause, ...label });
      return { kind: 'done' };
    case 'held':
      log.info({ ...label, cause: recorded.cause }, 'held until it is approved');
      await tools.alertOfEffect('effect.held', job.data, recorded.cause);
      await tools.askForApproval(job.data);
      observe({ kind: 'effect_held', cause: recorded.cause, ...label });
      return { kind: 'done' };
    case 'failed': {
      const { cause } = recorded;
      log.error({ ...label, cause }, 'cannot be sent, no further retry');
      await tools.alertOfEffect('effect.failed', job.data, cause);
      observe({ kind: 'effect_failed', cause, ...label });
      return { kind: 'failed', cause };
    }
    case 'wait':
    case 'retry':
    case 'limited':
    default: {
      const { why, forMs, cause, ...note } = await planWait(recorded, job, tools);
      if (recorded.kind === 'wait') log.debug({ ...label, retryInMs: forMs, cause }, 'waits');
      else log.warn({ ...label, retryInMs: forMs, cause }, 'cannot be sent now, will retry');
      observe({ kind: 'effect_waiting', why, forMs, cause, ...label });
      const lastWait = { why, cause, start: job.startedTimes };
      return { kind: 'wait', forMs, cause, data: noteStart(job, { ...note, lastWait }) };
    }
  }
}

/** Waits that say nothing of the destination: each effect of a long line has many of them. */
const ORDINARY_WAITS: ReadonlySet<string> = new Set(['slot', 'first_part', 'stopping']);

function noteAttempt(
  recorded: RecordedOutcome,
  { effectKey, startedMs }: { readonly effectKey: string; readonly startedMs: number },
  { journal, workerName, clock }: RecordingTools,
): void {
  const why = recorded.kind === 'limited' ? 'limited' : 'why' in recorded ? recorded.why : undefined;
  if (why !== undefined && ORDINARY_WAITS.has(why)) return;
  const atMs = clock();
  const note: Attempt = {
    atMs,
    elapsedMs: Math.max(0, Math.round(atMs - startedMs)),
    worker: workerName,
    outcome: why === undefined ? toAttemptOutcome(recorded) : 'waits',
    why,
    cause: 'cause' in recorded ? recorded.cause.slice(0, MAX_NOTED_TEXT) : undefined,
  };
  journal.note({ effectKey, note });
}

function toAttemptOutcome({ kind }: RecordedOutcome): Attempt['outcome'] {
  return kind === 'wait' || kind === 'retry' || kind === 'limited' ? 'waits' : kind;
}

/** A retry whose patience is over fails. */
function loseInTime(outcome: Outcome, job: EffectTask, { policies, clock }: RecordingTools): Outcome {
  if (outcome.kind !== 'retry' && outcome.kind !== 'limited') return outcome;
  const { obstacle, destination } = job.data;
  const why = outcome.kind === 'limited' ? 'limited' : outcome.why;
  const limits = (outcome.kind === 'retry' ? outcome.limits : undefined) ?? policies.of(destination);
  const next = retryLater(outcome, meetObstacle(obstacle, why, clock()), limits, clock(), () => 0);
  return next.kind === 'failed' ? { kind: 'end', state: 'failed', cause: next.cause } : outcome;
}

interface Wait extends StartNote {
  readonly why: Extract<Outcome, { kind: 'wait' }>['why'];
  readonly forMs: number;
  readonly cause: string;
}

async function planWait(
  outcome: Extract<RecordedOutcome, { kind: 'wait' | 'retry' | 'limited' }>,
  job: EffectTask,
  tools: RecordingTools,
): Promise<Wait> {
  const { clock, policies, random } = tools;
  const { obstacle, destination } = job.data;
  const { cause } = outcome;
  if (outcome.kind === 'wait') {
    const { why, forMs, slotMs, isUnconfirmed } = outcome;
    if (isUnconfirmed === true) {
      return { why, forMs, cause, slotMs, obstacle: meetObstacle(obstacle, 'unconfirmed', clock()) };
    }
    // A refused key or token is the fault of no effect: their patience starts anew.
    const isBlameless = why === 'key_refused' || why === 'destination_paused' || why === 'recipe_paused';
    return { why, forMs, cause, slotMs, obstacle: isBlameless ? undefined : obstacle };
  }
  const { isTraced } = outcome;
  if (outcome.kind === 'limited') {
    // Exactly what the destination asked for: the whole rate limit pauses for as long.
    const forMs = clampWait(outcome.forMs);
    const met = meetObstacle(obstacle, 'limited', clock());
    const { slotMs, inMs = forMs } = await pauseRateLimit(job, forMs, tools);
    return { why: 'limited', forMs: inMs, cause, slotMs, obstacle: met, isTraced };
  }
  const { why, limits = policies.of(destination) } = outcome;
  const met = meetObstacle(obstacle, why, clock());
  const next = retryLater(outcome, met, limits, clock(), random);
  return { why, forMs: next.kind === 'wait' ? next.forMs : 0, cause, obstacle: met, isTraced };
}

/** All effects of the rate limit wait, and this one goes first. */
async function pauseRateLimit(
  { data }: EffectTask,
  forMs: number,
  { rateLimits, policies, clock }: RecordingTools,
): Promise<{ readonly inMs?: number; readonly slotMs?: number }> {
  const rateLimit = describeRateLimit(data, policies);
  if (rateLimit.gapMs === 0) return {};
  const nowMs = clock();
  const { slotMs, atMs } = await rateLimits.pause(rateLimit, nowMs + forMs, nowMs);
  return { inMs: Math.max(0, atMs - nowMs), slotMs };
}

/** The lease of a claim that sends nothing: longer than two steps of the store. */
const leaseMs = 15_000;

/**
 * Stores an outcome that came before any claim. An unclear earlier attempt needs review; while one is under way, or when
 * it has ended otherwise, that counts.
 */
async function recordInLedger(
  outcome: Outcome,
  job: EffectTask,
  { ledger, clock }: RecordingTools,
): Promise<RecordedOutcome> {
  if (outcome.kind !== 'end') return outcome;
  const { effectKey } = job.data;
  const { state, cause, sendsNothing = false } = outcome;
  const { dedupe: _dedupe, ...alone } = toSendRequest(job);
  const request = state === 'held' ? { ...alone, ...outcome.request } : alone;
  const claim = await ledger.claim(effectKey, {
    ...request,
    isTraceComplete: request.isTraceComplete || sendsNothing,
    nowMs: clock(),
    leaseMs,
  });
  switch (claim.state) {
    case 'sent':
    case 'skipped':
    case 'failed':
    case 'parked':
    case 'held':
      return toOutcome(claim);
    case 'busy':
      return waitFor(Math.max(claim.untilMs - clock(), 100), 'an earlier attempt may still be under way');
    case 'claimed':
    case 'probe':
  }
  const isUnclear = claim.state === 'probe' && claim.previous === undefined && !sendsNothing;
  const unclear = `${cause}; whether an earlier attempt was sent is not known`;
  let settlement: Extract<EndState, { cause: string }> = { state, cause };
  if (isUnclear) settlement = { state: 'parked', cause: unclear };
  // A mail that is held cannot be changed once it was sent.
  else if (state === 'held' && claim.previous !== undefined)
    settlement = { state: 'skipped', cause: ALREADY_SENT };
  const { facts } = request;
  if (!(await ledger.settle(effectKey, claim.fence, settlement, { nowMs: clock(), facts }))) {
    return waitFor(leaseMs, 'another worker has taken over');
  }
  return toOutcome(settlement);
}

function waitFor(forMs: number, cause: string): RecordedOutcome {
  return { kind: 'wait', why: 'unclear', forMs, cause };
}

/** How log lines and steps name an effect. */
export function labelEffect({ recipe, destination, event, effectKey, traceId }: EffectJob): EffectLabel {
  const { meetingId } = event;
  return { recipe, destination, meetingId, effectKey, ...(traceId === undefined ? {} : { traceId }) };
}

/** What the ledger is told of an effect, without what is to be sent. */
export function toSendRequest(job: Pick<EffectTask, 'data' | 'startedTimes'>): SendRequest {
  const { recipe, destination, target, part, event, traceId = '' } = job.data;
  const receivedAtMs = Date.parse(event.receivedAt);
  return {
    facts: {
      recipe,
      destination,
      eventKind: event.kind,
      meetingId: event.meetingId,
      occurrence: event.occurrence,
      targetHash: hashTarget(target),
      part,
      traceId,
      receivedAtMs,
    },
    isTraceComplete: isTraceComplete(job),
    earliestMs: receivedAtMs,
  };
}

/**
 * Whether every earlier start of the job ended cleanly, and said so in the data of the job. A start that did not may
 * have sent something whose trace a store has lost since (Redis with `appendfsync everysec`): the data of the job is
 * written after the trace, so where the one is there, so is the other.
 */
export function isTraceComplete({ data, startedTimes }: Pick<EffectTask, 'data' | 'startedTimes'>): boolean {
  return (data.restedStarts ?? 0) >= startedTimes - 1;
}

/** What a start leaves to the next one. */
interface StartNote {
  readonly slotMs?: number | undefined;
  readonly obstacle?: Obstacle | undefined;
  readonly lastWait?: EffectJob['lastWait'];
  /** This start looked for what was missing and recorded the result: a gap before it is closed. */
  readonly isTraced?: boolean | undefined;
}

/** The data of the job when this start ends cleanly. A slot that was used is dropped. */
export function noteStart(
  job: Pick<EffectTask, 'data' | 'startedTimes'>,
  { slotMs, obstacle, lastWait, isTraced = false }: StartNote = {},
): EffectJob {
  const { slotMs: _slotMs, obstacle: _obstacle, lastWait: _lastWait, ...data } = job.data;
  return {
    ...data,
    ...(isTraced || isTraceComplete(job) ? { restedStarts: job.startedTimes } : {}),
    ...(slotMs === undefined ? {} : { slotMs }),
    ...(obstacle === undefined ? {} : { obstacle }),
    ...(lastWait === undefined ? {} : { lastWait }),
  };
}
