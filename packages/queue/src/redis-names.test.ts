import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  describeEachStore,
  findFreePort,
  makeTemporaryFolder,
  selfSigned,
  startRedisServer,
  startWatchedRedis,
} from '@aftermeet/test/support';
import { describe, expect, it } from 'vitest';

import { createInbox, openBackend, silentLog } from './index.ts';
import { takeEvents } from './testing/take-events.ts';

const log = silentLog;
const job = { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' };
const acceptanceOf = (jobId: string) => ({ jobId, job, keepSeconds: 60, deliveryKey: jobId });

describeEachStore(
  'Redis behind sentinels',
  () => {
    it('is followed to the server that takes the place of the master', async () => {
      const redis = await startWatchedRedis();
      try {
        const address = `redis+sentinel://127.0.0.1:1,127.0.0.1:${redis.port}/main`;
        const backend = await openBackend(address, { log });
        expect(backend.name).toBe(address);
        const inbox = await createInbox(backend, { log });
        const worker = takeEvents(backend);
        expect(await inbox.accept(acceptanceOf('job-1'))).toMatchObject({ kind: 'accepted' });
        await expect.poll(() => worker.taken, { timeout: 10_000 }).toEqual(['job-1']);
        await redis.killMaster();
        await expect
          .poll(
            () =>
              inbox.accept(acceptanceOf('job-2')).then(
                ({ kind }) => kind,
                () => 'away',
              ),
            {
              timeout: 30_000,
              interval: 200,
            },
          )
          .toMatch(/accepted|duplicate/);
        await expect.poll(() => worker.taken, { timeout: 20_000 }).toContain('job-2');
        await worker.close();
        await inbox.close();
        await backend.close();
      } finally {
        await redis.stop();
      }
    }, 120_000);
  },
  ['redis'],
);

describeEachStore(
  'Redis with TLS',
  () => {
    it('is used with the certificates of a file, and refused without them', async () => {
      const folder = await makeTemporaryFolder();
      const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
      await writeFile(key, selfSigned.key);
      await writeFile(cert, selfSigned.cert);
      const port = await findFreePort();
      const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
      const server = await startRedisServer([
        '--tls-port',
        String(port),
        '--tls-auth-clients',
        'no',
        ...files,
      ]);
      try {
        const backend = await openBackend(`valkeys://127.0.0.1:${port}/3?ca=${cert}`, { log });
        const inbox = await createInbox(backend, { log });
        expect(await inbox.accept(acceptanceOf('job-1'))).toMatchObject({ kind: 'accepted' });
        await inbox.close();
        await backend.close();
        await expect(openBackend(`rediss://127.0.0.1:${port}`, { log })).rejects.toThrow(/self.signed/);
        await expect(openBackend(`rediss://127.0.0.1:${port}?ca=${key}x`, { log })).rejects.toThrow(
          "its ca file can't be read",
        );
      } finally {
        await server.stop();
        folder.remove();
      }
    });
  },
  ['redis'],
);

describe('sentinels that are away', () => {
  it('are named, without a password', async () => {
    const opening = openBackend('redis+sentinel://me:hunter2@127.0.0.1:1/main', { log });
    await expect(opening).rejects.toThrow(
      /^Redis at redis\+sentinel:\/\/…@127\.0\.0\.1:1\/main can't be used: /,
    );
    await expect(opening).rejects.not.toThrow('hunter2');
  });
});
