import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createEndpointLines } from '../endpoint-lines.ts';
import { toInboxEntry } from '../inbox-store.ts';
import { runRedisScript } from './redis-backend.ts';
import { acceptScript, toAcceptCall } from './redis-inbox.ts';

describeEachStore(
  'the accept script',
  (kind) => {
    let store: TestStore;
    let admin: Redis;
    beforeAll(async () => {
      store = await openTestStore(kind);
      admin = new Redis(store.queueUrl);
    });
    afterAll(async () => {
      await admin.acl('DELUSER', 'declared');
      admin.disconnect();
      await store.dispose();
    });

    it('touches no key that it does not declare', async () => {
      const job = { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' };
      const group = [
        toInboxEntry({ jobId: 'job-1', job, keepSeconds: 60, deliveryKey: 'default/d-1' }),
        toInboxEntry({ jobId: 'job-2', job, keepSeconds: 60, deliveryKey: 'default/d-1' }),
        toInboxEntry({ jobId: 'job-1', job, keepSeconds: 60 }),
      ];
      const { keys, parameters } = toAcceptCall(
        'strict',
        group,
        createEndpointLines().request(group.map(({ endpoint }) => endpoint)),
        1_783_425_600_000,
      );
      // A user for whom all other keys are forbidden.
      await admin.acl(
        'SETUSER',
        'declared',
        'reset',
        'on',
        'nopass',
        '+@all',
        ...keys.map((key) => `~${key}`),
      );
      const client = new Redis(store.queueUrl, { username: 'declared', password: 'any' });
      expect(await runRedisScript(client, acceptScript, keys, parameters)).toBe('1:0:021');
      expect(await client.zcard('{strict}:events:prioritized')).toBe(2);
      await expect(client.get('{strict}:mark:job-3')).rejects.toThrow('NOPERM');
      client.disconnect();
    });
  },
  ['redis'],
);
