import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { DataFolderError, describeDiskFault } from './data-folder-error.ts';
import { createFileJournal } from './file-journal.ts';
import { takeFolderLock } from './folder-lock.ts';
import type { Journal } from './journal.ts';
import { readStateFile } from './read-state-file.ts';

/** Where a sandbox keeps its state. */
export interface DataFolder {
  readonly journal: Journal;
  /** For the files that the state names. */
  readonly files: string;
}

const stateName = 'state.jsonl';
const lockName = 'lock';
/** What a process that was killed at its first start may leave. */
const ownNames: ReadonlySet<string> = new Set([
  stateName,
  `${stateName}.tmp`,
  lockName,
  `${lockName}.takeover`,
]);

/**
 * Opens the folder that keeps the state of one sandbox, or makes it: `state.jsonl` holds a snapshot and every change
 * since, `uploads` the files, `lock` says who has it open. Only this user can read them: secrets are among it.
 * Throws `DataFolderError` when it belongs to something else, is held by another process, or cannot be read or
 * written. `nowMs` is the machine's time.
 */
export function openDataFolder(folder: string, nowMs: () => number): DataFolder {
  const root = resolve(folder);
  const files = join(root, 'uploads');
  makeFolder(root);
  refuseForeign(root);
  const lock = takeFolderLock(join(root, lockName), nowMs);
  try {
    const path = join(root, stateName);
    const journal = createFileJournal(path, readStateFile(path) ?? new Map(), lock);
    makeFolder(files);
    return { journal, files };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** With the folders above it. Node's own way to make those tries for ever where a file system takes no folders, as `/proc`. */
function makeFolder(path: string): void {
  if (makeOne(path) === 'made') return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  if (above === path || makeOne(path) === 'nowhere') throw describeDiskFault(path, 'made', 'ENOENT');
}

function makeOne(path: string): 'made' | 'nowhere' {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'nowhere';
    if (code !== 'EEXIST' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw describeDiskFault(path, 'made', error);
    }
  }
  return 'made';
}

/** Files that nobody knows are removed from `uploads` later: they must be a sandbox's. */
function refuseForeign(root: string): void {
  const names = listNames(root);
  const foreign = names.find((name) => !ownNames.has(name));
  if (names.includes(stateName) || foreign === undefined) return;
  throw new DataFolderError(
    `${root} holds ${foreign} and no state of a sandbox. Name a folder that is empty or not there yet.`,
  );
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw describeDiskFault(path, 'read', error);
  }
}
