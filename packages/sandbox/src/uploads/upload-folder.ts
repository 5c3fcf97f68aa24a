import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Where a file may be written until the signal aborts. */
export interface ClaimedFile {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The folder of uploaded chunks. */
export interface UploadFolder {
  /** A new path. Throws the error of the system when no folder can be made. */
  readonly claim: () => ClaimedFile;
  /** Removes every file that is not among these: what a killed process was writing. */
  readonly removeOthers: (paths: readonly string[]) => void;
  /** Aborts what is being written and removes every file. */
  readonly clear: () => Promise<void>;
  /** Aborts what is being written. Files in a folder that outlives the process stay. */
  readonly close: () => Promise<void>;
}

const EXTENSION = '.part';

/** Uses `persistentFolder`, which exists and outlives the process; without it, a temporary folder that the first file creates. */
export function createUploadFolder(persistentFolder: string | undefined): UploadFolder {
  let folder = persistentFolder;
  let writing = createAbort();
  let removals = Promise.resolve();

  function abort(): void {
    writing.abort();
    writing = createAbort();
  }

  function clear(): Promise<void> {
    abort();
    const old = folder;
    folder = persistentFolder;
    if (old !== undefined)
      removals = removals.then(() => (persistentFolder === undefined ? removeFolder(old) : removeParts(old)));
    return removals;
  }

  return {
    claim() {
      folder ??= mkdtempSync(join(tmpdir(), 'aftermeet-sandbox-'));
      return { path: join(folder, randomUUID() + EXTENSION), signal: writing.signal };
    },
    removeOthers(paths) {
      if (persistentFolder === undefined) return;
      const known = new Set(paths.map((path) => basename(path)));
      for (const name of listParts(persistentFolder))
        if (!known.has(name)) rmSync(join(persistentFolder, name), { force: true });
    },
    clear,
    async close() {
      if (persistentFolder === undefined) await clear();
      else abort();
    },
  };
}

/** A file that is just being opened can appear while the folder is emptied: hence the retries. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function removeParts(folder: string): Promise<void> {
  await Promise.all(listParts(folder).map((name) => rm(join(folder, name), { force: true })));
}

/** Whether the file is there, whole. */
export function hasFile(path: string, bytes: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === bytes;
}

function listParts(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
}

/** Every form that is being written listens to the signal: more than ten listeners are no leak. */
function createAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
