import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import { Redis, type RedisOptions } from 'ioredis';

import type { ConnectionUse, RedisBackend } from '../backend.ts';
import { describeError } from '../errors.ts';
import { createLineHeads } from '../line-heads.ts';
import { createOutageLog, type Log, type OutageLog } from '../log.ts';
import type { RedisAddress } from '../queue-url.ts';
import { openStoreClock, type StoreClock } from '../store-clock.ts';
import { withDeadline } from '../with-deadline.ts';
import { probeRedis } from './redis-probe.ts';

const OPEN_WITHIN_MS = 5000;
const CLOSE_WITHIN_MS = 1000;
const RECONNECT_INTERVAL_MS = 1000;

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
  address: RedisAddress,
  { namespace, log }: { readonly namespace: string; readonly log: Log },
): Promise<RedisBackend> {
  const { name } = address;
  const create = await adaptToServer(name, await prepareClients(address), log);
  const outage = createOutageLog(log, { store: name });
  const clock = await checkReachable({ name, create, log, outage });
  return {
    kind: 'redis',
    name,
    namespace,
    clock,
    outage,
    heads: createLineHeads(),
    connect(use) {
      const client = create({ ...optionsOf[use], reconnectOnError: createReconnectRule() });
      client.on('error', outage.failed);
      client.on('ready', outage.recovered);
      return client;
    },
    close: () => Promise.resolve(),
  };
}

type CreateClient = (options: PlainOptions) => Redis;

/** How clients of this address are made. Sentinels are asked for the master at each connection. */
async function prepareClients({ url, name, sentinel, caFile }: RedisAddress): Promise<CreateClient> {
  const tls = caFile === undefined ? {} : { ca: await readCertificates(caFile, name) };
  if (sentinel === undefined) {
    if (caFile === undefined) return (options) => new Redis(url, options);
    // With `rediss:` ioredis makes TLS settings of its own, which win over those here.
    const plain = url.replace(/^rediss:/, 'redis:');
    return (options) => new Redis(plain, { ...options, tls });
  }
  const { protocol, username, password, pathname } = new URL(url);
  const found = {
    sentinels: sentinel.hosts.map((host) => ({ ...host })),
    name: sentinel.master,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)),
    ...(sentinel.username === undefined ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(protocol === 'rediss:' ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  };
  return (options) => new Redis({ ...options, ...found });
}

async function readCertificates(file: string, name: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`Redis at ${name} can't be used: its ca file can't be read: ${describeError(error)}.`, {
      cause: error,
    });
  }
}

/** For a user without INFO: BullMQ takes `skipVersionCheck` from the options of its client. */
const withoutInfo = { enableReadyCheck: false, skipVersionCheck: true };

/** Refuses a server that Aftermeet can't use, and lets clients ask only what their user may. */
async function adaptToServer(name: string, create: CreateClient, log: Log): Promise<CreateClient> {
  const client = create({ ...probeOptions, enableReadyCheck: false });
  const facts = await probe(name, client, () => probeRedis(client));
  if (facts.isCluster) {
    throw new Error(
      `Redis at ${name} can't be used: it is a Redis Cluster, which Aftermeet does not support. ` +
        'Set QUEUE_URL to a server that is not part of a cluster (cluster-enabled no), or to sentinels.',
    );
  }
  if (facts.mayAskInfo) return create;
  log.warn(
    { store: name },
    'this user of Redis may not ask INFO: what is to wait may wait a second longer; allow it (ACL SETUSER … +info)',
  );
  return (options) => create({ ...options, ...withoutInfo });
}

interface Reaching {
  readonly name: string;
  readonly create: CreateClient;
  readonly log: Log;
  readonly outage: OutageLog;
}

/** Checks the settings of a server and asks for its time. Rejects when it can't be reached. */
async function checkReachable({ name, create, log, outage }: Reaching): Promise<StoreClock> {
  const client = create(probeOptions);
  return await probe(name, client, async () => {
    await client.ping();
    await checkRedisSettings(client, { name, log });
    return await openStoreClock(() => readRedisTime(client), { name, log, outage });
  });
}

/** One try, without waiting for a server that is away. */
const probeOptions: PlainOptions = {
  family: 0,
  lazyConnect: true,
  connectTimeout: OPEN_WITHIN_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
};

