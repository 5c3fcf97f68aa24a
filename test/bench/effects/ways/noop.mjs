// BullMQ's own worker with a job that does nothing, and the settings of ours.
import { createPostgresBackend, Worker, withBackend } from 'bullmq';

import { openBackend, silentLog } from '../../../../packages/queue/dist/index.js';
import { noopQueue, toPostgresConnection, toPrefix } from '../noop-queue.mjs';

const daySeconds = 24 * 3600;

export async function start({ queueUrl, namespace, places }, tell) {
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  const isRedis = backend.kind === 'redis';
  const client = isRedis ? backend.connect('work') : undefined;
  const kept = { age: 7 * daySeconds, ...(isRedis ? { count: 100_000 } : {}) };
  const process = async (job) => {
    tell.onBegin();
    tell.onSent(job.id);
  };
  const options = {
    concurrency: places,
    lockDuration: 10_000,
    stalledInterval: 5000,
    maxStalledCount: 1_000_000_000,
    removeOnComplete: kept,
    removeOnFail: kept,
  };
  const worker = isRedis
    ? new Worker(noopQueue, process, { ...options, connection: client, prefix: toPrefix(namespace) })
    : new (withBackend(createPostgresBackend).Worker)(noopQueue, process, {
        ...options,
        connection: toPostgresConnection(backend, 5),
      });
  worker.on('error', (error) => tell.onFailed(error.message));
  await worker.waitUntilReady();
  return {
    async close() {
      await worker.close();
      client?.disconnect();
      await backend.close();
    },
  };
}
