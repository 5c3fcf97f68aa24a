import type { EffectJob, JobOutcome, TakenJob } from '@aftermeet/queue';

import type { BringAboutRequest } from './bring-about.ts';
import { describeLane } from './describe-lane.ts';
import { endUnclaimed } from './end-unclaimed.ts';
import type { Ending } from './ending.ts';
import { clampWait } from './pace/clamp-wait.ts';
import { meetObstacle, retryLater } from './pace/retry-later.ts';
import type { RecipeTools } from './recipe-tools.ts';
import { noteRest, type RestNote } from './rested-starts.ts';
import type { StepLabel } from './worker-step.ts';

/** Tells log, watchers and queue what came of one start of an effect, and whoever wants to hear of failures. */
export async function reportEnding(
  ending: Ending,
  job: TakenJob<'effect'>,
  request: BringAboutRequest,
  tools: RecipeTools,
): Promise<JobOutcome<'effect'>> {
  const { log, observe, clock, policies, random } = tools;
  const { event, destination, effectKey, obstacle } = job.data;
  const label = labelEffect(job.data);
  const wait = (
    { why, forMs, cause }: Pick<Extract<Ending, { kind: 'wait' }>, 'why' | 'forMs' | 'cause'>,
    note: RestNote,
  ): JobOutcome<'effect'> => {
    observe({ kind: 'effect_waiting', why, forMs, cause, ...label });
    return { kind: 'wait', forMs, cause, data: noteRest(job, note) };
  };
  switch (ending.kind) {
    case 'sent': {
      const { reference, isNew } = ending;
      const elapsedMs = Math.max(0, clock() - Date.parse(event.receivedAt));
      log.info({ ...label, reference, elapsedMs }, isNew ? 'sent' : 'was sent before');
      observe({ kind: 'effect_sent', reference, elapsedMs, isNew, ...label });
      return { kind: 'done' };
    }
    case 'skipped':
      log.info({ ...label, cause: ending.cause }, 'nothing to send');
      observe({ kind: 'effect_skipped', cause: ending.cause, ...label });
      return { kind: 'done' };
    case 'failed': {
      const { cause } = ending;
      log.error({ ...label, cause }, 'cannot be sent and is not tried again');
      await tools.alertOfFailure(job.data, cause);
      observe({ kind: 'effect_failed', cause, ...label });
      return { kind: 'failed', cause };
    }
    case 'wait': {
      const { why, forMs, cause, turnMs, isUnconfirmed } = ending;
      log.debug({ ...label, forMs, cause }, 'waits');
      if (isUnconfirmed === true) {
        return wait(ending, { turnMs, obstacle: meetObstacle(obstacle, 'unconfirmed', clock()) });
      }
      // While the key is refused nothing else is anybody's fault.
      return wait(ending, { turnMs, obstacle: why === 'key_refused' ? undefined : obstacle });
    }
    case 'limited': {
      const { cause, isTraced } = ending;
      const met = meetObstacle(obstacle, 'limited', clock());
      const next = retryLater(ending, met, policies[destination], clock(), random);
      if (next.kind === 'failed') return await giveUp(next.cause);
      // What it asks for and no more: everybody in the lane waits as long.
      const forMs = clampWait(ending.forMs);
      log.warn({ ...label, forMs, cause }, 'waits for the destination');
      const { turnMs, inMs = forMs } = await pauseLane(forMs);
      return wait({ why: 'limited', cause, forMs: inMs }, { turnMs, obstacle: met, isTraced });
    }
    case 'retry':
    default: {
      const { why, cause, limits = policies[destination], isTraced } = ending;
      const met = meetObstacle(obstacle, why, clock());
      const next = retryLater(ending, met, limits, clock(), random);
      if (next.kind === 'failed') return await giveUp(next.cause);
      const { forMs } = next;
      log.warn({ ...label, forMs, cause }, 'cannot be sent now, is tried again');
      return wait({ why, forMs, cause }, { obstacle: met, isTraced });
    }
  }

  /** Patience is over. Where an earlier attempt is still under way, that is waited for. */
  async function giveUp(cause: string): Promise<JobOutcome<'effect'>> {
    const end = await endUnclaimed(effectKey, { state: 'failed', cause }, request, tools);
    return await reportEnding(end, job, request, tools);
  }

  /** Everybody in the lane waits, and this effect goes first. */
  async function pauseLane(forMs: number): Promise<{ readonly inMs?: number; readonly turnMs?: number }> {
    const lane = describeLane(job.data, policies);
    if (lane.gapMs === 0) return {};
    const nowMs = clock();
    const { turnMs, atMs } = await tools.lanes.pause(lane, nowMs + forMs, nowMs);
    return { inMs: Math.max(0, atMs - nowMs), turnMs };
  }
}

/** How log lines and steps name an effect. */
export function labelEffect({ recipe, destination, event, effectKey, traceId }: EffectJob): StepLabel {
  const { meetingId } = event;
  return { recipe, destination, meetingId, effectKey, ...(traceId === undefined ? {} : { traceId }) };
}