/** Connects, asks and closes the connection. Rejects in words after five seconds. */
async function probe<Answer>(name: string, client: Redis, ask: () => Promise<Answer>): Promise<Answer> {
  let lastError: unknown;
  client.on('error', (error) => {
    lastError = error;
  });
  try {
    const asked = client.connect().then(ask);
    return await withDeadline(asked, OPEN_WITHIN_MS).catch((error: unknown) => {
      // The connection says more than the command that it broke.
      throw lastError ?? error;
    });
  } catch (error) {
    throw new Error(
      `Redis at ${name} can't be used: ${describeError(error)}. ` +
        'Check the queue address (QUEUE_URL) and that the server runs.',
      { cause: error },
    );
  } finally {
    await closeRedis(client);
  }
}

/** The server's clock, milliseconds since 1970. */
export async function readRedisTime(client: Redis): Promise<number> {
  const [seconds = Number.NaN, micros = 0] = (await client.time()).map(Number);
  return seconds * 1000 + micros / 1000;
}

/**
 * Warns when the server may evict jobs or lose them at a restart. Many managed servers forbid `CONFIG`; then the
 * warning says that the settings could not be checked.
 */
async function checkRedisSettings(
  client: Redis,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<void> {
  const policy = await readSetting(client, 'maxmemory-policy');
  const appendOnly = await readSetting(client, 'appendonly');
  const sync = await readSetting(client, 'appendfsync');
  if (policy === undefined || appendOnly === undefined || sync === undefined) {
    log.warn(
      { store: name },
      'this Redis does not show its settings: make sure that maxmemory-policy is noeviction and that persistence (appendonly yes) is on',
    );
    return;
  }
  if (policy !== 'noeviction') {
    log.warn(
      { store: name, found: policy },
      'this Redis may evict jobs when its memory is full: set maxmemory-policy noeviction',
    );
  }
  if (appendOnly !== 'yes') {
    log.warn(
      { store: name, found: appendOnly },
      'this Redis forgets accepted deliveries when it crashes: set appendonly yes',
    );
  } else if (sync === 'no') {
    log.warn(
      { store: name, found: sync },
      'this Redis does not say when accepted deliveries reach the disk: set appendfsync everysec or always',
    );
  }
}

async function readSetting(client: Redis, setting: string): Promise<string | undefined> {
  try {
    const reply: unknown = await client.config('GET', setting);
    if (Array.isArray(reply)) return typeof reply[1] === 'string' ? reply[1] : undefined;
    if (typeof reply !== 'object' || reply === null) return undefined;
    const value: unknown = Object.entries(reply).find(([key]) => key === setting)?.[1];
    return typeof value === 'string' ? value : undefined;
  } catch {
    // CONFIG is forbidden; the caller warns.
    return undefined;
  }
}

/**
 * After a failover the old master answers as a read-only replica. Reconnects then, at most once per second, not for each
 * pending command.
 */
export function createReconnectRule(nowMs: () => number = Date.now): (error: Error) => boolean {
  let lastMs = -Infinity;
  return (error) => {
    // Redis 6 and older put text before it when a script was refused.
    if (!error.message.includes('READONLY') || nowMs() - lastMs < RECONNECT_INTERVAL_MS) return false;
    lastMs = nowMs();
    return true;
  };
}

/** Waits until a new connection can be used. After five seconds the connection is closed and this rejects. */
export async function whenReady(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  try {
    // `once` also rejects on the first 'error'.
    await once(client, 'ready', { signal: AbortSignal.timeout(OPEN_WITHIN_MS) });
  } catch (error) {
    await closeRedis(client);
    throw error;
  }
}

/** Closes a connection within a second: with QUIT when the server answers, else at once. */
export async function closeRedis(client: Redis): Promise<void> {
  if (client.status === 'end') return;
  if (client.status === 'ready') {
    await withDeadline(client.quit(), CLOSE_WITHIN_MS).catch(() => undefined);
  }
  client.disconnect();
}

/** Removes every key that begins with `{namespace}:`. */
export async function emptyRedisNamespace(backend: RedisBackend): Promise<void> {
  const client = backend.connect('accept');
  try {
    await whenReady(client);
    let cursor = '0';
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', `{${backend.namespace}}:*`, 'COUNT', 1000);
      if (keys.length > 0) await client.unlink(keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    await closeRedis(client);
  }
}

/** A Lua script. A server that has run it once knows it by its hash. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function defineRedisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Runs a script by its hash, and sends the text to a server that does not know it (yet, or since its restart). */
export async function runRedisScript(
  client: Redis,
  { text, sha }: RedisScript,
  keys: readonly string[],
  parameters: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(sha, keys.length, ...keys, ...parameters);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await client.eval(text, keys.length, ...keys, ...parameters);
  }
}
