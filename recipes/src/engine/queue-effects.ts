import type { EffectJob, JobQueue } from '@aftermeet/queue';

import { slackChannelId } from '../slack/message.ts';
import { hashTarget } from './effect-key.ts';
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
  const hasLimit = ({ destination }: EffectJob): boolean => policies[destination].gapMs > 0;
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
      if (slot === undefined) return { job };
      const delayMs = Math.max(0, slot.atMs - nowMs);
      return { job: { ...job, turnMs: slot.turnMs }, ...(delayMs === 0 ? {} : { delayMs }) };
    }),
  );
}

/** A row looks up whether it exists, and leaves room for the pages of other meetings. */
const ROW_GAPS = 3;

/**
 * The rate limit of an effect: per Slack channel, per Notion connection, per mail server, per address that is posted to.
 * Rows of tasks have one of their own, so that a meeting with hundreds of tasks does not delay the pages. Names hold no
 * addresses: the target of a person is hashed.
 */
export function describeRateLimit(
  { destination, target, item }: Pick<EffectJob, 'destination' | 'target' | 'item'>,
  policies: DeliveryPolicies,
): RateLimit {
  const { gapMs } = policies[destination];
  if (destination === 'notion' && item !== undefined) return { name: 'notion rows', gapMs: ROW_GAPS * gapMs };
  // Its host and a hash.
  if (destination === 'http') return { name: `http ${target}`, gapMs };
  if (destination !== 'slack') return { name: destination, gapMs };
  return { name: `slack ${slackChannelId.test(target) ? target : hashTarget(target)}`, gapMs };
}
