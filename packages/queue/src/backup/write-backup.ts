import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

import type { ClientBase } from 'pg';

import type { PostgresBackend } from '../backend.ts';
import { bullSchema } from '../bullmq/queues.ts';
import { isCode } from '../errors.ts';
import { withPostgresClient } from '../postgres/postgres-backend.ts';
import {
  BackupError,
  type BackupManifest,
  type BackupSequence,
  type BackupTable,
  fileOf,
  FORMAT_VERSION,
  MANIFEST_FILE,
  type SchemaName,
} from './manifest.ts';

export interface BackupOptions {
  /** The version of this release. */
  readonly release: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly signal?: AbortSignal;
  /** Called with the bytes written or restored so far. */
  readonly onProgress?: (doneBytes: number, totalBytes?: number) => void;
}

/** A row may hold a body of 8 MiB. */
const ROWS_AT_ONCE = 50;

/**
 * Writes all data of the backend's namespace to a new folder, as of one moment. Receivers and workers go on meanwhile. The
 * folder appears complete: it is written under another name first.
 */
export async function writeBackup(
  backend: PostgresBackend,
  folder: string,
  options: BackupOptions,
): Promise<BackupManifest> {
  const target = path.resolve(folder);
  if (!(await isFree(target))) throw new BackupError('folder_not_empty', target);
  await mkdir(path.dirname(target), { recursive: true });
  const temporary = `${target}.new-${randomBytes(4).toString('hex')}`;
  await mkdir(temporary, { mode: 0o700 });
  try {
    // A umask may have taken rights away, also from the owner.
    await chmod(temporary, 0o700);
    const manifest = await withPostgresClient(backend.poolConfig('work'), (client) =>
      copyAll(client, backend.namespace, temporary, options),
    );
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
    await writeLines(path.join(temporary, MANIFEST_FILE), [text]);
    // Where the target is an empty folder, not every system renames over it.
    await rmdir(target).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT')) throw error;
    });
    await rename(temporary, target);
    // A power cut must not take away what was said to be written.
    await syncFolder(target);
    await syncFolder(path.dirname(target));
    return manifest;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    if (isCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}

async function copyAll(
  client: ClientBase,
  namespace: string,
  folder: string,
  { release, nowMs, signal, onProgress }: BackupOptions,
): Promise<BackupManifest> {
  await client.query('begin isolation level repeatable read read only');
  const tables: BackupTable[] = [];
  let doneBytes = 0;
  for (const { schema, name, columns } of await listTables(client, namespace)) {
    const lines = readRows(client, `"${schemaOf(schema, namespace)}"."${name}"`);
    const written = await writeLines(path.join(folder, fileOf({ schema, name })), lines, (bytes) => {
      signal?.throwIfAborted();
      onProgress?.(doneBytes + bytes);
    });
    doneBytes += written.bytes;
    tables.push({ schema, name, columns, ...written });
  }
  const queueVersion = await readQueueVersion(client, namespace);
  // Sequences belong to no snapshot. Read last they are never behind the rows.
  const sequences = await readSequences(client, namespace);
  await client.query('commit');
  return {
    format: 'aftermeet-backup',
    version: FORMAT_VERSION,
    release,
    createdAt: new Date(nowMs).toISOString(),
    queueVersion,
    tables,
    sequences,
  };
}

/** Of the tables as they are: a newer release may have migrated them already. */
async function readQueueVersion(client: ClientBase, namespace: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select coalesce(max(version), 0)::int as version from "${bullSchema(namespace)}".migration`,
  );
  return rows[0]?.version ?? 0;
}

export function schemaOf(schema: SchemaName, namespace: string): string {
  return schema === 'own' ? namespace : bullSchema(namespace);
}

/** All tables of a namespace, but the one that says which migrations of BullMQ were made. */
export async function listTables(
  client: ClientBase,
  namespace: string,
): Promise<readonly Pick<BackupTable, 'schema' | 'name' | 'columns'>[]> {
  const { rows } = await client.query<Pick<BackupTable, 'schema' | 'name' | 'columns'>>(
    `select case nspname when $1 then 'own' else 'queue' end as schema, relname::text as name,
            (select json_agg(attname order by attnum) from pg_attribute
              where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where nspname in ($1, $2) and relkind = 'r' and not (nspname = $2 and relname = 'migration')
      order by 1, 2`,
    [namespace, bullSchema(namespace)],
  );
  return rows;
}

async function* readRows(client: ClientBase, table: string): AsyncGenerator<string> {
  await client.query(
    `declare backup_rows no scroll cursor for select row_to_json(t)::text as line from ${table} as t`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from backup_rows`);
    for (const { line } of rows) yield `${line}\n`;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query('close backup_rows');
}

async function readSequences(client: ClientBase, namespace: string): Promise<BackupSequence[]> {
  const { rows } = await client.query<{ schema: SchemaName; name: string }>(
    `select case nspname when $1 then 'own' else 'queue' end as schema, relname::text as name
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where nspname in ($1, $2) and relkind = 'S' order by 1, 2`,
    [namespace, bullSchema(namespace)],
  );
  const sequences: BackupSequence[] = [];
  for (const { schema, name } of rows) {
    const read = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from "${schemaOf(schema, namespace)}"."${name}"`,
    );
    for (const state of read.rows) sequences.push({ schema, name, ...state });
  }
  return sequences;
}

/** Writes a new file that its owner alone can read, and waits until it is on the disk. */
async function writeLines(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
  onBytes?: (bytes: number) => void,
): Promise<{ readonly rows: number; readonly bytes: number; readonly sha256: string }> {
  const handle = await open(file, 'wx', 0o600);
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  let held: string[] = [];
  let heldLength = 0;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.from(held.join(''));
    held = [];
    heldLength = 0;
    hash.update(chunk);
    await handle.writeFile(chunk);
    bytes += chunk.length;
    onBytes?.(bytes);
  };
  try {
    for await (const line of lines) {
      rows += 1;
      held.push(line);
      heldLength += line.length;
      if (heldLength > CHUNK_LENGTH) await flush();
    }
    await flush();
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { rows, bytes, sha256: hash.digest('hex') };
}

const CHUNK_LENGTH = 1024 * 1024;

/** Windows has no such call for folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
