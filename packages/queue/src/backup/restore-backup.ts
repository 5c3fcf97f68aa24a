import { createReadStream } from 'node:fs';
import path from 'node:path';

import { LATEST_SCHEMA_VERSION } from 'bullmq';
import type { ClientBase } from 'pg';

import type { PostgresBackend } from '../backend.ts';
import { withPostgresClient } from '../postgres/postgres-backend.ts';
import { BackupError, type BackupManifest, type BackupTable, fileOf, readManifest } from './manifest.ts';
import { type BackupOptions, listTables, schemaOf } from './write-backup.ts';

/** Checks that a folder is a whole backup that this release can restore. */
export async function checkBackup(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(path.resolve(folder));
  if (manifest.queueVersion !== LATEST_SCHEMA_VERSION) {
    throw new BackupError('other_release', manifest.release);
  }
  return manifest;
}

/**
 * Restores a checked backup into an empty namespace whose tables are there, all of it or nothing. No other process may use
 * the embedded server meanwhile.
 */
export async function restoreBackup(
  backend: PostgresBackend,
  folder: string,
  manifest: BackupManifest,
  options: Pick<BackupOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  await withPostgresClient(backend.poolConfig('work'), async (client) => {
    await client.query('begin');
    await refuseOtherUsers(client);
    await prepareTarget(client, backend.namespace, manifest);
    const totalBytes = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0);
    let doneBytes = 0;
    for (const table of manifest.tables) {
      await insertRows(client, backend.namespace, path.resolve(folder), table, (bytes) => {
        options.signal?.throwIfAborted();
        options.onProgress?.(doneBytes + bytes, totalBytes);
      });
      doneBytes += table.bytes;
    }
    for (const { schema, name, value, isCalled } of manifest.sequences) {
      const sequence = `"${schemaOf(schema, backend.namespace)}"."${name}"`;
      await client.query('select setval($1::regclass, $2::bigint, $3)', [sequence, value, isCalled]);
    }
    await client.query('commit');
  });
}

/** A receiver or worker would go on with what it knows of the empty store. Each process has one session of this name. */
async function refuseOtherUsers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ users: number }>(
    `select count(*)::int as users from pg_stat_activity where application_name = 'aftermeet-keeper'`,
  );
  const users = rows[0]?.users ?? 0;
  if (users > 1) throw new BackupError('store_in_use', String(users - 1));
}

/** What BullMQ notes of each queue when it is opened: no data. */
const NOTES = 'meta';

/** Refuses a store that has data, or lacks a table or a column of the backup. */
async function prepareTarget(
  client: ClientBase,
  namespace: string,
  { tables, sequences, release }: BackupManifest,
): Promise<void> {
  const there = await listTables(client, namespace);
  for (const { schema, name } of there) {
    const table = `"${schemaOf(schema, namespace)}"."${name}"`;
    await client.query(`lock table ${table} in exclusive mode`);
    if (schema === 'queue' && name === NOTES) {
      await client.query(`delete from ${table}`);
      continue;
    }
    const { rows } = await client.query(`select 1 from ${table} limit 1`);
    if (rows.length > 0) throw new BackupError('store_not_empty', name);
  }
  for (const { schema, name, columns } of tables) {
    const known = there.find((table) => table.schema === schema && table.name === name);
    if (known === undefined || columns.some((column) => !known.columns.includes(column))) {
      throw new BackupError('other_release', release);
    }
  }
  for (const { schema, name } of sequences) {
    const sequence = `"${schemaOf(schema, namespace)}"."${name}"`;
    // BullMQ makes one for each queue when it is first needed.
    if (schema === 'queue') await client.query(`create sequence if not exists ${sequence}`);
    const { rows } = await client.query<{ found: string | null }>('select to_regclass($1) as found', [
      sequence,
    ]);
    if (rows[0]?.found === null) throw new BackupError('other_release', release);
  }
  // Foreign keys hold in the backup as a whole, and triggers have run before.
  await client.query('set local session_replication_role = replica');
}

const BATCH_LENGTH = 1024 * 1024;

async function insertRows(
  client: ClientBase,
  namespace: string,
  folder: string,
  table: BackupTable,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const target = `"${schemaOf(table.schema, namespace)}"."${table.name}"`;
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  const insert =
    `insert into ${target} (${columns}) overriding system value ` +
    `select ${columns} from json_populate_recordset(null::${target}, $1::json)`;
  const file = path.join(folder, fileOf(table));
  let batch: string[] = [];
  let [length, bytes, rows] = [0, 0, 0];
  const flush = async (): Promise<void> => {
    const { rowCount } = await client.query(insert, [`[${batch.join(',')}]`]);
    rows += rowCount ?? 0;
    batch = [];
    length = 0;
    onBytes(bytes);
  };
  for await (const line of readLines(file)) {
    batch.push(line);
    length += line.length;
    bytes += Buffer.byteLength(line) + 1;
    if (length > BATCH_LENGTH) await flush();
  }
  if (batch.length > 0) await flush();
  if (rows !== table.rows) throw new BackupError('damaged', file);
}

/** Splits at line feeds alone: JSON may hold the other ends of lines that Node's own reader knows. */
async function* readLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk as string}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
