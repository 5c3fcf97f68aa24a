import { type JobOutcome, type TakenJob, withSpan, withTraceparent } from '@aftermeet/queue';
import { SpanStatusCode } from '@opentelemetry/api';

import { type ComposingTools, composeEffect, findParent } from './compose.ts';
import type { Connectors } from './destination.ts';
import type { DraftEdit } from './draft-edits.ts';
import type { HandPauses } from './hand-pauses.ts';
import { MAX_NOTED_EFFECTS } from './journal/journal.ts';
import { ANY_CONTENT, type LedgerEntry } from './ledger/ledger.ts';
import type { KeyWatch } from './limits/key-watch.ts';
import {
  type Outcome,
  type Step,
  type SendRequest,
  toOutcome,
  toNotSentOutcome,
  waitForResume,
} from './outcome.ts';
import { identifyEffect, nameQueued } from './plan.ts';
import type { PreparedSend, Rendered } from './prepared-send.ts';
import { describeRateLimit, queueEffects, type QueueingTools } from './queue-effects.ts';
import { type BoundRecipe, expandTarget, type PlannedEffect } from './recipe.ts';
import { labelEffect, recordOutcome, type RecordingTools, toSendRequest } from './record-outcome.ts';
import { sendOnce } from './send-once.ts';
import { SUPPRESSED, type Suppressed, type Suppressions } from './suppressions.ts';

/** What delivering the effects of recipes needs. */
export interface DeliveryTools extends ComposingTools, Omit<QueueingTools, 'rateLimits'>, RecordingTools {
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  readonly connectors: Connectors;
  /** Whether a destination refuses our token or login. */
  readonly pauses: (destination: string) => Pick<KeyWatch, 'refused' | 'accepted'>;
  /** Resolves when `clock` can be relied on. Default: always. */
  readonly settleClock?: () => Promise<void>;
  readonly handPauses: Pick<HandPauses, 'isPaused' | 'watch'>;
  readonly suppressions: Pick<Suppressions, 'covers'>;
  /** The address by which a recipient of mail unsubscribes; undefined: the receiver's own address is not known. */
  readonly linkUnsubscribe: (whom: Suppressed) => string | undefined;
  /** Finds what a person changed when approving a message. */
  readonly findEdit: (
    effectKey: string,
    approved: string,
    contentHash: string,
  ) => Promise<DraftEdit | undefined>;
  /** Called once for each time that a destination begins to refuse. */
  readonly onPaused: (destination: string, cause: string, episode: string) => Promise<void>;
}

type EffectTask = TakenJob<'effect'>;

interface Progress {
  /** How many followers of the effect are queued: a later start queues the rest. */
  queued: number;
  /** The effect goes by its slot. */
  isAdmitted: boolean;
}

/** While workers are replaced one by one, an old one may take effects of a recipe that only the new ones have. */
const UNKNOWN_RECIPE_LIMITS = { firstWaitMs: 30_000, maxWaitMs: 300_000, patienceMs: 60 * 60 * 1000 };

/**
 * Delivers one effect: load, compose, acquire a slot, prepare, claim, probe, send, settle; then records what came of it.
 * Each step returns what the next one needs, or an outcome, which ends the way. The queue retries unexpected errors; the
 * last of them fails the effect.
 */
