import type { EffectJob } from '@aftermeet/queue';

import { hashTarget } from '../effect-key.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { spreadTarget } from '../recipe.ts';
import type { PlanDelivery } from './create-planner.ts';
import type { OperatorTools } from './operator-tools.ts';

export interface RebuildTools extends Pick<OperatorTools, 'desk'> {
  /** Makes a job anew that is gone; absent: only jobs that are still there are repeated. */
  readonly plan?: PlanDelivery;
}

/** What has a worker go on with an effect whose job is gone. */
type RebuiltJob =
  | { readonly kind: 'job'; readonly job: EffectJob }
  /** The job of the effect that reads the report and plans it, because nothing else knows where it goes. */
  | { readonly kind: 'planner'; readonly job: EffectJob };

/** How far the moment of the delivery and that of its job may lie apart. */
const slackMs = 60_000;

/** The ledger keeps no targets, but the delivery that caused the effect does; undefined when it is not kept any more. */
export async function rebuildJob(
  entry: LedgerEntry,
  { desk, plan }: RebuildTools,
): Promise<RebuiltJob | undefined> {
  if (plan === undefined) return undefined;
  const range = { fromMs: entry.receivedAtMs - slackMs, toMs: entry.receivedAtMs + slackMs };
  for await (const { id, data } of desk.listEvents(range)) {
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
  // What follows a message goes where that went.
  const [first, ...others] = related.filter(({ target }) => hashTarget(target) === targetHash);
  if (part > 0 && first !== undefined && others.length === 0) {
    return { kind: 'job', job: { ...first, effectKey, part } };
  }
  const planner = related.find(({ target }) => target === spreadTarget);
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
