import type { ReplayChoice, ReplayView } from '@aftermeet/receiver';
import type { OperatorTools, PlanDelivery } from '@aftermeet/recipes';

import { VERDICTS } from '../operate/outcome-words.ts';

/** One replay takes so many deliveries, the oldest of them first. */
const MAX_REPLAYED = 500;

/** What a replay would do, or does: each delivery as `aftermeet deliveries replay` does it, with a note in its meeting. */
export async function replay(
  choice: ReplayChoice,
  { isDryRun, who }: { readonly isDryRun: boolean; readonly who: string },
  operator: OperatorTools & { readonly plan: PlanDelivery | undefined },
): Promise<ReplayView> {
  const { isTriedBy, replayAll } = await import('@aftermeet/recipes');
  const { plan } = operator;
  if (plan === undefined) {
    return { deliveries: 0, isCut: false, effects: [], refused: ['the recipes of the settings cannot run'] };
  }
  const { ids, isCut } = await listReplayed(choice, operator);
  const counts = new Map<string, { words: string; count: number; isChanged: boolean }>();
  const refused = new Set<string>();
  for await (const replayed of replayAll(ids, { isDryRun }, { ...operator, plan })) {
    if (replayed === undefined) {
      refused.add('it is not stored any more');
      continue;
    }
    const { delivery, effects, refused: cause } = replayed;
    if (cause !== undefined) refused.add(cause);
    for (const { verdict } of effects) {
      const { state, replay: words = state } = VERDICTS[verdict];
      const known = counts.get(words) ?? { words, count: 0, isChanged: isTriedBy(verdict) };
      counts.set(words, { ...known, count: known.count + 1 });
    }
    const { meetingId } = delivery;
    if (isDryRun || meetingId === undefined || cause !== undefined) continue;
    const queued = effects.map(({ effectKey, recipe, destination, part }) => ({
      effectKey,
      recipe,
      destination,
      part,
    }));
    const atMs = operator.clock();
    operator.journal.note({ meetingId, note: { kind: 'operated', atMs, who, what: 'replayed' } });
    operator.journal.note({ meetingId, note: { kind: 'followed', atMs, effects: queued } });
  }
  return { deliveries: ids.length, isCut, effects: [...counts.values()], refused: [...refused] };
}

async function listReplayed(
  choice: ReplayChoice,
  { jobAdmin, journal }: OperatorTools,
): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }> {
  if ('meetingId' in choice) {
    const { listMeetingDeliveries } = await import('@aftermeet/recipes');
    return { ids: await listMeetingDeliveries(choice.meetingId, { journal }), isCut: false };
  }
  const ids: string[] = [];
  for await (const page of jobAdmin.listEventIds(choice)) ids.push(...page);
  return { ids: ids.toReversed().slice(0, MAX_REPLAYED), isCut: ids.length > MAX_REPLAYED };
}
