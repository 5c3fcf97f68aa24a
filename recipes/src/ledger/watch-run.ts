import type { RedisClient } from '../store/redis-script.ts';

/** Since when a server has forgotten nothing. */
export interface RunWatch {
  /** Milliseconds since 1970; `Infinity` while it is not known. */
  readonly sinceMs: () => number;
}

/**
 * Watches which run of the server a connection talks to. A Redis with `appendfsync everysec` loses its last moments
 * only when it ends, and a replica that takes over may lack some: both show another run id from then on. Each run is
 * noted under `key` by the first worker that meets it.
 */
export function watchRun(redis: RedisClient, key: string, clock: () => number): RunWatch {
  let sinceMs = Number.POSITIVE_INFINITY;
  let connection = 0;
  const forget = (): void => {
    connection += 1;
    sinceMs = Number.POSITIVE_INFINITY;
  };
  const look = async (): Promise<void> => {
    forget();
    const asked = connection;
    const run = /^run_id:([0-9a-f]+)/m.exec(await redis.info('server'))?.[1];
    if (run === undefined) return;
    await redis.hsetnx(key, run, clock());
    const notedMs = Number(await redis.hget(key, run));
    if (asked === connection && notedMs > 0) sinceMs = notedMs;
  };
  // A server may forbid INFO: then it stays unknown, which only costs looks at the destinations.
  const lookIfAllowed = (): void => void look().catch(() => undefined);
  redis.on('ready', lookIfAllowed);
  redis.on('close', forget);
  if (redis.status === 'ready') lookIfAllowed();
  return { sinceMs: () => sinceMs };
}
