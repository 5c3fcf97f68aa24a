import type { JobOutcome, TakenJob } from '@aftermeet/queue';

import { explainNotSent } from './attempt.ts';
import { bringAbout, type BringAboutRequest } from './bring-about.ts';
import { composeEffect } from './compose-effect.ts';
import { describeLane } from './describe-lane.ts';
import { describeSpread } from './describe-spread.ts';
import { hashTarget } from './effect-key.ts';
import { endUnclaimed } from './end-unclaimed.ts';
import type { Ending } from './ending.ts';
import { findParent } from './find-parent.ts';
import type { LedgerEntry } from './ledger/ledger.ts';
import { identifyEffect } from './plan-effects.ts';
import { queueEffects } from './queue-effects.ts';
import type { RecipeTools } from './recipe-tools.ts';
import { type BoundRecipe, type PlannedEffect, spreadTarget } from './recipe.ts';
import { labelEffect, reportEnding } from './report-ending.ts';
import { isTraceComplete } from './rested-starts.ts';

/** While workers are replaced one by one, an old one may meet the effects of a recipe that only the new ones have. */
const goneLimits = { firstWaitMs: 30_000, longestWaitMs: 300_000, patienceMs: 60 * 60 * 1000 };

/**
 * Runs one effect of a recipe: report, digest, rendering, its turn, and what the ledger says of it, before and after
 * the vendor. An error that nobody expected is told and tried again by the queue; the last one ends the effect.
 */
export async function runRecipe(job: TakenJob<'effect'>, tools: RecipeTools): Promise<JobOutcome<'effect'>> {
  const request = writeRequest(job);
  const end = (ending: Ending): Promise<JobOutcome<'effect'>> => reportEnding(ending, job, request, tools);
  const recipe = tools.recipes.get(job.data.recipe);
  if (recipe === undefined) {
    const cause = `the recipe ${JSON.stringify(job.data.recipe)} is not configured`;
    return await end({ kind: 'retry', why: 'recipe_gone', cause, limits: goneLimits });
  }
  const progress = { spread: job.data.spread ?? 0 };
  let ending: Ending;
  try {
    ending = await runEffect(job, recipe, request, tools, progress);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    if (job.attempt < job.maxAttempts) {
      tools.log.warn(
        { ...labelEffect(job.data), error: name, attempt: job.attempt },
        'an error stood in the way',
      );
      throw error;
    }
    const cause = `an error stood in the way ${job.attempt} times (${name})`;
    ending = await endUnclaimed(job.data.effectKey, { state: 'failed', cause }, request, tools);
  }
  const data = progress.spread > 0 ? { ...job.data, spread: progress.spread } : job.data;
  return await reportEnding(ending, { ...job, data }, request, tools);
}