export async function deliverEffect(job: EffectTask, tools: DeliveryTools): Promise<JobOutcome<'effect'>> {
  const { effectKey, recipe, destination, event, traceparent } = job.data;
  const attributes = {
    'aftermeet.endpoint': event.endpoint,
    'aftermeet.effect': effectKey,
    'aftermeet.recipe': recipe,
    'aftermeet.destination': destination,
    'aftermeet.meeting': event.meetingId,
    'aftermeet.start': job.startedTimes,
  };
  return await withTraceparent(traceparent, () =>
    withSpan('effect', attributes, async (span) => {
      const outcome = await deliver(job, tools, (kind) => span.setAttribute('aftermeet.outcome', kind));
      if (outcome.kind === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
      return outcome;
    }),
  );
}

async function deliver(
  job: EffectTask,
  tools: DeliveryTools,
  tell: (outcome: string) => void,
): Promise<JobOutcome<'effect'>> {
  const progress: Progress = { queued: job.data.queuedFollowers ?? 0, isAdmitted: false };
  const startedMs = tools.clock();
  const outcome = await runAndLeave(job, tools, progress).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : 'unknown';
    if (job.attempt < job.maxAttempts) {
      const { attempt } = job;
      tools.log.warn({ ...labelEffect(job.data), error: name, attempt }, 'unexpected error, will retry');
      throw error;
    }
    return fail(`unexpected error, ${job.attempt} times (${name})`);
  });
  tell(outcome.kind === 'end' ? outcome.state : outcome.kind);
  const data = progress.queued > 0 ? { ...job.data, queuedFollowers: progress.queued } : job.data;
  return await recordOutcome(outcome, { ...job, data, startedMs }, tools);
}

/** An effect that ends or waits before it was admitted gives its slot back. */
async function runAndLeave(job: EffectTask, tools: DeliveryTools, progress: Progress): Promise<Outcome> {
  const outcome = await runSteps(job, tools, progress);
  const { slotMs } = job.data;
  const keepsSlot = progress.isAdmitted || (outcome.kind === 'wait' && outcome.slotMs !== undefined);
  if (slotMs === undefined || keepsSlot) return outcome;
  const rateLimit = describeRateLimit(job.data, tools.policies);
  if (rateLimit.gapMs > 0) {
    // If the store is away, those behind it keep higher places than they need.
    await tools.rateLimits.leave(rateLimit, slotMs, tools.clock()).catch(() => undefined);
  }
  return outcome;
}

async function runSteps(job: EffectTask, tools: DeliveryTools, progress: Progress): Promise<Outcome> {
  const loaded = await load(job, tools);
  if (loaded.outcome !== undefined) return loaded.outcome;
  const { recipe, isUnsettled } = loaded.next;

  const composed = await withSpan('render', {}, () => compose(job, recipe, tools));
  if (composed.outcome !== undefined) return composed.outcome;
  const { rendered, followers, parent, request } = composed.next;

  // A request for approval goes to a person whom the settings name, and holds no link to unsubscribe.
  const isSuppressed = (recipients: readonly string[]): boolean =>
    job.data.held === undefined && tools.suppressions.covers(recipients, job.data.event.meetingId);
  const recipients = tools.connectors.readRecipients?.(rendered, job.data.target) ?? [];
  if (isSuppressed(recipients)) return { kind: 'end', state: 'skipped', cause: SUPPRESSED };

  // An effect that is looked up at its destination had its slot before.
  const slot = isUnsettled ? undefined : await acquireSlot(job, tools);
  if (slot !== undefined) return slot;
  progress.isAdmitted = true;

  await queueFollowers(followers.slice(progress.queued), job, recipe, tools);
  progress.queued = Math.max(progress.queued, followers.length);

  const preparation = await prepare(job, { rendered, parent }, tools);
  if (preparation.outcome !== undefined) return preparation.outcome;
  let prepared = preparation.next;

  if (prepared.holdFor !== undefined) {
    const approval = await readApproval(prepared.holdFor, job.data.effectKey, request, tools);
    if (approval.kind !== 'approved') await prepared.discard?.();
    if (approval.kind === 'held') return { kind: 'end', state: 'held', cause: approval.cause, request };
    if (approval.kind === 'approved_edited') {
      if (isSuppressed([approval.edit.to ?? ''])) return { kind: 'end', state: 'skipped', cause: SUPPRESSED };
      const edited = await prepare(job, { rendered, parent, edit: approval.edit }, tools);
      if (edited.outcome !== undefined) return edited.outcome;
      prepared = edited.next;
    }
  }

  const { destination, obstacle } = job.data;
  const sent = await sendOnce(job.data.effectKey, prepared, request, {
    ledger: tools.ledger,
    clock: tools.clock,
    ...(tools.settleClock === undefined ? {} : { settleClock: tools.settleClock }),
    policy: tools.policies.of(destination),
    unconfirmedTimes: obstacle?.why === 'unconfirmed' ? obstacle.times : 0,
    onProbe: (result) => tools.observe({ kind: 'effect_probed', destination, result }),
  });
  // The ledger knows of every attempt now, whatever a store had lost before.
  return sent.kind === 'retry' || sent.kind === 'limited' ? { ...sent, isTraced: true } : sent;
}

