import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { isCode } from '../errors.ts';

/** Why a backup was not written or not restored. */
export type BackupProblem =
  /** The folder to write to exists and is not empty. */
  | 'folder_not_empty'
  /** No manifest, or one that cannot be read: no backup, or one that was not completed. */
  | 'not_a_backup'
  /** A file is missing or is not as it was written. */
  | 'damaged'
  /** A newer release made it. */
  | 'newer_format'
  /** Its tables are those of another release. */
  | 'other_release'
  /** The store already holds data. */
  | 'store_not_empty'
  /** Another process uses the store. */
  | 'store_in_use';

export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly code: BackupProblem;
  /** What was found: a file, a table or a release. */
  readonly found: string;

  constructor(code: BackupProblem, found: string, cause?: unknown) {
    super(`${code}: ${found}`, { cause });
    this.code = code;
    this.found = found;
  }
}

/** Grows when an older release cannot read what a newer one writes. */
export const FORMAT_VERSION = 1;

export const MANIFEST_FILE = 'manifest.json';

/** `own` is the schema of the namespace, `queue` that of BullMQ. */
const schemaNameSchema = z.enum(['own', 'queue']);

export type SchemaName = z.infer<typeof schemaNameSchema>;

const nameSchema = z.string().regex(/^[a-z][a-z0-9_]*$/);

const tableSchema = z.object({
  schema: schemaNameSchema,
  name: nameSchema,
  columns: z.array(nameSchema).min(1),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
});

/** A table of a backup: one JSON object a line. */
export type BackupTable = z.infer<typeof tableSchema>;

const sequenceSchema = z.object({
  schema: schemaNameSchema,
  name: nameSchema,
  // A bigint.
  value: z.string().regex(/^-?\d+$/),
  isCalled: z.boolean(),
});

export type BackupSequence = z.infer<typeof sequenceSchema>;

const manifestSchema = z.object({
  format: z.literal('aftermeet-backup'),
  version: z.int(),
  /** The release that made it. */
  release: z.string(),
  createdAt: z.string(),
  /** The version of BullMQ's tables. */
  queueVersion: z.int(),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
});

/** Describes a backup. It is written last, so a folder with a manifest is complete. */
export type BackupManifest = z.infer<typeof manifestSchema>;

const versionSchema = z.object({
  format: z.literal('aftermeet-backup'),
  version: z.int(),
  release: z.string(),
});

export function fileOf({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return `${schema}-${name}.ndjson`;
}

/** Reads the manifest of a backup and checks every file against it. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const file = path.join(folder, MANIFEST_FILE);
  let found: unknown;
  try {
    found = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new BackupError('not_a_backup', file, error);
  }
  const head = z.safeParse(versionSchema, found);
  if (head.success && head.data.version > FORMAT_VERSION) {
    throw new BackupError('newer_format', head.data.release);
  }
  const manifest = z.safeParse(manifestSchema, found);
  if (!manifest.success) throw new BackupError('not_a_backup', file, manifest.error);
  for (const table of manifest.data.tables) await checkFile(folder, table);
  return manifest.data;
}

async function checkFile(folder: string, table: BackupTable): Promise<void> {
  const file = path.join(folder, fileOf(table));
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw new BackupError('damaged', file, error);
    throw error;
  }
  if (hash.digest('hex') !== table.sha256) throw new BackupError('damaged', file);
}
