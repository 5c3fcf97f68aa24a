import type { z } from 'zod';

import { DataFolderError } from './data-folder-error.ts';
import type { FolderLock } from './folder-lock.ts';
import type { Journal } from './journal.ts';
import { applyChange, type Change, type KeptState } from './kept-state.ts';
import { replaceStateFile } from './state-file.ts';

/** How many times its snapshot a file may hold, and some more: a small one is not worth a new snapshot. */
const timesSnapshot = 3;
const leastGrowthBytes = 1024 * 1024;

/** Keeps every change in the file, which begins with a snapshot of the state; it gets a new one when it has grown to several times that. */
export function createFileJournal(path: string, state: KeptState, lock: FolderLock): Journal {
  let file = replaceStateFile(path, state);
  let nextSnapshotAt = planSnapshot(file.snapshotBytes);
  let isClosed = false;
  /** What happens together. */
  let gathered: Change[] | undefined;
  /** What happened together and could not be written: the next line brings it. */
  let owed: readonly Change[] = [];

  function note(change: Change): void {
    if (isClosed) return;
    if (gathered === undefined) write([change]);
    else gathered.push(change);
  }

  function write(changes: readonly Change[]): void {
    if (!lock.isHeld()) throw describeLoss(path);
    const all = [...owed, ...changes];
    file.append(`${JSON.stringify(all.length === 1 ? all[0] : all)}\n`);
    owed = [];
    for (const change of all) applyChange(state, change);
    if (file.bytes() >= nextSnapshotAt) shorten();
  }

  /** What has happened already cannot be undone by whoever learns here that the disk is full. */
  function writeOrOwe(changes: readonly Change[]): void {
    try {
      write(changes);
    } catch (error) {
      owed = [...owed, ...changes];
      throw error;
    }
  }

  function shorten(): void {
    if (!lock.look()) throw describeLoss(path);
    const old = file;
    try {
      file = replaceStateFile(path, state);
      old.close();
    } catch {
      // The file that is there holds everything: it grows on, until the next try.
    }
    nextSnapshotAt = planSnapshot(file.bytes());
  }

  return {
    load(collection, schema) {
      const values = [...(state.get(collection) ?? [])];
      return values.map(([key, text]) => {
        const reading = schema.safeParse(JSON.parse(text));
        if (reading.success) return reading.data;
        throw describeMisfit(path, `${collection} ${key}`, reading.error);
      });
    },
    put(collection, key, value) {
      note({ put: collection, key, value });
    },
    remove(collection, key) {
      note({ remove: collection, key });
    },
    clear(collection) {
      const mayHold = gathered !== undefined || owed.length > 0 || state.has(collection);
      if (mayHold) note({ clear: collection });
    },
    together(change) {
      if (gathered !== undefined) return change();
      const changes = (gathered = []);
      try {
        return change();
      } finally {
        gathered = undefined;
        if (changes.length > 0) writeOrOwe(changes);
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      try {
        if (owed.length > 0) write([]);
      } catch {
        // Whoever made these changes was told so.
      }
      file.close();
      lock.release();
    },
  };
}

function planSnapshot(bytes: number): number {
  return bytes * timesSnapshot + leastGrowthBytes;
}

function describeLoss(path: string): DataFolderError {
  return new DataFolderError(
    `${path} was taken over by another process while this one stood still. End one of them, and start this one again.`,
  );
}

function describeMisfit(path: string, place: string, error: z.ZodError): DataFolderError {
  const [issue] = error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  return new DataFolderError(
    `${path} holds ${place} in a form that this version of the sandbox does not read${field}. Use the version that wrote it, or name another folder.`,
  );
}
