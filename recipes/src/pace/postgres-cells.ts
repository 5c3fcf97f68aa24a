import { randomUUID } from 'node:crypto';

import type { Log, PostgresBackend } from '@aftermeet/queue';
import { z } from 'zod';

import { openPostgresLink } from '../store/postgres-link.ts';
import type { SchemaObject } from '../store/prepare-objects.ts';
import type { Cells } from './cells.ts';

/** Swaps of lanes go one after the other; the key watch, the clock and the sweep come between. */
const mostConnections = 3;

const foundSchema = z.array(z.object({ name: z.string(), value: z.string(), is_set: z.boolean() }));
const clockSchema = z.tuple([z.object({ clock_ms: z.number() })]);

/** Cells on PostgreSQL: a row for each. Makes its table when it is not there. */
export async function openPostgresCells(backend: PostgresBackend, log: Log): Promise<Cells> {
  const objects = [describeTable(backend.namespace)];
  const link = await openPostgresLink(backend, { name: 'lanes', mostConnections, objects, log });
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
      const { rows } = await link.outlast({ name: 'cells_swap', text: statements.swap, values });
      const refused = foundSchema.parse(rows).filter((row) => !row.is_set);
      const found = new Map(refused.map(({ name, value }) => [name, value]));
      return swaps.map(({ name }) => found.get(name));
    },
    async readClockMs() {
      return clockSchema.parse((await link.ask(statements.clock)).rows)[0].clock_ms;
    },
    sweep: (nowMs) => link.sweep(statements.sweep, [Math.floor(nowMs)]),
    close: (writers) => link.close(writers),
  };
}

function describeTable(namespace: string): SchemaObject {
  return {
    name: 'cells',
    sql: `create table "${namespace}".cells (
      name text primary key,
      value text not null,
      swap_id text not null,
      expires_at_ms bigint not null
    )`,
  };
}

function writeStatements(namespace: string) {
  const table = `"${namespace}".cells`;
  return {
    /**
     * $1 names, $2 known texts, $3 next ones, $4 expiries, $5 an id of this swap: another worker can have set the very
     * same text. In order of names, so that no two can block each other.
     */
    swap: `with asked as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as a (name, known, next, expires_at_ms)
)
insert into ${table} as cell (name, value, swap_id, expires_at_ms)
select name, next, $5, expires_at_ms from asked order by name
on conflict (name) do update set
  (value, swap_id) = (
    select case when cell.value = known then next else cell.value end,
      case when cell.value = known then $5 else cell.swap_id end
    from asked where asked.name = cell.name
  ),
  expires_at_ms = greatest(cell.expires_at_ms, excluded.expires_at_ms)
returning name, value, swap_id = $5 as is_set`,
    clock: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms`,
    /** $1 at most, $2 now. Cells that a swap holds are left to the next time. */
    sweep: `delete from ${table} where name = any (array(
  select name from ${table} where expires_at_ms <= $2::bigint limit $1 for update skip locked))`,
  };
}
