import { createGroupedWriter, type RedisBackend } from '@aftermeet/queue';
import { z } from 'zod';

import { groupSettings } from '../store/group-settings.ts';
import { openRedisLink } from '../store/redis-link.ts';
import { type RedisScript, runScript } from '../store/redis-script.ts';
import { effectStateSchema, effectStates, noCounts } from './effect-states.ts';
import { readClaims, readSettled } from './ledger-answers.ts';
import { checkClaim, checkSettlement, type ClaimItem, type SettleItem } from './ledger-items.ts';
import type { Claim, ClaimRequest, EffectState, Ledger } from './ledger.ts';
import { claimScript, listClaim } from './redis-claim-script.ts';
import { listRedisEntries, readRedisEntry } from './redis-entries.ts';
import { decideScript, renewScript, reopenScript } from './redis-repair-scripts.ts';
import { listSettle, settleScript } from './redis-settle-script.ts';
import { retentionMs } from './retention.ts';
import { watchRun } from './watch-run.ts';

/** Deliveries are timed by the receiver, runs of the server by workers. */
const clocksApartMs = 60_000;
const stateSchema = z
  .union([effectStateSchema, z.null()])
  .transform((state): EffectState | undefined => state ?? undefined);

/** Opens the ledger on Redis: a hash for each effect and each subject, changed by scripts only. */
export function openRedisLedger(backend: RedisBackend, clock: () => number = Date.now): Ledger {
  const link = openRedisLink(backend);
  const prefix = `{${backend.namespace}}:ledger:`;
  const { sinceMs } = watchRun(link.client, `${prefix}runs`, clock);
  // Where nothing was forgotten since the delivery, a missing trace means that nothing was tried.
  const complete = (request: ClaimRequest): ClaimRequest =>
    request.isTraceComplete || request.earliestMs <= sinceMs() + clocksApartMs
      ? request
      : { ...request, isTraceComplete: true };
  const run = (script: RedisScript, args: readonly (string | number)[]): Promise<unknown> =>
    link.run(script, [prefix], args);
  const repair = (script: RedisScript, args: readonly (string | number)[]): Promise<unknown> =>
    link.ask((client) => runScript(client, script, [prefix], args));
  const claims = createGroupedWriter<ClaimItem, Claim>(
    async (group) => readClaims(await run(claimScript, group.flatMap(listClaim))),
    groupSettings,
  );
  const settlements = createGroupedWriter<SettleItem, boolean>(
    async (group) => readSettled(await run(settleScript, group.flatMap(listSettle))),
    groupSettings,
  );
  return {
    claim: async (effectKey, request) =>
      await claims.write(checkClaim({ effectKey, request: complete(request) })),
    settle: async (effectKey, fence, settlement, request) =>
      await settlements.write(checkSettlement({ effectKey, fence, settlement, request })),
    renew: async (effectKey, fence, untilMs) =>
      (await repair(renewScript, [effectKey, fence, untilMs])) === 1,
    read: async (effectKey) =>
      readRedisEntry(effectKey, await link.ask((client) => client.hgetall(`${prefix}${effectKey}`))),
    list: (filter) => listRedisEntries(link, prefix, filter),
    async counts() {
      const sizes = await Promise.all(
        effectStates.map((state) => link.ask((client) => client.zcard(`${prefix}state:${state}`))),
      );
      const counts = { ...noCounts };
      for (const [nth, state] of effectStates.entries()) counts[state] = sizes[nth] ?? 0;
      return counts;
    },
    reopen: async (effectKey, nowMs) => stateSchema.parse(await repair(reopenScript, [effectKey, nowMs])),
    async decide(effectKey, verdict, nowMs) {
      const to = verdict === 'sent' ? 'sent' : 'pending';
      return stateSchema.parse(await repair(decideScript, [effectKey, to, nowMs]));
    },
    async sweep(nowMs) {
      // Rows expire by themselves, but not what sorts them.
      for (const [state, keptMs] of Object.entries(retentionMs)) {
        const key = `${prefix}state:${state}`;
        await link.ask((client) => client.zremrangebyscore(key, '-inf', nowMs - keptMs));
      }
    },
    close: () => link.close([claims, settlements]),
  };
}
