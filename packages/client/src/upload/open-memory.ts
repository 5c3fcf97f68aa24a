import type { Connection } from '../send-request.ts';
import { createFinishedUploads, type FinishedUploads } from './finished-uploads.ts';
import { type Journal, NO_JOURNAL, openJournal } from './journal.ts';
import { openNoteFolder } from './note-folder.ts';
import type { UploadFile } from './upload-file.ts';
import { nameScope } from './upload-note.ts';
import type { UploadDetails } from './upload.ts';

/** What runs before this one left behind, and what the next ones will find. */
export interface Memory {
  readonly finished: FinishedUploads | undefined;
  readonly journal: Journal;
}

export interface MemoryFacts {
  readonly connection: Connection;
  readonly file: UploadFile;
  readonly details: UploadDetails;
  readonly chunkBytes: number;
}

/** Without a folder nothing is remembered; only a file under a path can be gone on with. */
export async function openMemory(
  stateFolder: string | undefined,
  { connection, file, details, chunkBytes }: MemoryFacts,
): Promise<Memory> {
  if (stateFolder === undefined) return { finished: undefined, journal: NO_JOURNAL };
  const { clock } = connection;
  const { identity, size } = file;
  const folder = await openNoteFolder(stateFolder);
  const scope = nameScope(connection);
  const finished = createFinishedUploads(folder, scope, clock);
  if (identity === undefined) return { finished, journal: NO_JOURNAL };
  const facts = { folder, scope, identity, details, size, chunkBytes, clock };
  return { finished, journal: await openJournal(facts) };
}
