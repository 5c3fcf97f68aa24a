import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a file may be written, until the signal aborts. */
export interface ClaimedPlace {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A folder for what arrives, in the system's place for temporary files. It is made when the first place is claimed. */
export interface ScratchFolder {
  /** A place that nobody else has. Rejects with the system's error when there can be no folder. */
  readonly claim: () => Promise<ClaimedPlace>;
  /** Ends what is being written and removes the folder with all that is in it; a later claim makes a new one. */
  readonly remove: () => Promise<void>;
}

const ignore = (): void => {};

export function createScratchFolder(): ScratchFolder {
  let folder: Promise<string> | undefined;
  let removal = new AbortController();
  let removals = Promise.resolve();
  let lastNumber = 0;

  async function open(): Promise<string> {
    const opening = (folder ??= mkdtemp(join(tmpdir(), 'aftermeet-sandbox-')));
    try {
      return await opening;
    } catch (error) {
      // The next claim tries again.
      if (folder === opening) folder = undefined;
      throw error;
    }
  }

  return {
    async claim() {
      const { signal } = removal;
      lastNumber += 1;
      const name = `${String(lastNumber)}.part`;
      return { path: join(await open(), name), signal };
    },
    remove() {
      removal.abort();
      removal = new AbortController();
      const old = folder?.catch(ignore);
      folder = undefined;
      removals = removals.catch(ignore).then(async () => {
        const path = await old;
        // A file that is just being opened can appear while the folder is emptied: hence the retries.
        if (typeof path === 'string') await rm(path, { recursive: true, force: true, maxRetries: 5 });
      });
      return removals;
    },
  };
}
