import type { JobOutcome, TakenJob } from '@aftermeet/queue';

import { explainNotSent } from './attempt.ts';
import { bringAbout, type BringAboutRequest } from './bring-about.ts';
import { composeEffect } from './compose-effect.ts';
import { hashTarget } from './effect-key.ts';
import { endUnclaimed } from './end-unclaimed.ts';
import type { Ending } from './ending.ts';
import type { LedgerEntry } from './ledger/ledger.ts';
import { describeLane } from './open-carriers.ts';
import type { RecipeTools } from './recipe-tools.ts';
import type { BoundRecipe } from './recipe.ts';
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
  let ending: Ending;
  try {
    ending = await runEffect(job, recipe, request, tools);
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
  return await end(ending);
}

async function runEffect(
  job: TakenJob<'effect'>,
  recipe: BoundRecipe,
  alone: BringAboutRequest,
  tools: RecipeTools,
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
    return await endUnclaimed(effectKey, { state, cause }, alone, tools);
  }
  if (composition.kind !== 'composed') return composition;

  // What is looked for at the destination has had its turn.
  const isUnsettled = known?.state === 'sending' || known?.state === 'unknown';
  const turn = isUnsettled ? undefined : await takeTurn(job, tools);
  if (turn !== undefined) return turn;

  const preparation = await carriers.prepare(composition.rendered, { effectKey, target });
  if (preparation.result !== 'ready') {
    const { result, cause } = preparation;
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

async function takeTurn(
  { data, startedTimes }: TakenJob<'effect'>,
  { lanes, policies, clock }: RecipeTools,
): Promise<Ending | undefined> {
  const { destination, target, turnMs } = data;
  const { gapMs } = policies[destination];
  if (gapMs === 0) return undefined;
  const lane = { name: describeLane(destination, target).name, gapMs };
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
