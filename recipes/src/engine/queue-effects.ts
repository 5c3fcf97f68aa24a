import { carryTrace, type EffectJob, type JobQueue } from '@aftermeet/queue';

import type { DeliveryPolicies } from './limits/policy.ts';
import type { RateLimit, RateLimits } from './limits/rate-limits.ts';

export interface QueueingTools {
  readonly queue: Pick<JobQueue, 'addEffects' | 'findQueued'>;
  readonly rateLimits: Pick<RateLimits, 'reserve'>;
  readonly policies: DeliveryPolicies;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Queues planned effects. An effect with a rate limit gets its slot now, and its job is delayed until then: a long line in
 * front of one channel costs the others nothing. Queued effects stay unchanged; where some may be queued already, they
 * are looked up first, because a slot that is reserved again delays the whole channel.
 */
export async function queueEffects(
  effects: readonly EffectJob[],
  { queue, rateLimits, policies, clock }: QueueingTools,
  { mayBeQueued = false }: { readonly mayBeQueued?: boolean } = {},
): Promise<void> {
  const hasLimit = ({ destination }: EffectJob): boolean => policies.of(destination).gapMs > 0;
  const queued = mayBeQueued ? await queue.findQueued(effects.filter(hasLimit)) : new Set<string>();
  const fresh = effects.filter(({ effectKey }) => !queued.has(effectKey));
  const limited = fresh.filter(hasLimit);
  const nowMs = clock();
  const slots =
    limited.length === 0
      ? []
      : await rateLimits.reserve(
          limited.map((effect) => describeRateLimit(effect, policies)),
          nowMs,
        );
  const slotOf = new Map(limited.map(({ effectKey }, index) => [effectKey, slots[index]]));
  await queue.addEffects(
    fresh.map((job) => {
      const slot = slotOf.get(job.effectKey);
      if (slot === undefined) return { job: carryTrace(job) };
      const delayMs = Math.max(0, slot.atMs - nowMs);
      return {
        job: carryTrace({ ...job, slotMs: slot.slotMs }),
        place: slot.place,
        ...(delayMs === 0 ? {} : { delayMs }),
      };
    }),
  );
}

/** The rate limit of an effect. Its name holds no address. */
export function describeRateLimit(
  { destination, target, item }: Pick<EffectJob, 'destination' | 'target' | 'item'>,
  policies: DeliveryPolicies,
): RateLimit {
  const { gapMs, shareRateLimit } = policies.of(destination);
  const { name, gaps = 1 } = shareRateLimit?.({ target, item }) ?? { name: destination };
  return { name, gapMs: gaps * gapMs };
}