async function runEffect(
  job: TakenJob<'effect'>,
  recipe: BoundRecipe,
  alone: BringAboutRequest,
  tools: RecipeTools,
  progress: { spread: number },
): Promise<Ending> {
  const { effectKey, target, destination } = job.data;
  const { ledger, clock, carriers } = tools;
  // A first start asks nobody: its claim says the same.
  const known = job.startedTimes > 1 ? await ledger.read(effectKey, clock()) : undefined;
  const end = known && readEnd(known);
  if (end !== undefined) return end;

  const composition = await composeEffect(job, recipe, tools);
  if (composition.kind === 'failed' || composition.kind === 'skipped') {
    const { kind: state, cause } = composition;
    const isSilent = target === spreadTarget;
    return await endUnclaimed(effectKey, { state, cause, isSilent }, alone, tools);
  }
  if (composition.kind === 'spread') return await endSpread(composition.effects, job, recipe, alone, tools);
  if (composition.kind !== 'composed') return composition;
  const parent = await findParent(job, tools);
  if (parent.kind === 'failed' || parent.kind === 'skipped') {
    return await endUnclaimed(effectKey, { state: parent.kind, cause: parent.cause }, alone, tools);
  }
  if (parent.kind !== 'parent') return parent;

  // What is looked for at the destination has had its turn.
  const isUnsettled = known?.state === 'sending' || known?.state === 'unknown';
  const turn = isUnsettled ? undefined : await takeTurn(job, tools);
  if (turn !== undefined) return turn;

  // Once is enough, for each of them would be given another turn; but a report can grow while its message waits.
  const { spread = [] } = composition;
  await queueSpread(spread.slice(progress.spread), job, recipe, tools);
  progress.spread = Math.max(progress.spread, spread.length);

  const preparation = await carriers.prepare(composition.rendered, {
    effectKey,
    target,
    occurrence: job.data.event.occurrence,
    ...(parent.reference === undefined ? {} : { parent: parent.reference }),
  });
  if (preparation.result !== 'ready') {
    const { result, cause } = preparation;
    if (result === 'nobody') return await endUnclaimed(effectKey, { state: 'skipped', cause }, alone, tools);
    if (result !== 'permanent') return explainNotSent(preparation);
    return await endUnclaimed(effectKey, { state: 'failed', cause }, alone, tools);
  }
  const { subject } = composition;
  const request = subject === undefined ? alone : { ...alone, subject };
  const ending = await bringAbout(effectKey, preparation.shipment, request, {
    ledger,
    clock,
    policy: tools.policies[destination],
    unconfirmedTimes: job.data.obstacle?.why === 'unconfirmed' ? job.data.obstacle.times : 0,
    onProbe: (result) => tools.observe({ kind: 'effect_probed', destination, result }),
  });
  // Where it was surely not sent, that stands in the ledger now, whatever was lost before.
  return ending.kind === 'retry' || ending.kind === 'limited' ? { ...ending, isTraced: true } : ending;
}

/** The effects that a report asks for are on their way: this one is over. */
async function endSpread(
  effects: readonly PlannedEffect[],
  job: TakenJob<'effect'>,
  recipe: BoundRecipe,
  request: BringAboutRequest,
  tools: RecipeTools,
): Promise<Ending> {
  await queueSpread(effects, job, recipe, tools);
  const cause = describeSpread(effects.length);
  return await endUnclaimed(job.data.effectKey, { state: 'skipped', cause, isSilent: true }, request, tools);
}

/** Queues what belongs to an effect. Again is harmless: their ids are their keys. */
async function queueSpread(
  effects: readonly PlannedEffect[],
  { data: { event, traceId } }: TakenJob<'effect'>,
  recipe: BoundRecipe,
  tools: RecipeTools,
): Promise<void> {
  if (effects.length === 0) return;
  const { workspace } = tools;
  await queueEffects(
    effects.map((effect) => identifyEffect(recipe, event, effect, { workspace, traceId })),
    tools,
  );
}

async function takeTurn(
  { data, startedTimes }: TakenJob<'effect'>,
  { lanes, policies, clock }: RecipeTools,
): Promise<Ending | undefined> {
  const { destination, turnMs } = data;
  const lane = describeLane(data, policies);
  if (lane.gapMs === 0) return undefined;
  const visit = { lane, ...(turnMs === undefined ? { isReturning: startedTimes > 1 } : { turnMs }) };
  const nowMs = clock();
  const admission = await lanes.enter(visit, nowMs);
  if (admission.kind === 'go') return undefined;
  return {
    kind: 'wait',
    why: admission.isPaused ? 'limited' : 'turn',
    forMs: admission.atMs - nowMs,
    cause: admission.isPaused ? `${destination} asked for a pause` : `its turn at ${destination} comes later`,
    turnMs: admission.turnMs,
  };
}

function readEnd({ state, reference = '', cause = '' }: LedgerEntry): Ending | undefined {
  switch (state) {
    case 'sent':
      return { kind: 'sent', reference, isNew: false };
    case 'skipped':
      return { kind: 'skipped', cause };
    case 'failed':
    case 'parked':
      return { kind: 'failed', cause };
    case 'pending':
    case 'sending':
    case 'unknown':
    default:
      return undefined;
  }
}

function writeRequest(job: TakenJob<'effect'>): BringAboutRequest {
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
