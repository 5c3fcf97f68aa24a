import type { EffectJob, FailedJob, JobOutcome, Log, TakenJob } from '@aftermeet/queue';

import { writeAlert } from './alert-text.ts';
import { bringAbout, type EffectTools, type Ending, endUnsent } from './bring-about.ts';
import { hashTarget } from './effect-key.ts';
import type { EffectFacts } from './ledger/ledger.ts';
import { type Carriers, describeLane } from './open-carriers.ts';
import type { Pace } from './pace.ts';
import { readDigest, type ReadingTools } from './read-digest.ts';
import type { BoundRecipe, Rendered } from './recipe.ts';
import { retryLater } from './retry-later.ts';
import type { StepLabel, WorkerStep } from './worker-step.ts';

export interface RecipeTools extends EffectTools, ReadingTools {
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  readonly carriers: Carriers;
  readonly pace: Pace;
  readonly log: Log;
  readonly observe: (step: WorkerStep) => void;
}

/**
 * Runs one effect of a recipe: the ledger says whether it is to be sent, then report, digest, rendering
 * and the vendor.
 */
export async function runRecipe(job: TakenJob<'effect'>, tools: RecipeTools): Promise<JobOutcome> {
  const recipe = tools.recipes.get(job.data.recipe);
  if (recipe === undefined) {
    const cause = `the recipe ${JSON.stringify(job.data.recipe)} is not configured any more`;
    return { kind: 'failed', cause };
  }
  return reportEnding(await runEffect(job, recipe, tools), job, labelEffect(job.data, recipe), tools);
}

/** Tells of an effect that is not tried again. It stays visible among the failed jobs. */
export function reportFailure(
  { data, cause }: FailedJob<'effect'>,
  { recipes, log, observe }: Pick<RecipeTools, 'recipes' | 'log' | 'observe'>,
): void {
  const recipe = data && recipes.get(data.recipe);
  const text = 'cannot be sent and is not tried again; its job stays among the failed ones';
  if (data === undefined || recipe === undefined) {
    log.error({ effectKey: data?.effectKey, recipe: data?.recipe, cause }, text);
    return;
  }
  const label = labelEffect(data, recipe);
  log.error({ ...label, cause }, text);
  observe({ kind: 'effect_failed', cause, ...label });
}

async function runEffect(job: TakenJob<'effect'>, recipe: BoundRecipe, tools: RecipeTools): Promise<Ending> {
  const { effectKey, target } = job.data;
  const { destination } = recipe.prebuilt;
  const known = await tools.ledger.read(effectKey, tools.clock());
  if (known?.state === 'sent') return { kind: 'sent', reference: known.reference, isNew: false };
  if (known?.state === 'failed') return { kind: 'failed', cause: known.cause };

  const facts = listFacts(job.data, destination);
  const { lane, gapMs } = describeLane(destination, target);
  const { startedTimes } = job;
  const admission = tools.pace.enter({ effectKey, lane, gapMs, destination, startedTimes });
  if (admission.kind === 'wait') {
    await tools.ledger.rest(effectKey, startedTimes, facts);
    return admission;
  }
  try {
    const ending = await sendEffect(job, recipe, facts, tools);
    if (ending.kind === 'limited') tools.pace.pause(lane, ending.forMs);
    return ending;
  } finally {
    admission.leave();
  }
}

async function sendEffect(
  { data, startedTimes }: TakenJob<'effect'>,
  recipe: BoundRecipe,
  facts: EffectFacts,
  tools: RecipeTools,
): Promise<Ending> {
  const { effectKey, target, event } = data;
  const rest = async <Kind extends Ending>(ending: Kind): Promise<Kind> => {
    await tools.ledger.rest(effectKey, startedTimes, facts);
    return ending;
  };
  let rendered: Rendered;
  if (recipe.subject.from === 'event') rendered = recipe.subject.render(writeAlert(event));
  else {
    const reading = await readDigest(event, startedTimes, tools).catch(async (error: unknown) => {
      await tools.ledger.rest(effectKey, startedTimes, facts);
      throw error;
    });
    if (reading.kind !== 'digest') return await rest(reading);
    rendered = recipe.subject.render(reading.digest);
  }
  const preparation = await tools.carriers.prepare(rendered, { effectKey, target });
  if (preparation.result !== 'ready') return await rest(endUnsent(preparation));
  const receivedMs = Date.parse(event.receivedAt);
  const earliestMs = Number.isNaN(receivedMs) ? tools.clock() : receivedMs;
  return await bringAbout(effectKey, preparation.shipment, { facts, startedTimes, earliestMs }, tools);
}

function reportEnding(
  ending: Ending,
  { data, startedTimes }: TakenJob<'effect'>,
  label: StepLabel,
  { log, observe, clock }: RecipeTools,
): JobOutcome {
  if (ending.kind === 'sent') {
    log.info({ ...label, reference: ending.reference }, ending.isNew ? 'sent' : 'was sent before');
    observe({ kind: 'effect_sent', reference: ending.reference, ...label });
    return { kind: 'done' };
  }
  if (ending.kind === 'failed') return ending;
  const { receivedAt } = data.event;
  const next = ending.kind === 'retry' ? retryLater(ending, { startedTimes, receivedAt }, clock()) : ending;
  if (next.kind === 'failed') return next;
  const { forMs, cause } = next;
  if (ending.kind === 'retry') log.warn({ ...label, forMs, cause }, 'cannot be sent now, is tried again');
  else log.debug({ ...label, forMs, cause }, 'waits');
  observe({ kind: 'effect_waiting', forMs, cause, ...label });
  return { kind: 'wait', forMs, cause };
}

function labelEffect(job: EffectJob, recipe: BoundRecipe): StepLabel {
  return {
    recipe: recipe.name,
    destination: recipe.prebuilt.destination,
    meetingId: job.event.meetingId,
    effectKey: job.effectKey,
  };
}

function listFacts(job: EffectJob, destination: string): EffectFacts {
  return {
    recipe: job.recipe,
    destination,
    eventKind: job.event.kind,
    meetingId: job.event.meetingId,
    occurrence: job.event.occurrence,
    targetHash: hashTarget(job.target),
    part: job.part,
  };
}
