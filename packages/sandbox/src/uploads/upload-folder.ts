import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a file may be written until the signal aborts. */
export interface ClaimedFile {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The temporary folder of uploaded chunks; the first file creates it. */
export function createUploadFolder() {
  let folder: string | undefined;
  let writing = createAbort();
  let removals = Promise.resolve();
  return {
    /** A new path. Throws the error of the system when no folder can be made. */
    claim: (): ClaimedFile => {
      folder ??= mkdtempSync(join(tmpdir(), 'aftermeet-sandbox-'));
      return { path: join(folder, `${randomUUID()}.part`), signal: writing.signal };
    },
    /** Aborts what is being written and removes every file. */
    clear(): Promise<void> {
      writing.abort();
      writing = createAbort();
      const old = folder;
      folder = undefined;
      if (old !== undefined) removals = removals.then(() => removeFolder(old));
      return removals;
    },
  };
}

/** A file that is just being opened can appear while the folder is emptied: hence the retries. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Every form that is being written listens to the signal: more than ten listeners are no leak. */
function createAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
