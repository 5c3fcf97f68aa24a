import { createHash } from 'node:crypto';

import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import type { ClientBase } from 'pg';

import { bullSchema, MAX_PRIORITY, queueNames } from '../bullmq/queues.ts';

/** A table, an index or a function in the namespace's schema, and the SQL that creates it. */
export interface SchemaObject {
  readonly name: string;
  readonly sql: string;
  /** Of a function: identifies its text, and is stored as its comment. */
  readonly hash?: string;
}

/** A function, which is replaced when its text has changed. */
export function defineFunction(name: string, sql: string): SchemaObject {
  return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
}

/** Creates BullMQ's schema and ours in a namespace, where they are missing. */
export async function prepareSchemas(client: ClientBase, namespace: string): Promise<void> {
  await migrateBull(client, bullSchema(namespace));
  await prepareObjects(client, namespace, inboxObjects(namespace));
}

async function migrateBull(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass($1) is not null as exists`, [
    `"${schema}".migration`,
  ]);
  const version = rows[0]?.exists === true ? await assertSchemaCompatibility(client, schema) : 0;
  if (version < LATEST_SCHEMA_VERSION) await runMigrations(client, schema);
}

/**
 * Creates what is missing of a namespace's schema, in the given order. When nothing is missing it only reads: `create`
 * takes locks (with `if not exists` too) that would keep other processes from accepting, and only the owner may create.
 */
export async function prepareObjects(
  client: ClientBase,
  namespace: string,
  objects: readonly SchemaObject[],
): Promise<void> {
  const all = [{ name: '', sql: `create schema "${namespace}"` }, ...objects];
  if ((await listMissing(client, namespace, all)).length === 0) return;
  await client.query('begin');
  try {
    // `if not exists` alone is not safe against a second process that does the same.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`aftermeet:${namespace}`]);
    for (const { name, sql, hash } of await listMissing(client, namespace, all)) {
      await client.query(sql);
      if (hash !== undefined) await client.query(`comment on function "${namespace}".${name} is '${hash}'`);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Reads the catalogue's tables, because `to_regclass` may still miss what another process has just created. The schema
 * itself has no name.
 */
async function listMissing(
  client: ClientBase,
  namespace: string,
  objects: readonly SchemaObject[],
): Promise<readonly SchemaObject[]> {
  const { rows } = await client.query<{ name: string; hash: string | null }>(
    `select '' as name, null as hash from pg_namespace where nspname = $1
     union all
     select relname, null from pg_class as c join pg_namespace as n on n.oid = c.relnamespace where nspname = $1
     union all
     select proname, obj_description(p.oid, 'pg_proc') from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
      where nspname = $1 and proname = any ($2)`,
    [namespace, objects.map(({ name }) => name)],
  );
  return objects.filter(
    ({ name, hash }) => !rows.some((row) => row.name === name && (hash === undefined || row.hash === hash)),
  );
}

/** `marks` holds the dedupe keys and `announcements` the delivery ids. Stored names stay as they are. */
function inboxObjects(namespace: string): readonly SchemaObject[] {
  return [
    {
      name: 'marks',
      sql: `create table "${namespace}".marks (
        key text primary key,
        expires_at_ms bigint not null
      )`,
    },
    { name: 'marks_expiry', sql: `create index marks_expiry on "${namespace}".marks (expires_at_ms)` },
    {
      name: 'announcements',
      sql: `create table "${namespace}".announcements (
        key text primary key,
        job_id text not null,
        expires_at_ms bigint not null
      )`,
    },
    {
      name: 'announcements_expiry',
      sql: `create index announcements_expiry on "${namespace}".announcements (expires_at_ms)`,
    },
    {
      name: 'refusals',
      sql: `create table "${namespace}".refusals (
        id bigint generated always as identity primary key,
        refusal text not null
      )`,
    },
    // Counts how often no delivery waited. A sequence, because a row would make each write wait for the one before it.
    { name: 'lines_epoch', sql: `create sequence "${namespace}".lines_epoch` },
    defineFunction(acceptFunctionName, acceptFunction(namespace)),
  ];
}

/** The number grows when the arguments or their meaning change, so that processes of two releases can share a database. */
export const acceptFunctionName = 'accept_deliveries_3';

/**
 * SQL of the function that accepts a group of deliveries in one transaction. It returns epoch and head of the lines
 * before it, and one digit per delivery: 1 for a duplicate plus 2 for a conflict, with colons between them.
 *
 * The process that inserts a dedupe key adds the job. A second process with the same delivery waits at the unique index
 * until the first has committed (then it is a duplicate) or rolled back (then the second adds it). Dedupe keys are
 * inserted in order, and all of them before any delivery id, so that two groups cannot deadlock.
 *
 * The job and its events are what BullMQ's `add_jobs_bulk` inserts, without the two temporary tables that it creates and
 * drops at each call. accept-pins.test.ts pins what is written and the text of BullMQ's function; docs/decisions/0008
 * gives the reasons.
 *
 * Databases keep a hash of this text. Changing it, comments included, makes each process replace the function.
 */
function acceptFunction(namespace: string): string {
  const bull = `"${bullSchema(namespace)}"`;
  const queue = `'${queueNames.event}'`;
  // Without `enable_seqscan = off` a plan from the time when the tables were small would stay. `lock_timeout` ends
  // sessions whose client has given up.
  return `
    create or replace function "${namespace}".${acceptFunctionName}(
      p_ids text[], p_data text[], p_expires_at_ms bigint[], p_names text[], p_after integer[], p_ranks integer[],
      p_epoch bigint, p_now_ms bigint, p_added_at_ms bigint, p_options jsonb
    ) returns text language plpgsql set enable_seqscan = off set lock_timeout = '700ms' as $accept$
    declare
      v_marked text[];
      v_added text[];
      v_named text[] := '{}';
      v_answers text;
      v_head integer;
      v_epoch bigint;
    begin
      perform ${bull}.lock_producer_queues(jsonb_build_array(jsonb_build_object('queue', ${queue})));

      with marked as (
        insert into "${namespace}".marks as m (key, expires_at_ms)
        select distinct on (id) id, expires_at_ms
          from unnest(p_ids, p_expires_at_ms) with ordinality as asked (id, expires_at_ms, at)
         order by id, at
        on conflict (key) do update set expires_at_ms = excluded.expires_at_ms where m.expires_at_ms <= p_now_ms
        returning key
      )
      select coalesce(array_agg(key), '{}') into v_marked from marked;

      select priority into v_head from ${bull}.job
       where queue = ${queue} and state = 'waiting' and priority > 0 order by priority, seq limit 1;
      v_head := coalesce(v_head, 0);
      if v_head = 0 then
        v_epoch := nextval('"${namespace}".lines_epoch');
      else
        select last_value into v_epoch from "${namespace}".lines_epoch;
      end if;

      -- A job may outlive its mark: then it is there already, and the delivery is a duplicate still.
      with added as (
        insert into ${bull}.job (
          queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts, added_at_ms, pending_deps
        )
        select ${queue}, id, nextval('${bull}.job_seq'), 'event', 'waiting', data::jsonb,
               p_options || jsonb_build_object('jobId', id, 'priority', place), place, 0,
               (p_options ->> 'attempts')::integer, p_added_at_ms, 0
          from (
            select id, data,
                   least(
                     case v_head when 0 then 0
                       else greatest(case p_epoch when v_epoch then after else 0 end, v_head - 1) end + rank,
                     ${MAX_PRIORITY}
                   ) as place
              from unnest(p_ids, p_data, p_after, p_ranks) with ordinality as asked (id, data, after, rank, at)
             where id = any (v_marked) and at = array_position(p_ids, id)
             order by at
          ) as first
        on conflict (queue, id) do nothing
        returning id, seq
      ), told as (
        insert into ${bull}.event (queue, event, data, created_at_ms)
        select ${queue}, event, data, (extract(epoch from clock_timestamp()) * 1000)::bigint
          from (
            select event, seq, nth,
                   case nth when 1 then jsonb_build_object('jobId', id, 'name', 'event')
                            else jsonb_build_object('jobId', id) end as data
              from added cross join (values ('added', 1), ('waiting', 2)) as kind (event, nth)
             order by seq, nth
          ) as events
      )
      select coalesce(array_agg(id), '{}') into v_added from added;

      if cardinality(v_added) > 0 then
        perform pg_notify('bullmq_jobs', ${queue});
        with named as (
          insert into "${namespace}".announcements as a (key, job_id, expires_at_ms)
          select distinct on (name) name, id, expires_at_ms
            from unnest(p_ids, p_names, p_expires_at_ms) with ordinality as asked (id, name, expires_at_ms, at)
           where name <> '' and id = any (v_added) and at = array_position(p_ids, id)
           order by name, at
          on conflict (key) do update set job_id = excluded.job_id, expires_at_ms = excluded.expires_at_ms
             where a.expires_at_ms <= p_now_ms
          returning key
        )
        select coalesce(array_agg(key), '{}') into v_named from named;
      end if;

      -- A name that was given to a later one of this group is no conflict for those before it.

      select string_agg((
               case when id = any (v_added) and at = array_position(p_ids, id) then 0 else 1 end
               + case when id <> (
                   select a.job_id from "${namespace}".announcements as a
                    where a.key = name and a.expires_at_ms > p_now_ms
                      and not (name = any (v_named) and array_position(p_ids, a.job_id) > at)
                 ) then 2 else 0 end
             )::text, '' order by at)
        into v_answers
        from unnest(p_ids, p_names) with ordinality as asked (id, name, at);
      return v_epoch || ':' || v_head || ':' || v_answers;
    end
    $accept$;`;
}
