import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import type { Client } from 'pg';

import { bullSchema } from '../bullmq/queue-names.ts';
import { acceptFunction, acceptFunctionHash, acceptFunctionName } from './accept-function.ts';

/**
 * Makes the schemas, tables and functions of a namespace, ours and BullMQ's, where they are missing. Where all are
 * there it only reads: what makes them takes locks (`create index if not exists` too) that would keep other processes
 * from accepting, and only their owner may.
 */
export async function prepareSchemas(client: Client, namespace: string): Promise<void> {
  await migrateBull(client, bullSchema(namespace));
  if ((await listMissing(client, namespace)).length === 0) return;
  await client.query('begin');
  try {
    // `if not exists` alone is not safe against a second process that does the same.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`aftermeet:${namespace}`]);
    for (const sql of await listMissing(client, namespace)) await client.query(sql);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function migrateBull(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass($1) is not null as "isThere"`,
    [`"${schema}".migration`],
  );
  const version = rows[0]?.isThere === true ? await assertSchemaCompatibility(client, schema) : 0;
  if (version < LATEST_SCHEMA_VERSION) await runMigrations(client, schema);
}

/**
 * SQL that makes what of ours is not there, in the order in which it must be made. It reads the catalogue's tables:
 * `to_regclass` may still hold for missing what another process has made a moment ago.
 */
async function listMissing(client: Client, namespace: string): Promise<string[]> {
  const { rows } = await client.query<{ found: string }>(
    `select 'schema' as found from pg_namespace where nspname = $1
     union all
     select relname from pg_class join pg_namespace as n on n.oid = relnamespace where nspname = $1
     union all
     select 'accept' from pg_proc as p join pg_namespace as n on n.oid = pronamespace
      where nspname = $1 and proname = $2 and obj_description(p.oid, 'pg_proc') = $3`,
    [namespace, acceptFunctionName, acceptFunctionHash(namespace)],
  );
  const found = new Set(rows.map((row) => row.found));
  return makers.filter(([name]) => !found.has(name)).map(([, make]) => make(namespace));
}

/** What makes each thing of our own in a namespace: the schema, its tables and their indexes, the function. */
const makers: readonly (readonly [name: string, make: (namespace: string) => string])[] = [
  ['schema', (namespace) => `create schema "${namespace}"`],
  [
    'marks',
    (namespace) => `
    create table "${namespace}".marks (
      key text primary key,
      expires_at_ms bigint not null
    )`,
  ],
  ['marks_expiry', (namespace) => `create index marks_expiry on "${namespace}".marks (expires_at_ms)`],
  [
    'announcements',
    (namespace) => `
    create table "${namespace}".announcements (
      key text primary key,
      job_id text not null,
      expires_at_ms bigint not null
    )`,
  ],
  [
    'announcements_expiry',
    (namespace) => `create index announcements_expiry on "${namespace}".announcements (expires_at_ms)`,
  ],
  [
    'refusals',
    (namespace) => `
    create table "${namespace}".refusals (
      id bigint generated always as identity primary key,
      refusal text not null
    )`,
  ],
  [
    'accept',
    (namespace) => `
    ${acceptFunction(namespace)}
    comment on function "${namespace}".${acceptFunctionName} is '${acceptFunctionHash(namespace)}'`,
  ],
];
