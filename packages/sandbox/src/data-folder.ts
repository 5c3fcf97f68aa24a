import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

/** The state of a sandbox as JSON: lists of values by name. */
export type SavedState = Readonly<Record<string, readonly unknown[]>>;

/** The folder that keeps the state of a sandbox cannot be used. The message names the file and says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** A folder with one snapshot of the state, `state.json`, and the uploaded files in `uploads`. */
export interface DataFolder {
  /** What an earlier process saved. */
  readonly saved: SavedState;
  /** For the files that the state names. */
  readonly files: string;
  /** From now on, changes are saved. A sandbox that cannot listen must not overwrite the state of another one. */
  readonly start: (save: () => SavedState) => void;
  /** Saves the state soon. */
  readonly changed: () => void;
  /** Saves what has changed. Rejects with `DataFolderError` when it cannot be written. */
  readonly close: () => Promise<void>;
}

const STATE_FILE = 'state.json';
const VERSION = 2;
/** Changes within this time are saved together; a killed process loses them. */
const SAVE_DELAY_MS = 100;

const snapshotSchema = z.object({
  format: z.literal('aftermeet-sandbox'),
  version: z.int(),
  state: z.record(z.string(), z.array(z.unknown())),
});

/**
 * Opens the folder or makes it. Only this user can read it: it holds webhook secrets. One process at a time may use it.
 * Throws `DataFolderError` when it belongs to something else, was written by another version, or cannot be read or
 * written.
 */
export function openDataFolder(folder: string): DataFolder {
  const root = resolve(folder);
  const path = join(root, STATE_FILE);
  const files = join(root, 'uploads');
  makeFolder(root);
  checkFolder(root);
  const saved = readSnapshot(path);
  makeFolder(files);

  let save: (() => SavedState) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isChanged = false;

  function changed(): void {
    if (save === undefined) return;
    isChanged = true;
    timer ??= setTimeout(() => {
      write().catch(() => {});
    }, SAVE_DELAY_MS).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .catch(() => {})
      .then(async () => {
        if (!isChanged || save === undefined) return;
        isChanged = false;
        const snapshot = { format: 'aftermeet-sandbox', version: VERSION, state: save() };
        try {
          await writeFileAtomic(path, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 });
        } catch (error) {
          // The next change and `close` try again.
          isChanged = true;
          throw toDataFolderError(path, 'written', error);
        }
      });
    return writing;
  }

  return {
    saved,
    files,
    start(source) {
      save = source;
      changed();
    },
    changed,
    close: write,
  };
}

/** Unknown files would be in danger: the sandbox removes files from `uploads`. */
function checkFolder(root: string): void {
  const names = listNames(root);
  if (names.includes(STATE_FILE)) return;
  const foreign = names.find((name) => name !== 'uploads' && !name.startsWith(`${STATE_FILE}.`));
  if (foreign === undefined) return;
  throw new DataFolderError(
    `${root} holds ${foreign} and no state of a sandbox. Name a folder that is empty or not there yet.`,
  );
}

function readSnapshot(path: string): SavedState {
  if (!existsSync(path)) return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw toDataFolderError(path, 'read', error);
  }
  const result = snapshotSchema.safeParse(parseJson(text));
  if (!result.success) {
    throw new DataFolderError(
      `${path} is not the state of a sandbox. Name another folder, or move the file away.`,
    );
  }
  if (result.data.version !== VERSION) {
    throw new DataFolderError(
      `${path} was written by another version of the sandbox (format ${String(result.data.version)}; this one reads ${String(VERSION)}). Use that version, or name another folder.`,
    );
  }
  return result.data.state;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the folders above it. The recursive `mkdirSync` of Node never ends in a file system without folders, as `/proc`. */
function makeFolder(path: string): void {
  if (makeOneFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  if (above === path || !makeOneFolder(path)) throw toDataFolderError(path, 'made', 'ENOENT');
}

/** False when the folder above it is missing. */
function makeOneFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw toDataFolderError(path, 'made', error);
    }
  }
  return true;
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw toDataFolderError(path, 'read', error);
  }
}

function toDataFolderError(path: string, operation: string, error: unknown): DataFolderError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const advice =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'Make room on the disk'
      : 'Let this user read and write there, or name another folder';
  return new DataFolderError(`${path} cannot be ${operation}: ${code}. ${advice}, and try again.`);
}
