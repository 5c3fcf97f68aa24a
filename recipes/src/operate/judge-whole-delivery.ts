import type { EffectJob, StoredJob } from '@aftermeet/queue';

import { effectStates } from '../ledger/effect-states.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { judgeEffect } from './judge-effect.ts';
import { listEffects } from './list-effects.ts';
import { judgeDelivery, type JudgedEffect, type ReplayTools } from './replay.ts';

type JudgingTools = Pick<ReplayTools, 'plan' | 'ledger' | 'desk' | 'clock'>;

/**
 * Where all effects of a stored delivery stand: those that are planned from the event, and behind those of each recipe
 * what its report has asked for. That is known of the ledger alone, which is read as a whole, and of an effect only once
 * a worker has begun it.
 */
export async function judgeWholeDelivery(
  job: StoredJob<'event'>,
  tools: JudgingTools,
): Promise<readonly JudgedEffect[]> {
  const planned = await judgeDelivery(job, tools);
  const plan = job.data === undefined ? undefined : tools.plan(job.data, job.id);
  if (plan?.ok !== true || planned.length === 0) return planned;
  const followers = await judgeFollowers(plan.event, plan.effects, tools);
  return planned.flatMap((effect, index) => {
    const isLast = planned[index + 1]?.recipe !== effect.recipe;
    return isLast ? [effect, ...followers.filter(({ recipe }) => recipe === effect.recipe)] : [effect];
  });
}

async function judgeFollowers(
  event: EffectJob['event'],
  planned: readonly EffectJob[],
  { ledger, desk }: JudgingTools,
): Promise<readonly JudgedEffect[]> {
  const keys = new Set(planned.map(({ effectKey }) => effectKey));
  const destinations = new Map(planned.map(({ recipe, destination }) => [recipe, destination]));
  const found: JudgedEffect[] = [];
  for await (const entry of listEffects({ states: effectStates, meetingId: event.meetingId }, ledger)) {
    const destination = destinations.get(entry.recipe);
    if (destination === undefined || keys.has(entry.effectKey) || !isOf(event, entry)) continue;
    const { effectKey, recipe, part, cause } = entry;
    const verdict = judgeEffect(entry, await desk.findEffect(destination, effectKey));
    found.push({ effectKey, recipe, destination, part, verdict, ...(cause === undefined ? {} : { cause }) });
  }
  return found.toSorted((one, other) => one.part - other.part);
}

/** Two effects of one recipe and one event differ in what they are for alone. */
function isOf({ kind, occurrence }: EffectJob['event'], entry: LedgerEntry): boolean {
  return entry.eventKind === kind && entry.occurrence === occurrence;
}
