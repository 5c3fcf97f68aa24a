import type { EffectJob, JobQueue } from '@aftermeet/queue';

import { describeLane } from './describe-lane.ts';
import type { Lanes } from './pace/lanes.ts';
import type { DeliveryPolicies } from './pace/policy.ts';

export interface QueueingTools {
  readonly queue: Pick<JobQueue, 'addEffects'>;
  readonly lanes: Pick<Lanes, 'reserve'>;
  readonly policies: DeliveryPolicies;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Queues planned effects. One that shares a limit gets its turn now, and its job sleeps until then: a long line in
 * front of one channel costs the others nothing. What is queued already stays as it is.
 */
export async function queueEffects(
  effects: readonly EffectJob[],
  { queue, lanes, policies, clock }: QueueingTools,
): Promise<void> {
  const limited = effects.filter(({ destination }) => policies[destination].gapMs > 0);
  const nowMs = clock();
  const turns =
    limited.length === 0
      ? []
      : await lanes.reserve(
          limited.map((effect) => describeLane(effect, policies)),
          nowMs,
        );
  const turnOf = new Map(limited.map(({ effectKey }, index) => [effectKey, turns[index]]));
  await queue.addEffects(
    effects.map((job) => {
      const turn = turnOf.get(job.effectKey);
      if (turn === undefined) return { job };
      const delayMs = Math.max(0, turn.atMs - nowMs);
      return { job: { ...job, turnMs: turn.turnMs }, ...(delayMs === 0 ? {} : { delayMs }) };
    }),
  );
}
