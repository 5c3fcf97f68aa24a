import type { EffectJob, TakenJob } from '@aftermeet/queue';

import type { Digest } from '../report/digest.ts';
import { writeAlert } from './alert-text.ts';
import type { AlertThrottle } from './alert-throttle.ts';
import { composeRequest, type RequestTools } from './approval-requests.ts';
import { explainMismatch, takesMeeting } from './conditions/match-recipes.ts';
import type { DigestSource, PeriodSource } from './digest-source.ts';
import { deriveEffectKey, deriveSubjectKey } from './effect-key.ts';
import { type DedupeKey, type Ledger, RECALLED } from './ledger/ledger.ts';
import type { RetryLimits } from './limits/retry-later.ts';
import { describeExpansion, type Outcome } from './outcome.ts';
import type { Rendered } from './prepared-send.ts';
import {
  type BoundRecipe,
  type MadeEffect,
  type MeetingEvent,
  type PlannedEffect,
  type RecipeInput,
  type RefusedParticipants,
  type ReportInput,
  type RunInput,
  expandTarget,
} from './recipe.ts';
import { type AskingTools, askService } from './service-access.ts';
import { hashText } from './store/store-tools.ts';

export interface ComposingTools extends ReadingTools {
  /** Absent: no requests for approval are made. */
  readonly requests?: RequestTools;
  readonly workspace: string;
  readonly periods: PeriodSource;
  readonly alertThrottle: AlertThrottle;
  /** Raises the alert that a report has no transcript. */
  readonly alertOfEmptiness: (event: MeetingEvent) => Promise<void>;
}

/** What is to be sent, or what becomes of the effect without it. */
type Composition =
  | {
      readonly kind: 'composed';
      readonly rendered: Rendered;
      /** Absent: it stands alone, nothing that was sent before is changed by it. */
      readonly dedupe?: DedupeKey;
      /** What belongs to it and is to be planned before it is brought about. */
      readonly followers?: readonly PlannedEffect[];
    }
  /** Nothing is sent for this one itself. */
  | {
      readonly kind: 'expanded';
      readonly effects: readonly PlannedEffect[];
      /** What it has planned, or why nothing. */
      readonly cause: string;
      readonly refused?: RefusedParticipants;
    }
  | Outcome;

/** Makes what an effect sends: from the report, from the event alone, or from the meetings of a period. */
export async function composeEffect(
  { data }: Pick<TakenJob<'effect'>, 'data'>,
  recipe: BoundRecipe,
  tools: ComposingTools,
): Promise<Composition> {
  const { name, input, prebuilt } = recipe;
  const { event, target, part, item, held } = data;
  if (held !== undefined) {
    if (tools.requests === undefined) return NOT_PLANNED;
    return await composeRequest(data, held, recipe, tools.requests, (job) =>
      composeEffect(job, recipe, tools),
    );
  }
  if (input.from === 'event' || input.from === 'period') {
    if (!recipe.plan(event).some((planned) => isSameTarget(planned, data))) return NOT_PLANNED;
  }
  if (input.from === 'event') return await composeAlert(data, input, tools);
  if (input.from === 'period') {
    const period = { fromMs: Date.parse(event.since ?? ''), toMs: Date.parse(event.occurrence) };
    const asked = await askService(() => tools.periods.read(period, recipe), tools);
    if (asked.kind !== 'answer') return asked;
    if (asked.value.length === 0) return { kind: 'skipped', cause: 'no meetings in this period' };
    return { kind: 'composed', rendered: input.render(asked.value, period) };
  }
  // A failed meeting has no report.
  if (input.from === 'run' && event.kind === 'meeting.failed')
    return await composeRun(data, input, recipe, tools);
  if (input.from === 'report' && input.renderFailed !== undefined && event.kind === 'meeting.failed') {
    return composeFailed(data, input, recipe);
  }
  const reading = await readDigest(event, tools, input.needsTranscript);
  if (reading.kind !== 'digest') return reading;
  const { digest } = reading;
  if (digest.isTranscriptEmpty && prebuilt.transcript === 'present') {
    await tools.alertOfEmptiness(event);
    return { kind: 'skipped', cause: 'the transcript of this meeting is empty' };
  }
  const mismatch = explainMismatch(recipe, event, digest);
  if (mismatch !== undefined) return { kind: 'skipped', cause: mismatch };
  const effect: PlannedEffect = { target, part, ...(item === undefined ? {} : { item }) };
  if (input.from === 'run') return await composeRun(data, input, recipe, tools, digest);
  if (!isPlanned(data, recipe.plan(event), input, digest)) return NOT_PLANNED;
  const refusal = target === expandTarget ? input.refuseExpansion?.(digest) : undefined;
  if (refusal !== undefined) return { kind: 'failed', cause: refusal };
  const followers = input.expand?.(digest, effect) ?? [];
  if (target === expandTarget) {
    const { whyNoTarget = 'the report asks for nothing' } = input;
    const cause = followers.length > 0 ? describeExpansion(followers.length) : whyNoTarget;
    const refused = input.findRefused?.(digest);
    return { kind: 'expanded', effects: followers, cause, ...(refused === undefined ? {} : { refused }) };
  }
  const rendered = input.render(digest, effect);
  if ('skip' in rendered) {
    return { kind: rendered.isFailure === true ? 'failed' : 'skipped', cause: rendered.skip };
  }
  const { workspace } = tools;
  const { kind: eventKind, meetingId } = event;
  return {
    kind: 'composed',
    rendered,
    followers,
    dedupe: {
      key: deriveSubjectKey({ workspace, recipe: name, eventKind, meetingId, ...effect }),
      meetingStart: digest.startedAt ?? '',
      contentHash: hashContent(rendered, { name, input, digest, effect }),
    },
  };
}