/** The recipe of the effect, and whether an earlier attempt is unsettled. */
async function load(
  { data, startedTimes }: EffectTask,
  { recipes, ledger, handPauses, clock }: DeliveryTools,
): Promise<Step<{ readonly recipe: BoundRecipe; readonly isUnsettled: boolean }>> {
  const recipe = recipes.get(data.recipe);
  if (recipe === undefined) {
    const cause = `the recipe ${JSON.stringify(data.recipe)} is not configured`;
    return { outcome: { kind: 'retry', why: 'recipe_gone', cause, limits: UNKNOWN_RECIPE_LIMITS } };
  }
  // A first start skips this: its claim says the same.
  const known = startedTimes > 1 ? await ledger.read(data.effectKey, clock()) : undefined;
  const ended = known && toEnd(known);
  if (ended !== undefined) return { outcome: ended };
  if (handPauses.isPaused('recipe', data.recipe)) return { outcome: waitForResume(data.recipe) };
  return { next: { recipe, isUnsettled: known?.state === 'sending' || known?.state === 'unknown' } };
}

function toEnd({ state, reference = '', cause = '' }: LedgerEntry): Outcome | undefined {
  switch (state) {
    case 'sent':
      return toOutcome({ state, reference });
    case 'skipped':
    case 'failed':
    case 'parked':
    case 'held':
      return toOutcome({ state, cause });
    case 'pending':
    case 'sending':
    case 'unknown':
    default:
      return undefined;
  }
}

interface Composed {
  readonly rendered: Rendered;
  readonly followers: readonly PlannedEffect[];
  /** The reference of the message that this effect belongs behind. */
  readonly parent: string | undefined;
  readonly request: SendRequest;
}

async function compose(job: EffectTask, recipe: BoundRecipe, tools: DeliveryTools): Promise<Step<Composed>> {
  const composition = await composeEffect(job, recipe, tools);
  if (composition.kind === 'expanded') {
    const { effects, refused, cause } = composition;
    await queueFollowers(effects, job, recipe, tools);
    if (refused !== undefined) {
      const { participants } = refused;
      const fields = { ...labelEffect(job.data), count: participants.length, refused: participants };
      tools.log.warn(fields, 'addresses of participants were refused');
    }
    const fullCause = refused === undefined ? cause : `${cause}; ${refused.text}`;
    return { outcome: { kind: 'end', state: 'skipped', cause: fullCause, sendsNothing: true } };
  }
  if (composition.kind !== 'composed') {
    return { outcome: endUnclaimed(composition, job.data.target === expandTarget) };
  }
  const parent = await findParent(job, tools);
  if (parent.kind !== 'parent') return { outcome: endUnclaimed(parent) };
  const { rendered, followers = [], dedupe } = composition;
  const request = { ...toSendRequest(job), ...(dedupe === undefined ? {} : { dedupe }) };
  return { next: { rendered, followers, parent: parent.reference, request } };
}

