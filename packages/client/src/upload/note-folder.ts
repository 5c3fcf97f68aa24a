import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolder } from './make-folder.ts';
import { reportSystemFault } from './upload-fault.ts';

/** A folder of small JSON files that only their owner may read. */
export interface NoteFolder {
  /** Undefined where there is none or it is no JSON. */
  read(name: string): Promise<unknown>;
  /** Whoever reads meanwhile gets the old note or the new one, never a part. */
  write(name: string, note: unknown): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
  /** Unix milliseconds; undefined where there is none. */
  changedMs(name: string): Promise<number | undefined>;
  pathOf(name: string): string;
}

/** Makes the folder where it is missing. */
export async function openNoteFolder(path: string): Promise<NoteFolder> {
  try {
    await makeFolder(path);
  } catch (error) {
    throw reportSystemFault('the state folder cannot be made', error);
  }
  const pathOf = (name: string): string => join(path, name);
  return {
    pathOf,
    read: async (name) => {
      try {
        return JSON.parse(await readFile(pathOf(name), 'utf8'));
      } catch {
        return undefined;
      }
    },
    write: async (name, note) => {
      // A name that nobody guesses: what was put there before would be written through, if it is a link.
      const temporary = pathOf(`${name}.${randomUUID()}.tmp`);
      try {
        await writeFile(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
        await rename(temporary, pathOf(name));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw reportSystemFault('the state folder cannot be written', error);
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: () => readdir(path).catch(() => []),
    changedMs: async (name) => (await stat(pathOf(name)).catch(() => undefined))?.mtimeMs,
  };
}

/** Whether an entry of the folder is a part of this note that was being written. */
export function isTemporary(entry: string, name: string): boolean {
  return entry.startsWith(`${name}.`) && entry.endsWith('.tmp');
}
