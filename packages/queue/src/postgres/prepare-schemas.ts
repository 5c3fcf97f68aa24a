import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import pg, { type Client, type ClientConfig } from 'pg';

import { bullSchema } from '../bullmq/queue-names.ts';

/** Connects, and makes what {@link prepareSchemas} makes. */
export async function prepareNamespace(config: ClientConfig, namespace: string): Promise<void> {
  const client = new pg.Client({ ...config, query_timeout: 30_000 });
  client.on('error', () => undefined); // The query that runs rejects as well.
  try {
    await client.connect();
    await prepareSchemas(client, namespace);
  } finally {
    // A connection that never stood can't be ended politely.
    await client.end().catch(() => undefined);
  }
}

/** Makes the schemas and tables of a namespace, ours and BullMQ's, where they are missing. */
export async function prepareSchemas(client: Client, namespace: string): Promise<void> {
  await migrateBull(client, bullSchema(namespace));
  await client.query('begin');
  try {
    // `if not exists` alone is not safe against a second process that does the same.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`aftermeet:${namespace}`]);
    const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [namespace]);
    if (rowCount === 0) await client.query(`create schema "${namespace}"`);
    await client.query(ownTables(namespace));
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

/** The tables of our own in a namespace. */
function ownTables(namespace: string): string {
  return `
    create table if not exists "${namespace}".fingerprints (
      key text primary key,
      expires_at_ms bigint not null
    );
    create index if not exists fingerprints_expiry on "${namespace}".fingerprints (expires_at_ms);
    create table if not exists "${namespace}".refusals (
      id bigint generated always as identity primary key,
      refusal text not null
    );`;
}
