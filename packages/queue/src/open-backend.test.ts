import { createServer } from 'node:net';

import { describeEachStore, type RedisServer, startRedisServer } from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Log, openBackend, silentLog } from './index.ts';

describe('opening a backend', () => {
  it.each([
    ['kafka://me:secret@host', 'the queue address is wrong: found the scheme kafka:'],
    ['redis://me:secret@127.0.0.1:1', "Redis at redis://…@127.0.0.1:1 can't be used: connect ECONNREFUSED"],
    [
      'postgres://me:secret@127.0.0.1:1/a',
      "PostgreSQL at postgres://…@127.0.0.1:1/a can't be used: connect ECONNREFUSED",
    ],
  ])('%s is one clear error', async (queueUrl, message) => {
    const error: unknown = await openBackend(queueUrl, { log: silentLog }).catch((reason: unknown) => reason);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('secret');
  });

  it('refuses a namespace that could not be a schema', async () => {
    await expect(openBackend('redis://127.0.0.1:1', { log: silentLog, namespace: 'a"b' })).rejects.toThrow(
      'expected 1 to 40 lower-case letters, digits and _',
    );
  });

  it.concurrent.each(['redis', 'postgres'])('gives up on a %s server that never answers', async (scheme) => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const beganMs = performance.now();
    await expect(openBackend(`${scheme}://127.0.0.1:${port}`, { log: silentLog })).rejects.toThrow(
      "can't be used",
    );
    expect(performance.now() - beganMs).toBeLessThan(6500);
    silent.close();
  });
});

describeEachStore(
  'the settings of a server',
  () => {
    let server: RedisServer;
    let admin: Redis;
    beforeAll(async () => {
      server = await startRedisServer();
      admin = new Redis(server.url);
    });
    afterAll(async () => {
      admin.disconnect();
      await server.stop();
    });

    async function findWarnings(url = server.url): Promise<string[]> {
      const warnings: string[] = [];
      const log: Log = { ...silentLog, warn: (_fields, text) => warnings.push(text) };
      const backend = await openBackend(url, { log });
      await backend.close();
      return warnings;
    }

    it('are fine as they should be', async () => {
      expect(await findWarnings()).toEqual([]);
    });

    it('are warned of when jobs could be evicted or forgotten', async () => {
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru', 'appendonly', 'no');
      expect(await findWarnings()).toEqual([
        'this Redis may evict jobs when its memory is full: set maxmemory-policy noeviction',
        'this Redis forgets accepted deliveries when it crashes: set appendonly yes',
      ]);
    });

    it('are said to be unknown when the server does not show them', async () => {
      await admin.acl('SETUSER', 'guest', 'on', '>guest', '~*', '&*', '+@all', '-config');
      const url = server.url.replace('redis://', 'redis://guest:guest@');
      expect(await findWarnings(url)).toEqual([
        'this Redis does not show its settings: make sure that maxmemory-policy is noeviction and that persistence (appendonly yes) is on',
      ]);
    });
  },
  ['redis'],
);
