import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeEach, expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { sampleFacts, startMs } from '../testing/effect-requests.ts';
import { useLedger } from '../testing/use-ledger.ts';
import type { Outcome } from './outcome.ts';
import type { PreparedSend, UpdateResult } from './prepared-send.ts';
import { sendOnce } from './send-once.ts';

const policy = settlePolicies().of('notion');

describeEachStore(
  'an effect that was left half done',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let nowMs: number;
    let lastKey = 0;
    let calls: string[];
    let update: UpdateResult;

    beforeEach(() => {
      nowMs = startMs;
      lastKey += 1;
      calls = [];
      update = { result: 'sent', reference: 'page-1' };
    });

    function start(): Promise<Outcome> {
      const prepared: PreparedSend = {
        timeoutMs: 10_000,
        send: async () => {
          calls.push('send');
          return { result: 'unknown', cause: 'the second part was not confirmed' };
        },
        probe: async () => ({ result: 'begun', reference: 'page-1' }),
        update: async (reference) => {
          calls.push(`finish ${reference}`);
          return update;
        },
      };
      const request = { facts: sampleFacts, isTraceComplete: true, earliestMs: startMs };
      return sendOnce(`begun-${lastKey}`, prepared, request, {
        ledger: store.ledger,
        clock: () => nowMs,
        policy,
      });
    }

    async function beginAndWait(): Promise<void> {
      expect(await start()).toMatchObject({ kind: 'wait', forMs: 40_000 });
      nowMs += 40_000;
    }

    it.each<[UpdateResult, Outcome['kind']]>([
      [{ result: 'not_sent_retry', cause: 'Notion cannot be reached' }, 'retry'],
      [{ result: 'rate_limited', cause: 'Notion answered 429', retryAfterMs: 60_000 }, 'limited'],
    ])('is finished later, and not made a second time, after %j', async (unfinished, ending) => {
      await beginAndWait();
      update = unfinished;
      for (let count = 0; count < 15; count += 1) {
        expect(await start()).toMatchObject({ kind: ending });
        nowMs += 60_000;
      }
      update = { result: 'sent', reference: 'page-1' };
      expect(await start()).toEqual({ kind: 'sent', reference: 'page-1', sentNow: true });
      expect(calls).toEqual(['send', ...Array.from({ length: 16 }, () => 'finish page-1')]);
    });

    it.each<UpdateResult>([
      { result: 'gone', cause: 'the page is in the bin' },
      { result: 'permanent', cause: 'Notion answered 400' },
      // Nobody knows whether it is whole: it is looked for again first.
      { result: 'unknown', cause: 'Notion did not answer in time' },
    ])('is left to a person when it cannot be finished: $result', async (refused) => {
      await beginAndWait();
      update = refused;
      let ending = await start();
      expect(ending.kind).toBe(refused.result === 'unknown' ? 'wait' : 'failed');
      for (let count = 0; count < 12 && ending.kind === 'wait'; count += 1) {
        nowMs += ending.forMs;
        ending = await start();
      }
      expect(ending).toMatchObject({ kind: 'failed' });
      expect(await store.ledger.read(`begun-${lastKey}`, nowMs)).toMatchObject({ state: 'parked' });
      expect(calls.filter((call) => call === 'send')).toHaveLength(1);
    });
  },
  ['redis', 'embedded'],
);
