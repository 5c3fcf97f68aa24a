import { Redis, type RedisOptions } from 'ioredis';

import type { ConnectionUse, RedisBackend } from '../backend.ts';
import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { withDeadline } from '../with-deadline.ts';
import { checkRedisSettings } from './check-redis-settings.ts';
import { closeRedis } from './close-redis.ts';
import { createReconnectRule } from './reconnect-rule.ts';

const OPEN_WITHIN_MS = 5000;

/** Without `replyMapping`, whose `undefined` the constructor's type refuses. */
type PlainOptions = Omit<RedisOptions, 'replyMapping'>;

const sharedOptions: PlainOptions = {
  family: 0,
  retryStrategy: (times) => Math.min(times * 50, 500),
};

const optionsOf: Record<ConnectionUse, PlainOptions> = {
  accept: {
    ...sharedOptions,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 800,
    connectTimeout: 800,
  },
  // A worker's blocking connection waits for the store as long as it takes.
  work: { ...sharedOptions, maxRetriesPerRequest: null, connectTimeout: 5000 },
};

/** Opens a Redis or Valkey server, and warns when its settings could lose or evict jobs. */
export async function openRedisBackend(
  address: { readonly url: string; readonly name: string },
  { namespace, log }: { readonly namespace: string; readonly log: Log },
): Promise<RedisBackend> {
  const { url, name } = address;
  await checkReachable(address, log);
  return {
    kind: 'redis',
    name,
    namespace,
    connect(use) {
      const client = new Redis(url, { ...optionsOf[use], reconnectOnError: createReconnectRule() });
      const outage = createOutageLog(log, { store: name, use });
      client.on('error', outage.failed);
      client.on('ready', outage.recovered);
      return client;
    },
    close: () => Promise.resolve(),
  };
}

async function checkReachable(
  { url, name }: { readonly url: string; readonly name: string },
  log: Log,
): Promise<void> {
  const client = new Redis(url, {
    family: 0,
    lazyConnect: true,
    connectTimeout: OPEN_WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let lastError: unknown;
  client.on('error', (error) => {
    lastError = error;
  });
  try {
    await withDeadline(
      client.connect().then(() => client.ping()),
      OPEN_WITHIN_MS,
    );
    await checkRedisSettings(client, { name, log });
  } catch (error) {
    throw new Error(
      `Redis at ${name} can't be used: ${describeError(lastError ?? error)}. ` +
        'Check the queue address (QUEUE_URL) and that the server runs.',
      { cause: error },
    );
  } finally {
    await closeRedis(client);
  }
}
