import type { RedisBackend } from '@aftermeet/queue';
import { z } from 'zod';

import { endWithin } from './end-within.ts';
import {
  type Claim,
  type EffectFacts,
  type EndState,
  isProbeUsed,
  type Ledger,
  retentionMs,
  type Settlement,
} from './ledger.ts';
import { claimScript, renewScript, restScript, settleScript } from './redis-scripts.ts';

const millis = z.coerce.number();
const claimReplySchema = z.union([
  z.tuple([z.literal('claimed'), millis]).transform(([state, fence]): Claim => ({ state, fence })),
  z
    .tuple([z.literal('probe'), millis, millis, millis])
    .transform(([state, fence, firstIntentAtMs, probes]): Claim => ({
      state,
      fence,
      firstIntentAtMs,
      probes,
    })),
  z.tuple([z.literal('busy'), millis]).transform(([state, untilMs]): Claim => ({ state, untilMs })),
  z.tuple([z.literal('sent'), z.string()]).transform(([state, reference]): Claim => ({ state, reference })),
  z.tuple([z.literal('failed'), z.string()]).transform(([state, cause]): Claim => ({ state, cause })),
]);
const flagSchema = z.union([z.literal(0), z.literal(1)]).transform((flag) => flag === 1);

const closeWithinMs = 1000;

/** Opens the ledger on Redis: one hash for each effect, changed by scripts only. */
export function openRedisLedger(backend: RedisBackend): Ledger {
  const redis = backend.connect('work');
  const keyOf = (effectKey: string): string => `{${backend.namespace}}:ledger:${effectKey}`;
  const run = (script: string, effectKey: string, args: readonly (string | number)[]): Promise<unknown> =>
    redis.eval(script, 1, keyOf(effectKey), ...args);
  return {
    async read(effectKey) {
      const [state, reference, cause] = await redis.hmget(keyOf(effectKey), 'state', 'reference', 'cause');
      return readEnd(state, reference, cause);
    },
    async claim(effectKey, { nowMs, leaseMs, startedTimes, earliestMs, facts }) {
      const args = [nowMs, leaseMs, startedTimes, earliestMs, ...listFacts(facts)];
      return claimReplySchema.parse(await run(claimScript, effectKey, args));
    },
    async renew(effectKey, fence, untilMs) {
      return flagSchema.parse(await run(renewScript, effectKey, [fence, untilMs]));
    },
    async settle(effectKey, fence, settlement, _nowMs, facts) {
      const reference = settlement.state === 'sent' ? settlement.reference : '';
      const cause = 'cause' in settlement ? settlement.cause : '';
      const outcome = [
        settlement.state,
        reference,
        cause,
        keepMs(settlement),
        isProbeUsed(settlement) ? 1 : 0,
      ];
      const args = [fence, ...outcome, ...listFacts(facts)];
      return flagSchema.parse(await run(settleScript, effectKey, args));
    },
    async rest(effectKey, startedTimes, facts) {
      await run(restScript, effectKey, [startedTimes, retentionMs.pending, ...listFacts(facts)]);
    },
    // Redis forgets by itself.
    sweep: async () => {},
    async close() {
      // A server that is away, or does not answer, is not waited for.
      if (redis.status === 'ready') await endWithin(redis.quit(), closeWithinMs);
      redis.disconnect();
    },
  };
}

function keepMs(settlement: Settlement): number {
  return settlement.state === 'unknown' ? 0 : retentionMs[settlement.state];
}

function readEnd(
  state: string | null | undefined,
  reference: string | null | undefined,
  cause: string | null | undefined,
): EndState | undefined {
  if (state === 'sent') return { state, reference: reference ?? '' };
  return state === 'failed' ? { state, cause: cause ?? '' } : undefined;
}

function listFacts(facts: EffectFacts): string[] {
  const fields = {
    recipe: facts.recipe,
    destination: facts.destination,
    event_kind: facts.eventKind,
    meeting_id: facts.meetingId,
    occurrence: facts.occurrence,
    target_hash: facts.targetHash,
    part: String(facts.part),
  };
  return Object.entries(fields).flat();
}
