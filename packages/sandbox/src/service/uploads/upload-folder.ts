import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Where a file may be written, until the signal aborts. */
export interface ClaimedPlace {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A folder for what arrives. */
export interface UploadFolder {
  /** A place that nobody else has. Throws the system's error when there can be no folder. */
  readonly claim: () => ClaimedPlace;
  /** Ends what is being written and removes every file. */
  readonly clear: () => Promise<void>;
  /** Ends what is being written; what a later process will look for stays. */
  readonly close: () => Promise<void>;
}

const extension = '.part';
const makeName = (): string => randomUUID() + extension;

/** In the system's place for temporary files: made when the first place is claimed, and removed when it is cleared or closed. */
export function createTemporaryFolder(): UploadFolder {
  let folder: string | undefined;
  let removal = createRemoval();
  let removals = Promise.resolve();

  function remove(): Promise<void> {
    removal.abort();
    removal = createRemoval();
    const old = folder;
    folder = undefined;
    removals = removals.then(async () => {
      // A file that is just being opened can appear while the folder is emptied: hence the retries.
      if (old !== undefined) await rm(old, { recursive: true, force: true, maxRetries: 5 });
    });
    return removals;
  }

  return {
    claim() {
      folder ??= mkdtempSync(join(tmpdir(), 'aftermeet-sandbox-'));
      return { path: join(folder, makeName()), signal: removal.signal };
    },
    clear: remove,
    close: remove,
  };
}

/** In a folder that is there, and of which a later process finds the files. */
export function createKeptFolder(folder: string): UploadFolder {
  let removal = createRemoval();

  function endWriting(): void {
    removal.abort();
    removal = createRemoval();
  }

  return {
    claim: () => ({ path: join(folder, makeName()), signal: removal.signal }),
    async clear() {
      endWriting();
      await Promise.all(listParts(folder).map((name) => rm(join(folder, name), { force: true })));
    },
    close() {
      endWriting();
      return Promise.resolve();
    },
  };
}

/** Removes what a killed process was still writing: every file that was claimed here and is not among these. */
export function removeUnknownFiles(folder: string, knownPaths: ReadonlySet<string>): void {
  const known = new Set([...knownPaths].map((path) => basename(path)));
  for (const name of listParts(folder)) if (!known.has(name)) rmSync(join(folder, name), { force: true });
}

/** Whether the file is there, whole: a power cut may take what was written last. */
export function hasFile(path: string, bytes: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === bytes;
}

function listParts(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(extension));
}

/** Every form that is being written listens to its signal: more than ten of them are no leak. */
function createRemoval(): AbortController {
  const removal = new AbortController();
  setMaxListeners(0, removal.signal);
  return removal;
}
