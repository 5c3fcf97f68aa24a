import { randomUUID } from 'node:crypto';

import {
  type PostgresBackend,
  type RedisBackend,
  defineRedisScript,
  type SchemaObject,
} from '@aftermeet/queue';
import { z } from 'zod';

import { openPostgresLink } from './postgres-link.ts';
import { openRedisLink } from './redis-link.ts';
import type { Closable } from './store-tools.ts';

/** Sets a record, provided that its text is still the one that the caller knows. */
export interface Swap {
  readonly name: string;
  /** Undefined: the caller knows of none. */
  readonly known: string | undefined;
  readonly next: string;
  readonly keepMs: number;
}

/** Undefined: it is set. Else the text that is there instead: think again, and swap again. */
type Swapped = string | undefined;

/**
 * Small texts that all workers share. A text is thought out in the process and set by comparing, so that the rules of
 * what a record holds are written once, not once for each store. Of those who want to swap at the same time one always
 * succeeds.
 */
export interface SharedStore {
  /**
   * One round trip; each name at most once. A record that the store has lost takes any text. Waits for a store that is
   * away: PostgreSQL for half a minute, Redis until it is there or this is closed.
   */
  swap(swaps: readonly Swap[], nowMs: number): Promise<readonly Swapped[]>;
  /** The text of a record; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Milliseconds since 1970 on the store's clock. */
  readClockMs(): Promise<number>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  /** Lets the writers end when the store answers. One that is away, or silent, is not waited for. */
  close(writers?: readonly Closable[]): Promise<void>;
}

/** A record of the shared store. */
interface NoteCell<Note> {
  readonly name: string;
  readonly schema: z.ZodType<Note>;
  readonly keepMs: number;
  /** The text that the caller has seen there last: when it is still there, one round trip is enough. */
  readonly known?: string | undefined;
}

/**
 * Changes a record by what it says: computed anew whenever another worker came first. `think` is pure; without a `next`
 * the record stays. The text is what the store holds then. Milliseconds since 1970.
 */
export async function changeRecord<Note, Answer>(
  store: Pick<SharedStore, 'swap'>,
  { name, schema, keepMs, known }: NoteCell<Note>,
  think: (note: Note | undefined) => { readonly answer: Answer; readonly next?: Note },
  nowMs: number,
): Promise<{ readonly answer: Answer; readonly text: string | undefined }> {
  let text = known;
  for (;;) {
    const { answer, next: note } = think(readNote(schema, text));
    if (note === undefined) return { answer, text };
    const next = JSON.stringify(note);
    const [found] = await store.swap([{ name, known: text, next, keepMs }], nowMs);
    if (found === undefined) return { answer, text: next };
    text = found;
  }
}

/** The record that a text holds. A text of another shape is none: it is replaced. */
export function readNote<Note>(schema: z.ZodType<Note>, text: string | undefined): Note | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** For each key in ARGV: the known text (empty: none), the next one, milliseconds to keep it. */
const swapScript = defineRedisScript(`
local answers = {}
for at, key in ipairs(KEYS) do
  local found = redis.call('GET', key)
  if found and found ~= ARGV[3 * at - 2] then
    answers[at] = found
  else
    redis.call('SET', key, ARGV[3 * at - 1], 'PX', ARGV[3 * at])
    answers[at] = false
  end
end
return answers
`);

const answersSchema = z.array(z.string().nullable());

/** Cells on Redis: a string for each. Redis forgets them by itself. */
export function openRedisSharedStore(backend: RedisBackend): SharedStore {
  const link = openRedisLink(backend);
  return {
    async swap(swaps) {
      const keys = swaps.map(({ name }) => `{${backend.namespace}}:${name}`);
      const values = swaps.flatMap(({ known = '', next, keepMs }) => [known, next, Math.ceil(keepMs)]);
      const answers = answersSchema.parse(await link.run(swapScript, keys, values));
      return answers.map((found) => found ?? undefined);
    },
    read: async (name) =>
      (await link.ask((client) => client.get(`{${backend.namespace}}:${name}`))) ?? undefined,
    readClockMs: link.readClockMs,
    sweep: async () => {},
    close: (writers) => link.close(writers),
  };
}

/** Swaps of rateLimits go one after the other; the key watch, the clock and the sweep come between. */
const maxConnections = 3;

const foundSchema = z.array(z.object({ name: z.string(), value: z.string(), is_set: z.boolean() }));

const valueSchema = z.array(z.object({ value: z.string() }));

/** Cells on PostgreSQL: a row for each. Makes its table when it is not there. */
export async function openPostgresSharedStore(backend: PostgresBackend): Promise<SharedStore> {
  const objects = [describeTable(backend.namespace)];
  const link = await openPostgresLink(backend, { maxConnections, objects });
  const statements = writeStatements(backend.namespace);
  return {
    async swap(swaps, nowMs) {
      const values = [
        swaps.map(({ name }) => name),
        swaps.map(({ known = '' }) => known),
        swaps.map(({ next }) => next),
        swaps.map(({ keepMs }) => Math.ceil(nowMs + keepMs)),
        // The same at each try: so a swap that was done, but whose answer was lost, is known again.
        randomUUID(),
      ];
      const { rows } = await link.outlast({ name: 'records_swap', text: statements.swap, values });
      const refused = foundSchema.parse(rows).filter((row) => !row.is_set);
      const found = new Map(refused.map(({ name, value }) => [name, value]));
      return swaps.map(({ name }) => found.get(name));
    },
    async read(name) {
      const { rows } = await link.outlast({ name: 'records_read', text: statements.read, values: [name] });
      return valueSchema.parse(rows)[0]?.value;
    },
    readClockMs: link.readClockMs,
    sweep: (nowMs) => link.sweep(statements.sweep, [Math.floor(nowMs)]),
    close: (writers) => link.close(writers),
  };
}

function describeTable(namespace: string): SchemaObject {
  return {
    name: 'records',
    sql: `create table "${namespace}".records (
      name text primary key,
      value text not null,
      swap_id text not null,
      expires_at_ms bigint not null
    )`,
  };
}

function writeStatements(namespace: string) {
  const table = `"${namespace}".records`;
  return {
    /**
     * $1 names, $2 known texts, $3 next ones, $4 expiries, $5 an id of this swap: another worker can have set the very
     * same text. In order of names, so that no two can block each other.
     */
    swap: `with asked as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as a (name, known, next, expires_at_ms)
)
insert into ${table} as record (name, value, swap_id, expires_at_ms)
select name, next, $5, expires_at_ms from asked order by name
on conflict (name) do update set
  (value, swap_id) = (
    select case when record.value = known then next else record.value end,
      case when record.value = known then $5 else record.swap_id end
    from asked where asked.name = record.name
  ),
  expires_at_ms = greatest(record.expires_at_ms, excluded.expires_at_ms)
returning name, value, swap_id = $5 as is_set`,
    read: `select value from ${table} where name = $1`,
    /** $1 at most, $2 now. Cells that a swap holds are left to the next time. */
    sweep: `delete from ${table} where name = any (array(
  select name from ${table} where expires_at_ms <= $2::bigint limit $1 for update skip locked))`,
  };
}
