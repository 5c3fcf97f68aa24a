import {
  openBackend,
  type RedisBackend,
  silentLog,
  defineRedisScript,
  runRedisScript,
} from '@aftermeet/queue';
import { describeEachStore, type RedisServer, startRedisClusterNode } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { aboutSubject, requestAt, sentAs, startMs } from '../../testing/effect-requests.ts';
import { openLedger, openMeetingIndex } from '../store/open-stores.ts';

describeEachStore(
  'the scripts on a node of a Redis Cluster',
  () => {
    let server: RedisServer;
    let backend: RedisBackend;

    beforeAll(async () => {
      server = await startRedisClusterNode('{aftermeet}');
      const opened = await openBackend(server.url, { log: silentLog });
      if (opened.kind !== 'redis') throw new Error('not Redis');
      backend = opened;
    });
    afterAll(async () => {
      await backend.close();
      await server.stop();
    });

    it('refuses a script that takes a key of another slot, or this test would show nothing', async () => {
      const redis = backend.connect('work');
      const script = defineRedisScript(`return redis.call('GET', 'elsewhere')`);
      await expect(runRedisScript(redis, script, ['{aftermeet}:'], [])).rejects.toThrow('non local key');
      redis.disconnect();
    });

    it('accepts every step of the ledger', async () => {
      const ledger = await openLedger(backend, silentLog);
      const request = requestAt(startMs, { subject: aboutSubject('s', 'monday', 'v1') });
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

    it('accepts every step of the meeting index', async () => {
      const index = await openMeetingIndex(backend, silentLog);
      const note = { meetingId: 'm_{1}', kind: 'meeting.completed', occurrence: '2026-07-07T12:00:00Z' };
      expect(await index.note({ ...note, nowMs: startMs })).toBeUndefined();
      expect(await index.list({ fromMs: startMs, toMs: startMs + 1, limit: 9 })).toEqual([
        { meetingId: 'm_{1}', seenAtMs: startMs, completedAt: '2026-07-07T12:00:00Z' },
      ]);
      await index.sweep(startMs);
      await index.close();
    });
  },
  ['redis'],
);