/** Nothing when the effect may go now. */
async function acquireSlot(
  { data, startedTimes }: EffectTask,
  { rateLimits, policies, clock }: DeliveryTools,
): Promise<Outcome | undefined> {
  const { destination, slotMs } = data;
  const rateLimit = describeRateLimit(data, policies);
  if (rateLimit.gapMs === 0) return undefined;
  const nowMs = clock();
  const visit = { rateLimit, ...(slotMs === undefined ? { isReturning: startedTimes > 1 } : { slotMs }) };
  const admission = await rateLimits.enter(visit, nowMs);
  if (admission.kind === 'go') return undefined;
  return {
    kind: 'wait',
    why: admission.isPaused ? 'limited' : 'slot',
    forMs: admission.atMs - nowMs,
    cause: admission.isPaused ? `${destination} asked for a pause` : `its slot at ${destination} comes later`,
    slotMs: admission.slotMs,
  };
}

/** Queues the effects that belong to this one. Their ids are their keys: a second time changes nothing. */
async function queueFollowers(
  effects: readonly PlannedEffect[],
  { data: { event, traceId } }: EffectTask,
  recipe: BoundRecipe,
  tools: DeliveryTools,
): Promise<void> {
  if (effects.length === 0) return;
  const { workspace } = tools;
  const jobs = effects.map((effect) => identifyEffect(recipe, event, effect, { workspace, traceId }));
  await queueEffects(jobs, tools, { mayBeQueued: true });
  const noted = jobs.slice(0, MAX_NOTED_EFFECTS).map(nameQueued);
  const note = { kind: 'followed', atMs: tools.clock(), effects: noted } as const;
  tools.journal.note({ meetingId: event.meetingId, note });
}

async function prepare(
  { data: { effectKey, target, event } }: EffectTask,
  {
    rendered,
    parent,
    edit,
  }: Pick<Composed, 'rendered' | 'parent'> & { readonly edit?: DraftEdit | undefined },
  { connectors, linkUnsubscribe }: DeliveryTools,
): Promise<Step<PreparedSend>> {
  const preparation = await connectors.prepare(rendered, {
    effectKey,
    target,
    occurrence: event.occurrence,
    ...(parent === undefined ? {} : { parent }),
    ...(edit === undefined ? {} : { edit }),
    linkUnsubscribe: (address) => linkUnsubscribe({ address, meetingId: event.meetingId }),
  });
  const { result } = preparation;
  if (result === 'ready') return { next: preparation.prepared };
  if (result === 'no_recipient')
    return { outcome: { kind: 'end', state: 'skipped', cause: preparation.cause } };
  if (result === 'permanent') return { outcome: fail(preparation.cause) };
  return { outcome: toNotSentOutcome(preparation) };
}

type Approval =
  | { readonly kind: 'held'; readonly cause: string }
  | { readonly kind: 'approved' }
  | { readonly kind: 'approved_edited'; readonly edit: DraftEdit };

/** Whether a person has approved it. An approval counts for the content that was seen, and for what was changed of it. */
async function readApproval(
  holdFor: string,
  effectKey: string,
  { dedupe }: SendRequest,
  { ledger, findEdit }: DeliveryTools,
): Promise<Approval> {
  const approved = await ledger.readApproval(effectKey);
  if (approved === undefined) return { kind: 'held', cause: holdFor };
  if (approved === ANY_CONTENT || approved === dedupe?.contentHash) return { kind: 'approved' };
  const edit = dedupe && (await findEdit(effectKey, approved, dedupe.contentHash));
  if (edit === undefined) return { kind: 'held', cause: `${holdFor}; ${CHANGED_SINCE}` };
  return { kind: 'approved_edited', edit };
}

const CHANGED_SINCE = 'it has changed since it was approved';

/** An effect that cannot be composed ends without a claim. */
function endUnclaimed(outcome: Outcome, sendsNothing = false): Outcome {
  if (outcome.kind !== 'failed' && outcome.kind !== 'skipped') return outcome;
  return { kind: 'end', state: outcome.kind, cause: outcome.cause, sendsNothing };
}

function fail(cause: string): Outcome {
  return { kind: 'end', state: 'failed', cause };
}
