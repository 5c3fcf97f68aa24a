import { createHash } from 'node:crypto';

import type { EffectJob, TakenJob } from '@aftermeet/queue';

import type { AlertGate } from './alert-gate.ts';
import { writeAlert } from './alert-text.ts';
import { askService } from './ask-service.ts';
import type { Digest } from './digest.ts';
import { deriveSubjectKey } from './effect-key.ts';
import type { Ending } from './ending.ts';
import type { Subject } from './ledger/ledger.ts';
import type { PeriodSource } from './period-source.ts';
import { readDigest, type ReadingTools } from './read-digest.ts';
import {
  type BoundRecipe,
  type MeetingEvent,
  type PlannedEffect,
  type RecipeSubject,
  type ReportSubject,
  type Rendered,
  spreadTarget,
} from './recipe.ts';
import { explainMismatch } from './routing/match-report.ts';

export interface ComposingTools extends ReadingTools {
  readonly workspace: string;
  readonly periods: PeriodSource;
  readonly alertGate: AlertGate;
  /** Tells whoever wants to hear of it that a report has no transcript. */
  readonly alertOfEmptiness: (event: MeetingEvent) => Promise<void>;
}

/** What is to be sent, or what becomes of the effect without it. */
export type Composition =
  | {
      readonly kind: 'composed';
      readonly rendered: Rendered;
      /** Absent: it stands alone, nothing that was sent before is changed by it. */
      readonly subject?: Subject;
      /** What belongs to it and is to be planned before it is brought about. */
      readonly spread?: readonly PlannedEffect[];
    }
  /** At least one; nothing is sent for this one itself. */
  | { readonly kind: 'spread'; readonly effects: readonly PlannedEffect[] }
  | Ending;

/** Makes what an effect sends: from the report, from the event alone, or from the meetings of a period. */
export async function composeEffect(
  { data }: Pick<TakenJob<'effect'>, 'data'>,
  { name, subject, prebuilt, when }: BoundRecipe,
  tools: ComposingTools,
): Promise<Composition> {
  const { event, target, part, item } = data;
  if (subject.from === 'event') return await composeAlert(data, subject, tools);
  if (subject.from === 'period') {
    const period = { fromMs: Date.parse(event.since ?? ''), toMs: Date.parse(event.occurrence) };
    const asked = await askService(() => tools.periods.read(period), tools);
    if (asked.kind !== 'answer') return asked;
    if (asked.value.length === 0) return { kind: 'skipped', cause: 'there was no meeting to tell of' };
    return { kind: 'composed', rendered: subject.render(asked.value, period) };
  }
  const reading = await readDigest(event, tools);
  if (reading.kind !== 'digest') return reading;
  const { digest } = reading;
  if (digest.isTranscriptEmpty && prebuilt.transcript === 'present') {
    await tools.alertOfEmptiness(event);
    return { kind: 'skipped', cause: 'the transcript of this meeting is empty' };
  }
  const mismatch = explainMismatch(when, digest, event);
  if (mismatch !== undefined) return { kind: 'skipped', cause: mismatch };
  const effect: PlannedEffect = { target, part, ...(item === undefined ? {} : { item }) };
  const spread = subject.spread?.(digest, effect) ?? [];
  if (target === spreadTarget) {
    if (spread.length > 0) return { kind: 'spread', effects: spread };
    return { kind: 'skipped', cause: subject.whyNobody ?? 'the report asks for nothing' };
  }
  const rendered = subject.render(digest, effect);
  if ('skip' in rendered) return { kind: 'skipped', cause: rendered.skip };
  const { workspace } = tools;
  const { kind: eventKind, meetingId } = event;
  return {
    kind: 'composed',
    rendered,
    spread,
    subject: {
      key: deriveSubjectKey({ workspace, recipe: name, eventKind, meetingId, ...effect }),
      edition: digest.startedAt ?? '',
      contentHash: hashContent(rendered, renderFamily(subject, digest, { effect, spread })),
    },
  };
}

/** Of too many alerts of one kind the first is sent, and the next one says how many were not. */
async function composeAlert(
  { event, recipe, target, effectKey }: EffectJob,
  subject: Extract<RecipeSubject, { from: 'event' }>,
  { alertGate, clock }: ComposingTools,
): Promise<Composition> {
  const { cooldownMs = 0 } = subject;
  const alert = writeAlert(event);
  if (cooldownMs === 0) return { kind: 'composed', rendered: subject.render(alert) };
  const about = event.recipe === undefined ? {} : { about: event.recipe };
  const asked = { recipe, eventKind: event.kind, ...about, target, effectKey, cooldownMs };
  const admission = await alertGate.admit(asked, clock());
  if (admission.kind === 'go') {
    return { kind: 'composed', rendered: subject.render(alert, admission.suppressed) };
  }
  const since = new Date(admission.sinceMs).toISOString();
  return {
    kind: 'skipped',
    cause: `an alert of this kind was sent at ${since}; the next one counts this one`,
  };
}

/**
 * What follows a message belongs to it: when one of them changes, all are changed to what they are, also one that was
 * taken back meanwhile.
 */
function renderFamily(
  subject: ReportSubject,
  digest: Digest,
  { effect, spread }: { readonly effect: PlannedEffect; readonly spread: readonly PlannedEffect[] },
): readonly unknown[] {
  const followers = effect.part === 0 ? spread : (subject.spread?.(digest, { ...effect, part: 0 }) ?? []);
  return followers.map((follower) => subject.render(digest, follower));
}

function hashContent(rendered: Rendered, followers: readonly unknown[]): string {
  const content = followers.length === 0 ? rendered : [rendered, followers];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