/** Each failure of a meeting is told for itself. */
function composeFailed(data: EffectJob, input: ReportInput, recipe: BoundRecipe): Composition {
  const { event } = data;
  if (!recipe.plan(event).some((planned) => isSameTarget(planned, data))) return NOT_PLANNED;
  // Of an unsigned delivery only what the service says counts, and of a failure it says nothing.
  if (Number.isNaN(Date.parse(event.occurrence))) {
    return { kind: 'skipped', cause: 'an unsigned delivery does not prove that the meeting failed' };
  }
  if (takesMeeting(recipe, event) !== true) {
    return {
      kind: 'skipped',
      cause: 'its conditions do not hold, or need a report, which a failed meeting does not have',
    };
  }
  const rendered = input.renderFailed?.(event);
  if (rendered === undefined) return NOT_PLANNED;
  if (!('skip' in rendered)) return { kind: 'composed', rendered };
  return { kind: rendered.isFailure === true ? 'failed' : 'skipped', cause: rendered.skip };
}

const NOT_PLANNED = { kind: 'skipped', cause: 'the recipe does not send to this target' } as const;

/** Effects plan others, which plan others: a message its replies. */
const MAX_DEPTH = 3;

/**
 * Whether the recipe plans an effect for this target, by itself or by what its effects plan from the report. A job alone decides
 * no target: it may be older than the settings, or not be the worker's own. Pure.
 */
function isPlanned(
  effect: EffectJob,
  planned: readonly PlannedEffect[],
  input: ReportInput,
  digest: Digest,
  depth = 0,
): boolean {
  if (planned.some((each) => isSameTarget(each, effect))) return true;
  if (depth === MAX_DEPTH) return false;
  return planned.some((each) =>
    isPlanned(effect, input.expand?.(digest, each) ?? [], input, digest, depth + 1),
  );
}

/** Parts of one message have its target. */
function isSameTarget(planned: PlannedEffect, { target, item }: EffectJob): boolean {
  return planned.target === target && planned.item === item;
}

/** The effects that a recipe makes, or the one of them that is to be sent. Any other is none of the recipe's. */
async function composeRun(
  { event, destination, target, part, item }: EffectJob,
  input: RunInput,
  { name }: BoundRecipe,
  { workspace }: ComposingTools,
  digest?: Digest,
): Promise<Composition> {
  const made = await input.run(event, digest);
  if (!made.ok) return { kind: 'failed', cause: made.cause };
  if (target === expandTarget) {
    const effects = made.effects.filter((effect) => effect.part === 0).map(toPlanned);
    const cause = effects.length > 0 ? describeExpansion(effects.length) : 'the recipe returned no effects';
    return { kind: 'expanded', effects, cause };
  }
  const parts = made.effects.filter(
    (effect) => effect.destination === destination && effect.target === target && effect.item === item,
  );
  const found = parts.find((effect) => effect.part === part);
  if (found === undefined) return { kind: 'skipped', cause: NOT_MADE };
  const { rendered } = found;
  const { kind: eventKind, meetingId } = event;
  const key = deriveSubjectKey({ workspace, recipe: name, eventKind, meetingId, target, part, item });
  const followers = part === 0 ? parts.filter((effect) => effect.part > 0).map(toPlanned) : [];
  const contentHash = hashParts(rendered, parts);
  const meetingStart = digest?.startedAt ?? '';
  return { kind: 'composed', rendered, followers, dedupe: { key, meetingStart, contentHash } };
}

/** The followers of a message belong to it, as those of `hashContent`. */
export function hashParts(rendered: Rendered, parts: readonly MadeEffect[]): string {
  const content = parts.length > 1 ? [rendered, parts.map((one) => one.rendered)] : rendered;
  return hashText(JSON.stringify(content));
}

export const NOT_MADE = 'the recipe does not make this effect any more';

function toPlanned({ rendered: _rendered, ...effect }: MadeEffect): PlannedEffect {
  return effect;
}

