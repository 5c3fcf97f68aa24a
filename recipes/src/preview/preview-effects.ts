import type { EffectJob } from '@aftermeet/queue';

import { composeEffect, type ComposingTools } from '../compose-effect.ts';
import { identifyEffect, planRecipe } from '../plan-effects.ts';
import { type BoundRecipe, type MeetingEvent, type PlannedEffect, type Rendered } from '../recipe.ts';

/** One message, page, mail or request as it would be sent, or why it would not be. */
export interface PreviewedEffect extends PlannedEffect {
  readonly rendered?: Rendered;
  readonly skipped?: string;
}

/** As many as anybody reads; a worker knows no such limit. */
const mostEffects = 2000;

export interface PreviewedEffects {
  readonly effects: readonly PreviewedEffect[];
  /** There are more. */
  readonly isCut: boolean;
}

/** The effects of a recipe for an event, each behind the one that asks for it. */
export async function previewEffects(
  recipe: BoundRecipe,
  event: MeetingEvent,
  tools: ComposingTools,
): Promise<PreviewedEffects> {
  let isCut = false;
  const found: PreviewedEffect[] = [];
  const identify = (effect: PlannedEffect): EffectJob =>
    identifyEffect(recipe, event, effect, { workspace: tools.workspace, traceId: undefined });
  const visit = async (job: EffectJob): Promise<void> => {
    if (found.length >= mostEffects) isCut = true;
    if (isCut) return;
    const composition = await composeEffect({ data: job }, recipe, tools);
    const { target, part, item } = job;
    const effect: PlannedEffect = { target, part, ...(item === undefined ? {} : { item }) };
    if (composition.kind === 'composed') found.push({ ...effect, rendered: composition.rendered });
    else if (composition.kind !== 'spread') found.push({ ...effect, skipped: readCause(composition) });
    for (const next of listNext(composition)) await visit(identify(next));
  };
  const planned = planRecipe(recipe, event, { workspace: tools.workspace, traceId: undefined });
  for (const job of planned) await visit(job);
  return { effects: found, isCut };
}

type Composed = Awaited<ReturnType<typeof composeEffect>>;

function listNext(composition: Composed): readonly PlannedEffect[] {
  if (composition.kind === 'spread') return composition.effects;
  return composition.kind === 'composed' ? (composition.spread ?? []) : [];
}

function readCause(composition: Composed): string {
  return 'cause' in composition ? composition.cause : 'nothing is sent';
}
