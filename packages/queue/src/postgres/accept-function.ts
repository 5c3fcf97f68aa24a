import { createHash } from 'node:crypto';

import { bullSchema, queueNames } from '../bullmq/queue-names.ts';

/**
 * The name of the function, which is in the schema of the namespace. The number goes up when its arguments or its meaning
 * change, so that processes of two releases can use one database.
 */
export const acceptFunctionName = 'accept_deliveries_1';

/**
 * SQL that makes the function that accepts a group of deliveries in one transaction. Its answer is one digit for each
 * delivery: 1 for a duplicate plus 2 for a conflict.
 *
 * Whoever inserts a mark is the one that adds the job: a second process with the same delivery waits at the unique
 * index until the first has committed (then it is a duplicate) or rolled back (then it is the one). Marks are taken
 * in the order of their keys, and all of them before any announcement, so that two groups can't wait for each other.
 *
 * The job and its events are what BullMQ's `add_jobs_bulk` inserts, without the two temporary tables that it makes and
 * drops at each call. What is written is pinned by accept-pins.test.ts, and so is the text of BullMQ's function; why
 * it is done at all is docs/decisions/0008.
 */
export function acceptFunction(namespace: string): string {
  const bull = `"${bullSchema(namespace)}"`;
  const queue = `'${queueNames.event}'`;
  // Plans are kept from the time when the tables were small: then reading a whole table looked cheap. And who has
  // given up waiting for an answer leaves a session behind that must not wait for a lock on and on.
  return `
    create or replace function "${namespace}".${acceptFunctionName}(
      p_ids text[], p_data text[], p_expires_at_ms bigint[], p_names text[],
      p_now_ms bigint, p_added_at_ms bigint, p_options jsonb
    ) returns text language plpgsql set enable_seqscan = off set lock_timeout = '700ms' as $accept$
    declare
      v_marked text[];
      v_added text[];
      v_named text[] := '{}';
      v_answers text;
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

      -- A job may outlive its mark: then it is there already, and the delivery is a duplicate still.
      with added as (
        insert into ${bull}.job (
          queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts, added_at_ms, pending_deps
        )
        select ${queue}, id, nextval('${bull}.job_seq'), 'event', 'waiting', data::jsonb,
               p_options || jsonb_build_object('jobId', id), 0, 0, (p_options ->> 'attempts')::integer,
               p_added_at_ms, 0
          from (
            select id, data
              from unnest(p_ids, p_data) with ordinality as asked (id, data, at)
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
      return v_answers;
    end
    $accept$;`;
}

/** Tells whether the function that a database has is this one: kept there as the function's comment. */
export function acceptFunctionHash(namespace: string): string {
  return createHash('sha256').update(acceptFunction(namespace)).digest('hex');
}