/** Of too many alerts of one kind the first is sent, and the next one says how many were not. */
async function composeAlert(
  { event, recipe, target, effectKey }: EffectJob,
  input: Extract<RecipeInput, { from: 'event' }>,
  { alertThrottle, clock }: ComposingTools,
): Promise<Composition> {
  const { cooldownMs = 0 } = input;
  const alert = writeAlert(event);
  if (cooldownMs === 0) return { kind: 'composed', rendered: input.render(alert) };
  const asked = { recipe, eventKind: event.kind, ...nameSubjects(event), target, effectKey, cooldownMs };
  const admission = await alertThrottle.admit(asked, clock());
  if (admission.kind === 'go') {
    return { kind: 'composed', rendered: input.render(alert, admission.suppressed) };
  }
  const since = new Date(admission.sinceMs).toISOString();
  return {
    kind: 'skipped',
    cause: `an alert of this kind was sent at ${since}; the next one counts this one`,
  };
}

/** A meeting that fails in several recipes is one alert, and so is a recipe that fails for several meetings. */
function nameSubjects({ kind, recipe, meetingId }: EffectJob['event']): {
  readonly about?: readonly string[];
} {
  if (recipe === undefined) return {};
  const isOfMeeting = kind === 'effect.failed' && meetingId !== '';
  return { about: [`recipe ${recipe}`, ...(isOfMeeting ? [`meeting ${meetingId}`] : [])] };
}

/** JSON of the followers of a message, by digest, then by recipe and message. */
const followersOfDigest = new WeakMap<Digest, Map<string, string>>();

/**
 * Followers belong to their message: when one of them changes, all are written anew, also a follower that was deleted
 * meanwhile. So the hash is over the effect and all followers, which are rendered once for all parts of a message.
 */
export function hashContent(
  rendered: Rendered,
  {
    name,
    input,
    digest,
    effect,
  }: Readonly<{ name: string; input: ReportInput; digest: Digest; effect: PlannedEffect }>,
): string {
  const known = followersOfDigest.get(digest) ?? new Map<string, string>();
  followersOfDigest.set(digest, known);
  const message = JSON.stringify([name, effect.target, effect.item]);
  let followers = known.get(message);
  if (followers === undefined) {
    const expanded = input.expand?.(digest, { ...effect, part: 0 }) ?? [];
    followers = expanded.length === 0 ? '' : JSON.stringify(expanded.map((one) => input.render(digest, one)));
    known.set(message, followers);
  }
  // The JSON of `[rendered, followers]`, or of a message alone: hashes that are stored stay valid.
  const own = JSON.stringify(rendered);
  return hashText(followers === '' ? own : `[${own},${followers}]`);
}

/** The digest, or what becomes of the effect without it. */
type DigestReading = { readonly kind: 'digest'; readonly digest: Digest } | Outcome;

export interface ReadingTools extends AskingTools {
  readonly digests: DigestSource;
}

/** A report that is not there after a day does not come. */
const notReadyLimits: RetryLimits = {
  firstWaitMs: 5000,
  maxWaitMs: 5 * 60 * 1000,
  patienceMs: 24 * 60 * 60 * 1000,
};

/** Reads the digest of an event's meeting; one that is not ready is waited for. */
export async function readDigest(
  event: MeetingEvent,
  tools: ReadingTools,
  withTranscript = false,
): Promise<DigestReading> {
  const asked = await askService(() => tools.digests.read(event, { withTranscript }), tools);
  if (asked.kind !== 'answer') return asked;
  if (asked.value.ready) return { kind: 'digest', digest: asked.value.digest };
  return { kind: 'retry', why: 'report_not_ready', cause: 'the report is not ready', limits: notReadyLimits };
}

/** The first part may have to wait for as long as its destination is away. */
const limits: RetryLimits = {
  firstWaitMs: 1000,
  maxWaitMs: 60_000,
  patienceMs: 7 * 24 * 60 * 60 * 1000,
};

/**
 * What the first part of a later one became, or what becomes of this one without it. A part that is none of the later
 * ones has no parent.
 */
export async function findParent(
  { data }: Pick<TakenJob<'effect'>, 'data'>,
  { ledger, workspace, clock }: { ledger: Pick<Ledger, 'read'>; workspace: string; clock: () => number },
): Promise<{ readonly kind: 'parent'; readonly reference?: string } | Outcome> {
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
      if (entry.cause === RECALLED)
        return { kind: 'skipped', cause: 'the message that it belongs to was taken back' };
      // A message that a person has marked as sent has no known reference.
      return entry.reference === undefined
        ? { kind: 'failed', cause: 'it is not known where the message is that it belongs to' }
        : { kind: 'parent', reference: entry.reference };
    case 'skipped':
      return { kind: 'skipped', cause: 'the message that it belongs to was not sent either' };
    case 'failed':
    case 'parked':
      return { kind: 'failed', cause: 'the message that it belongs to was not sent' };
    case 'held':
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
