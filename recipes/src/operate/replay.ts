import type { EffectJob, StoredJob } from '@aftermeet/queue';

import { isOvertaken } from '../fan-out.ts';
import { usualMaxAgeMs } from '../plan-effects.ts';
import type { PlanDelivery } from './create-planner.ts';
import { type EffectVerdict, isTriedBy, judgeEffect } from './judge-effect.ts';
import type { OperatorTools } from './operator-tools.ts';
import { readDelivery, type StoredDelivery } from './read-delivery.ts';
import { repeatJob } from './repeat-job.ts';

export interface ReplayTools extends Pick<OperatorTools, 'desk' | 'queue' | 'ledger' | 'meetings' | 'clock'> {
  readonly plan: PlanDelivery;
}

export interface ReplayOptions {
  /** Only this recipe's effects. */
  readonly recipe?: string;
  /** Says what would happen, and changes nothing. */
  readonly isDryRun?: boolean;
  /** Also deliveries from before the time that the ledger remembers. */
  readonly isForced?: boolean;
}

/** An effect of a delivery and where it stands: no target, because that can be an address. */
export interface JudgedEffect {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: EffectJob['destination'];
  readonly part: number;
  readonly verdict: EffectVerdict;
  /** Why the ledger has it so; holds no address. */
  readonly cause?: string;
}

export interface ReplayedDelivery {
  readonly delivery: StoredDelivery;
  readonly effects: readonly JudgedEffect[];
  /** Why nothing of it is replayed. */
  readonly refused?: string;
}

/**
 * Replays a stored delivery with the recipes of now, under the keys that the worker makes: what was sent is not sent
 * again, what has failed is tried again, what nobody has heard of (of a recipe that is new, say) is queued. Twice
 * does no harm.
 */
export async function replayDelivery(
  job: StoredJob<'event'>,
  { recipe, isDryRun = false, isForced = false }: ReplayOptions,
  tools: ReplayTools,
): Promise<ReplayedDelivery> {
  const delivery = readDelivery(job);
  const planned = await planReplay(job, isForced, tools);
  if (!planned.ok) return { delivery, effects: [], refused: planned.cause };
  if (planned.isUnnoted && !isDryRun) await noteMeeting(delivery, tools);
  const effects: JudgedEffect[] = [];
  for (const effect of planned.effects) {
    if (recipe !== undefined && effect.recipe !== recipe) continue;
    const judged = await judgePlanned(effect, tools);
    effects.push(judged);
    if (!isDryRun && isTriedBy(judged.verdict)) await repeatJob(effect, tools);
  }
  return { delivery, effects };
}

/** Where the effects of a stored delivery stand, of the recipes of now; none when it causes nothing. */
export async function judgeDelivery(
  job: StoredJob<'event'>,
  tools: Pick<ReplayTools, 'plan' | 'ledger' | 'desk' | 'clock'>,
): Promise<readonly JudgedEffect[]> {
  const plan = job.data === undefined ? undefined : tools.plan(job.data, job.id);
  return plan?.ok === true
    ? await Promise.all(plan.effects.map((effect) => judgePlanned(effect, tools)))
    : [];
}

type PlannedReplay =
  | {
      readonly ok: true;
      readonly effects: readonly EffectJob[];
      /** Its job has failed before the meeting was noted: without a note it would be reconciled too. */
      readonly isUnnoted: boolean;
    }
  | { readonly ok: false; readonly cause: string };

async function planReplay(
  { id, data, state, cause }: StoredJob<'event'>,
  isForced: boolean,
  { plan, meetings, clock }: ReplayTools,
): Promise<PlannedReplay> {
  if (data === undefined) return { ok: false, cause: cause ?? 'the data of its job cannot be read' };
  // It causes its effects by itself.
  if (state !== 'completed' && state !== 'failed') return { ok: false, cause: 'no worker has taken it yet' };
  const planned = plan(data, id);
  if (!planned.ok) return planned;
  const isForgotten = !(clock() - Date.parse(data.receivedAt) <= usualMaxAgeMs);
  if (!isForced && (planned.isTooOld || isForgotten)) {
    return {
      ok: false,
      cause: 'it is older than the ledger remembers, so nobody knows what was sent for it',
    };
  }
  const [seen] = await meetings.find([planned.event.meetingId]);
  if (isOvertaken(planned.event, seen)) {
    return { ok: false, cause: 'its meeting has completed since, so its failure is not told any more' };
  }
  return { ok: true, effects: planned.effects, isUnnoted: seen === undefined };
}

async function noteMeeting(
  { meetingId, kind, occurrence, receivedAtMs }: StoredDelivery,
  { meetings, clock }: Pick<ReplayTools, 'meetings' | 'clock'>,
): Promise<void> {
  if (meetingId === undefined || kind === undefined) return;
  const at = occurrence ?? new Date(receivedAtMs).toISOString();
  await meetings.note({ meetingId, kind, occurrence: at, nowMs: clock() });
}

async function judgePlanned(
  { effectKey, recipe, destination, part }: EffectJob,
  { ledger, desk, clock }: Pick<ReplayTools, 'ledger' | 'desk' | 'clock'>,
): Promise<JudgedEffect> {
  const [entry, job] = await Promise.all([
    ledger.read(effectKey, clock()),
    desk.findEffect(destination, effectKey),
  ]);
  const cause = entry?.cause;
  const verdict = judgeEffect(entry, job);
  return { effectKey, recipe, destination, part, verdict, ...(cause === undefined ? {} : { cause }) };
}
