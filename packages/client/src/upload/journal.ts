import type { Connection } from '../send-request.ts';
import { isTemporary, type NoteFolder } from './note-folder.ts';
import type { FileIdentity } from './upload-file.ts';
import { takeLock } from './upload-lock.ts';
import { type FinalRequest, nameNote, readNote, type UploadNote, writeNote } from './upload-note.ts';
import type { UploadDetails } from './upload.ts';

/** One try to get all chunks to the service under one session. */
export type Attempt = Pick<UploadNote, 'id' | 'sessionId' | 'accepted' | 'final'>;

/** Notes how far an upload has come, for the run after this one. */
export interface Journal {
  /** The attempt that an earlier run left unfinished. */
  readonly unfinished: Attempt | undefined;
  /** Before the first request of an attempt. Throws when nothing can be noted. */
  begin(attempt: Attempt): Promise<void>;
  /** The service has this chunk; `sha256` is of the file up to the chunk's end. */
  accept(chunkNumber: number, sha256: string): Promise<void>;
  /** What is known of the final request from now on. Throws when it cannot be noted. */
  noteFinal(final: FinalRequest): Promise<void>;
  /** The upload is finished: there is nothing left to resume. */
  forget(): Promise<void>;
  /** Lets others upload the file. */
  release(): Promise<void>;
}

export const NO_JOURNAL: Journal = {
  unfinished: undefined,
  begin: async () => {},
  accept: async () => {},
  noteFinal: async () => {},
  forget: async () => {},
  release: async () => {},
};

export interface JournalFacts {
  readonly folder: NoteFolder;
  readonly scope: string;
  readonly identity: FileIdentity;
  readonly details: UploadDetails;
  readonly size: number;
  readonly chunkBytes: number;
  readonly clock: Connection['clock'];
}

/** Opens the journal of a file. Throws `conflict` while another process uploads the same file. */
export async function openJournal(facts: JournalFacts): Promise<Journal> {
  const { folder, scope, identity, details, size, chunkBytes, clock } = facts;
  const name = nameNote(scope, identity.path, details);
  const release = await takeLock(folder, name.replace(/json$/, 'lock'), clock);
  await removeLeftovers(folder, name);
  const unfinished = readNote(await folder.read(name), identity, size, chunkBytes);
  const accepted = new Map<number, string>();
  let rest: Omit<Attempt, 'accepted'> | undefined;
  const save = async (): Promise<void> => {
    if (rest !== undefined)
      await folder.write(name, writeNote({ ...identity, size, chunkBytes, ...rest, accepted }));
  };
  let saved = Promise.resolve();

  return {
    unfinished,
    begin: async (attempt) => {
      const { id, sessionId, final } = attempt;
      rest = { id, sessionId, final };
      accepted.clear();
      for (const [number, sha256] of attempt.accepted) accepted.set(number, sha256);
      await save();
    },
    accept: async (chunkNumber, sha256) => {
      accepted.set(chunkNumber, sha256);
      // A disk that is full by now costs the next run some chunks, not this one its upload.
      saved = saved.then(save).catch(() => {});
      await saved;
    },
    noteFinal: async (final) => {
      if (rest !== undefined) rest = { ...rest, final };
      await save();
    },
    forget: () => folder.remove(name).catch(() => {}),
    release,
  };
}

/** Of runs that were killed while they wrote: nobody but who holds the lock writes this note. */
async function removeLeftovers(folder: NoteFolder, name: string): Promise<void> {
  const leftovers = (await folder.list()).filter((entry) => isTemporary(entry, name));
  await Promise.all(leftovers.map((entry) => folder.remove(entry).catch(() => {})));
}
