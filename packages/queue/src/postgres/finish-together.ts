import type { PostgresConnection } from 'bullmq';
import pg from 'pg';

import { groupReads } from '../grouped-reader.ts';
import { writeGroup } from '../grouped-writer.ts';

const MAX_GROUP = 64;

/** While one group is written the next one forms. */
const MAX_IN_FLIGHT = 1;

/**
 * The queries of a worker, where jobs that end together are finished in one statement, which is one commit: the commit is most
 * of what a job costs. Each of them is finished and the next one taken by BullMQ's own function, as it is alone.
 */
export function finishTogether(query: Query): Query {
  const finish = (group: readonly Call[]) => finishGroup(group, query);
  const write = groupReads<Call, Awaited<ReturnType<typeof finish>>[number]>(
    (group) => writeGroup(group, finish, isFaultOfOne),
    MAX_GROUP,
    MAX_IN_FLIGHT,
  );
  return (text, values) =>
    values !== undefined && text.includes(FINISH) ? write({ text, values }) : query(text, values);
}

/** What BullMQ asks of its pool. */
export type Query = PostgresConnection['pool']['query'];

interface Call {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** BullMQ's function, as its statement calls it. */
const FINISH = 'move_to_completed_fetch(';

/** Job, token and result are each call's own; all other values are the worker's settings and the time. */
async function finishGroup(group: readonly Call[], query: Query) {
  const [first] = group;
  if (first === undefined) return [];
  if (group.length === 1) return [await query(first.text, first.values)];
  const [queueName, , , , ...settings] = first.values;
  const columnOf = (at: number): unknown[] => group.map(({ values }) => values[at]);
  const { rows } = await query(groupSql, [queueName, columnOf(1), columnOf(2), columnOf(3), ...settings]);
  return group.map((_, index) => ({ rows: rows.filter(({ nth }) => nth === String(index + 1)) }));
}

/** The jobs are finished in their order; each finds what those before it have changed. */
const groupSql = `
  select ended.nth, next.*
    from unnest($2::text[], $3::text[], $4::text[]) with ordinality as ended (id, token, result, nth)
   cross join lateral ${FINISH}
     $1, ended.id, ended.token, ended.result::jsonb, $5, $6, $7, $8, $9, $10, $11, $12, $13
   ) as next`;

/**
 * Whether a group fails for one of its jobs: BullMQ's own refusal (its lock is lost), a conflict, a deadlock, or a value. Then
 * nothing is changed, and each job is finished alone.
 */
function isFaultOfOne(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:BM|40|22|23)/.test(error.code ?? '');
}
