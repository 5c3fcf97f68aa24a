import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Backend, createJobQueue, openBackend, silentLog } from '@aftermeet/queue';
import type { TestStore } from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { z } from 'zod';

const aboutShape = {
  savedAtMs: z.number(),
  /** Ids of the stored deliveries, by meeting. */
  deliveries: z.record(z.string(), z.string()),
  /** Keys of the stored effects, by what had become of them. */
  effects: z.record(z.string(), z.string()),
};

const fields = z.record(z.string(), z.string());
const redisSchema = z.object({
  ...aboutShape,
  entries: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('string'),
        key: z.string(),
        ttlMs: z.number().optional(),
        value: z.string(),
      }),
      z.object({ type: z.literal('hash'), key: z.string(), ttlMs: z.number().optional(), value: fields }),
      z.object({
        type: z.literal('zset'),
        key: z.string(),
        ttlMs: z.number().optional(),
        value: z.array(z.tuple([z.string(), z.string()])),
      }),
      z.object({
        type: z.enum(['list', 'set']),
        key: z.string(),
        ttlMs: z.number().optional(),
        value: z.array(z.string()),
      }),
    ]),
  ),
});

const postgresSchema = z.object({
  ...aboutShape,
  ddl: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  functions: z.array(z.object({ proname: z.string(), def: z.string(), comment: z.string() })),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

/** What the fixtures hold, with the address of a store that holds it now. */
export interface StoredData {
  readonly queueUrl: string;
  readonly deliveries: Readonly<Record<string, string>>;
  readonly effects: Readonly<Record<string, string>>;
}

/**
 * Fills an empty store with data that an earlier release wrote. Times of the ledger, the meetings and the dedupe keys
 * move to now, so that nothing has expired; BullMQ's own rows stay, but for the job that was delayed by a day.
 */
export async function loadStored(kind: 'redis' | 'postgres', store: TestStore): Promise<StoredData> {
  const text = readFileSync(join(import.meta.dirname, `stored-in-${kind}.json`), 'utf8');
  const { deliveries, effects } =
    kind === 'redis' ? await loadRedis(text, store.queueUrl) : await loadPostgres(text, store.queueUrl);
  return { queueUrl: store.queueUrl, deliveries, effects };
}

async function loadRedis(text: string, url: string) {
  const { savedAtMs, entries, ...about } = redisSchema.parse(JSON.parse(text));
  const shiftMs = Date.now() - savedAtMs;
  const redis = new Redis(url);
  try {
    for (const entry of entries) {
      const { key, ttlMs } = entry;
      if (entry.type === 'string') await redis.set(key, entry.value);
      else if (entry.type === 'hash') await redis.hset(key, shiftTimes(entry.value, shiftMs));
      else if (entry.type === 'zset') {
        for (const [member, score] of entry.value) {
          await redis.zadd(key, shiftScore(key, Number(score), shiftMs), member);
        }
      } else await redis.call(entry.type === 'list' ? 'RPUSH' : 'SADD', key, ...entry.value);
      if (ttlMs !== undefined) await redis.pexpire(key, ttlMs);
    }
  } finally {
    redis.disconnect();
  }
  return about;
}

/** BullMQ sorts delayed jobs by 4096 times their time. */
function shiftScore(key: string, score: number, shiftMs: number): number {
  if (/:(?:ledger:state:\w+|meetings)$/.test(key)) return score + shiftMs;
  return key.endsWith('effects-slack:delayed') ? score + shiftMs * 4096 : score;
}

async function loadPostgres(text: string, url: string) {
  const { savedAtMs, ddl, sequences, functions, tables, ...about } = postgresSchema.parse(JSON.parse(text));
  const shiftMs = Date.now() - savedAtMs;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create schema aftermeet');
    for (const { name } of sequences.filter(({ name: one }) => one.startsWith('ledger'))) {
      await client.query(`create sequence aftermeet.${name}`);
    }
    for (const statement of ddl) await client.query(statement);
    for (const { proname, def, comment } of functions) {
      await client.query(def);
      await client.query(`comment on function aftermeet.${proname} is '${comment}'`);
    }
    // BullMQ makes its own tables.
    await makeQueueTables(url);
    for (const [table, rows] of Object.entries(tables)) {
      const shifted = table.startsWith('aftermeet.') ? rows.map((row) => shiftTimes(row, shiftMs)) : rows;
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(shifted)],
      );
    }
    await client.query(
      `update aftermeet_queue.job set process_at_ms = process_at_ms + $1 where queue = 'effects-slack' and state = 'delayed'`,
      [shiftMs],
    );
    for (const { name, value } of sequences) {
      await client.query(`select setval('aftermeet.${name}', $1)`, [value]);
    }
  } finally {
    await client.end();
  }
  return about;
}

async function makeQueueTables(url: string): Promise<void> {
  const backend: Backend = await openBackend(url, { log: silentLog });
  try {
    await (await createJobQueue(backend, { log: silentLog })).close();
  } finally {
    await backend.close();
  }
}

/** Ours end in `_ms`; 0 is none. */
function shiftTimes<Row extends Readonly<Record<string, unknown>>>(row: Row, shiftMs: number): Row {
  const shifted = Object.entries(row).map(([name, value]) => {
    const isTime =
      name.endsWith('_ms') && name !== 'occurred_at_ms' && name !== 'received_at_ms' && Number(value) > 0;
    if (!isTime) return [name, value];
    const moved = Number(value) + shiftMs;
    return [name, typeof value === 'string' ? String(moved) : moved];
  });
  return Object.fromEntries(shifted);
}
