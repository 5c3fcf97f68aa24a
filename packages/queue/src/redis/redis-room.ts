import type { Redis } from 'ioredis';

import type { RedisBackend } from '../backend.ts';
import { bullPrefix, EFFECTS_PREFIX, queueNames, redisDestinationsKey } from '../bullmq/queues.ts';
import { StoreIsFull } from '../errors.ts';
import { type InboxEntry, sizeOfEntry } from '../inbox-store.ts';
import type { Log } from '../log.ts';

/** What the worker needs whatever waits: its locks, scripts and signs of life. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** What the worker writes for one event until its effects are sent: 18 KiB were measured with three of them. */
const EVENT_BYTES = 32 * 1024;
/** What the worker still writes for an effect that is queued, its row of the ledger and its journal: 3.6 KiB were measured. */
const EFFECT_BYTES = 6 * 1024;
/** How long a reading counts. */
const READ_INTERVAL_MS = 1000;
/** Several receivers may fill the same server between two readings. */
const SHARE = 0.25;

/** Events and effects that the worker has not finished. */
export interface Backlog {
  readonly events: number;
  readonly effects: number;
}

/**
 * The bytes that deliveries may still take, by the answer of `INFO memory`; the rest is for what the worker writes.
 * Infinity for a server that refuses no writes: it has no limit, or it evicts.
 */
export function findRoom(info: string, { events, effects }: Backlog): number {
  const read = (name: string): string => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const limit = Number(read('maxmemory'));
  if (!(limit > 0) || read('maxmemory_policy') !== 'noeviction') return Infinity;
  const used = Number(read('used_memory')) - Number(read('mem_not_counted_for_evict'));
  return limit - used - RESERVE_BYTES - events * EVENT_BYTES - effects * EFFECT_BYTES;
}

/** The bytes that a group of deliveries takes, with what the worker will write for them. */
export function sizeOfGroup(group: readonly InboxEntry[]): number {
  return group.reduce((sum, entry) => sum + sizeOfEntry(entry) + EVENT_BYTES, 0);
}

export interface RoomKeeper {
  /** Rejects with {@link StoreIsFull} when the rest of the memory is for the worker. */
  take(bytes: number): Promise<void>;
}

interface RoomKeeperOptions {
  readonly log: Log;
  readonly nowMs?: () => number;
}

/**
 * Stops accepting before Redis is full. A Redis at its limit refuses every write, also those by which the worker would
 * finish what was accepted: nothing would be sent until the limit is raised.
 *
 * Reads once a second, while deliveries come. When they come so fast that they take a good part of the room, it reads
 * again at once.
 */
export function createRoomKeeper(
  client: Redis,
  { name, namespace }: Pick<RedisBackend, 'name' | 'namespace'>,
  { log, nowMs = () => performance.now() }: RoomKeeperOptions,
): RoomKeeper {
  let readMs = -Infinity;
  let isFull = false;
  let left = 0;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const startedMs = nowMs();
    try {
      const info = await client.info('memory');
      const room = findRoom(info, await countBacklog(client, namespace));
      isFull = room <= 0;
      left = room * SHARE;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (left !== Infinity) {
        log.warn(
          { store: name },
          'this Redis does not show its memory (INFO): make sure that it never becomes full',
        );
      }
      isFull = false;
      left = Infinity;
    } finally {
      reading = undefined;
    }
    readMs = startedMs;
  }

  return {
    async take(bytes) {
      const isOld = nowMs() - readMs >= READ_INTERVAL_MS;
      if (isOld || (!isFull && left < bytes)) await (reading ??= read());
      if (isFull) throw new StoreIsFull();
      left -= bytes;
    },
  };
}

async function countBacklog(client: Redis, namespace: string): Promise<Backlog> {
  const count = async (queue: string): Promise<number> => {
    const prefix = `${bullPrefix(namespace)}:${queue}:`;
    const counts = await Promise.all([
      client.llen(`${prefix}wait`),
      client.llen(`${prefix}active`),
      client.zcard(`${prefix}delayed`),
      client.zcard(`${prefix}prioritized`),
    ]);
    return counts.reduce((sum, each) => sum + each, 0);
  };
  const destinations = await client.smembers(redisDestinationsKey(namespace));
  const [events, effects] = await Promise.all([
    count(queueNames.event),
    Promise.all(destinations.map((destination) => count(`${EFFECTS_PREFIX}${destination}`))),
  ]);
  return { events, effects: effects.reduce((sum, each) => sum + each, 0) };
}

/** By its ACL, or because the provider has removed the command. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && /^NOPERM|unknown command/i.test(error.message);
}
