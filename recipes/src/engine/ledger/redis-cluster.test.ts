import {
  openBackend,
  type RedisBackend,
  silentLog,
  defineRedisScript,
  runRedisScript,
} from '@aftermeet/queue';
import {
  describeEachStore,
  openTestStore,
  type RedisServer,
  startRedisClusterNode,
  type TestStore,
  withConnectionsTo,
} from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { dedupeBy, requestAt, sentAs, startMs } from '../../testing/effect-requests.ts';
import { openLedger, openMeetingIndex } from '../store/open-stores.ts';

describeEachStore(
  'the scripts on a node of a Redis Cluster',
  () => {
    let store: TestStore;
    let server: RedisServer;
    let raw: RedisBackend;
    let backend: RedisBackend;

    beforeAll(async () => {
      server = await startRedisClusterNode('{aftermeet}');
      // A cluster itself is refused, so the backend is that of another server.
      store = await openTestStore('redis');
      const opened = await openBackend(store.queueUrl, { log: silentLog });
      if (opened.kind !== 'redis') throw new Error('not Redis');
      raw = withConnectionsTo(server, opened);
      backend = withDeclaredKeysOnly(raw);
    });
    afterAll(async () => {
      await backend.close();
      await server.stop();
      await store.dispose();
    });

    it('refuses a script that takes a key of another slot, or this test would show nothing', async () => {
      const redis = raw.connect('work');
      const script = defineRedisScript(`return redis.call('GET', 'elsewhere')`);
      await expect(runRedisScript(redis, script, ['{aftermeet}:'], [])).rejects.toThrow('non local key');
      redis.disconnect();
    });

    it('refuses a script that takes an undeclared key of its slot, or this test would show less', async () => {
      const redis = backend.connect('work');
      const script = defineRedisScript(`return redis.call('MGET', KEYS[1], '{aftermeet}:elsewhere')`);
      const asked = runRedisScript(redis, script, ['{aftermeet}:'], []);
      await expect(asked).rejects.toThrow('undeclared key {aftermeet}:elsewhere');
      redis.disconnect();
    });

    it('accepts every step of the ledger', async () => {
      const ledger = await openLedger(backend);
      const request = requestAt(startMs, { dedupe: dedupeBy('s', 'monday', 'v1') });
      expect(await ledger.claim('a', request)).toEqual({ state: 'claimed', fence: 1 });
      expect(await ledger.renew('a', 1, startMs + 1)).toBe(true);
      expect(await ledger.settle('a', 1, { state: 'parked', cause: 'c' }, request)).toBe(true);
      expect(await ledger.reopen('a', startMs)).toBe('parked');
      expect(await ledger.decide('a', 'sent', startMs)).toBe('unknown');
      expect(await ledger.claim('a', request)).toEqual(sentAs(''));
      expect(await ledger.claim('b', request)).toMatchObject({ state: 'skipped' });
      expect(await ledger.read('b', startMs)).toMatchObject({ state: 'skipped' });
      expect(await ledger.list({ states: ['sent', 'skipped'], limit: 5 })).toMatchObject({
        entries: [{ effectKey: 'b' }, { effectKey: 'a' }],
      });
      expect(await ledger.counts()).toMatchObject({ sent: 1, skipped: 1 });
      await ledger.sweep(startMs);
      await ledger.close();
    });

    it('declares keys that are known only from what is stored', async () => {
      const ledger = await openLedger(backend);
      const first = requestAt(startMs, { dedupe: dedupeBy('t', 'monday', 'v1') });
      const moved = requestAt(startMs, { dedupe: dedupeBy('u', 'monday', 'v1') });
      const bare = requestAt(startMs);
      expect(await ledger.claim('t1', first)).toEqual({ state: 'claimed', fence: 1 });
      // The row of the other effect of the dedupe key.
      const others = await Promise.all([ledger.claim('t2', first), ledger.claim('free', bare)]);
      expect(others).toMatchObject([{ state: 'busy' }, { state: 'claimed' }]);
      // The dedupe key of the claim, which is not the one that was sent.
      expect(await ledger.settle('t1', 1, { state: 'unknown', cause: 'c' }, moved)).toBe(true);
      expect(await ledger.claim('t2', first)).toEqual({ state: 'claimed', fence: 1 });
      expect(await ledger.claim('u2', moved)).toMatchObject({ state: 'busy' });
      // The dedupe key that the effect had before.
      expect(await ledger.decide('t1', 'not_sent', startMs)).toBe('unknown');
      expect(await ledger.claim('t1', bare)).toMatchObject({ state: 'claimed', fence: 2 });
      expect(await ledger.claim('u2', moved)).toMatchObject({ state: 'busy' });
      expect(await ledger.settle('t1', 2, { state: 'sent', reference: 'r' }, bare)).toBe(true);
      expect(await ledger.claim('u2', moved)).toMatchObject({ state: 'skipped' });
      await ledger.close();
    });

    it('accepts every step of the meeting index', async () => {
      const index = await openMeetingIndex(backend);
      const note = {
        meetingId: 'm_{1}',
        kind: 'meeting.completed',
        occurrence: '2026-07-07T12:00:00Z',
        endpoint: 'hr',
      };
      expect(await index.note({ ...note, nowMs: startMs })).toBeUndefined();
      expect(await index.list({ fromMs: startMs, toMs: startMs + 1, limit: 9 })).toEqual([
        { meetingId: 'm_{1}', seenAtMs: startMs, completedAt: '2026-07-07T12:00:00Z', endpoint: 'hr' },
      ]);
      await index.noteOrder({ meetingId: 'm_{1}', endpoint: 'hr', nowMs: startMs });
      expect(await index.findOrders(['m_{1}', 'm_2'])).toEqual(new Map([['m_{1}', 'hr']]));
      await index.sweep(startMs);
      await index.close();
    });
  },
  ['redis'],
);

/** A backend whose scripts fail when they take a key that is not in KEYS, as strict servers have it. */
function withDeclaredKeysOnly(backend: RedisBackend): RedisBackend {
  return {
    ...backend,
    connect(use) {
      const client = backend.connect(use);
      return Object.assign(client, {
        evalsha: () => Promise.reject(new Error('NOSCRIPT send the text')),
        eval: (text: string, ...rest: (string | number)[]) =>
          client.call('EVAL', `${declaredKeysGuard}${text}`, ...rest),
      });
    },
  };
}

/** Takes the place of `redis` in the script that follows. */
const declaredKeysGuard = `
local redis = (function(original)
  local declared, severalKeys = {}, { MGET = true, DEL = true, UNLINK = true, EXISTS = true }
  for _, key in ipairs(KEYS) do declared[key] = true end
  local function guard(run)
    return function(command, ...)
      for nth = 1, severalKeys[command] and select('#', ...) or 1 do
        local key = select(nth, ...)
        if not declared[key] then error('undeclared key ' .. tostring(key)) end
      end
      return run(command, ...)
    end
  end
  return {
    call = guard(original.call), pcall = guard(original.pcall), error_reply = original.error_reply
  }
end)(redis)
`;
