import { rm } from 'node:fs/promises';

import { z } from 'zod';

import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { keptMeetings } from '../meeting-store.ts';
import { createCollection } from '../state/collection.ts';
import type { Journal } from '../state/journal.ts';
import { createExpiry } from './expire-uploads.ts';
import type { ReceivedFile } from './receive-form.ts';
import { dropFiles, describeAttempt, startUpload } from './start-upload.ts';
import { createKeptFolder, createTemporaryFolder, type UploadFolder } from './upload-folder.ts';
import { createUploadJournal } from './upload-journal.ts';
import {
  describeUpload,
  uploadDetailsSchema,
  type ChunkInput,
  type Upload,
  type UploadFacts,
  type UploadResult,
  type UploadView,
} from './upload.ts';

const keptUploads = 1000;
const keptReplacedSessions = 1000;

export interface UploadStoreSettings {
  readonly journal: Journal;
  /** A folder that is there, for files that are to outlive the process; undefined: a temporary one. */
  readonly files: string | undefined;
  readonly clock: Pick<SandboxClock, 'now' | 'schedule'>;
  /** How long an upload is kept that nobody goes on with, in hours of the sandbox; null: for ever. */
  readonly lifetimeHours: () => number | null;
}

/** The uploads of one sandbox: what is known of them in memory, their chunks on disk until they are complete. */
export interface UploadStore {
  readonly claimPlace: UploadFolder['claim'];
  /**
   * The attempt that a request belongs to. A new one replaces the one before it; of that
   * one, nothing more is taken: undefined. Remembered of the newest 1000 that were replaced.
   */
  readonly open: (input: ChunkInput) => Upload | undefined;
  /** Counts a request of it, and notes what it says of the meeting. */
  readonly note: (upload: Upload, input: ChunkInput) => void;
  /** False once a newer attempt has replaced it, or it was forgotten. */
  readonly isCurrent: (upload: Upload) => boolean;
  /** Makes the file a chunk of the upload; it takes the place of one that came before. */
  readonly keepChunk: (upload: Upload, chunkNumber: number, file: ReceivedFile) => Promise<void>;
  /** Notes at once what became of it; resolves when the chunks' files are removed. */
  readonly complete: (upload: Upload, result: UploadResult) => Promise<void>;
  /** The meeting that the same content became before, by its SHA-256; of as many contents as there are meetings. */
  readonly findContent: (sha256: string) => string | undefined;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly UploadView[];
  /** Goes on with what an earlier process left. */
  readonly resume: () => void;
  /** Forgets everything, ends what is under way and removes every file. */
  readonly clear: () => Promise<void>;
  /** Ends what is under way, and removes every file that no later process looks for. */
  readonly close: () => Promise<void>;
}

/** Throws `DataFolderError` when the journal holds what cannot be read. */
export function createUploadStore({
  journal,
  files,
  clock,
  lifetimeHours,
}: UploadStoreSettings): UploadStore {
  const folder = files === undefined ? createTemporaryFolder() : createKeptFolder(files);
  const kept = createUploadJournal(journal);
  const loaded = files === undefined ? [] : kept.load(files);
  const uploads = new Map(loaded.map((upload) => [upload.facts.id, startUpload(upload)]));
  const replaced = createCollection({
    name: 'replaced sessions',
    schema: z.object({ sessionId: z.string() }).readonly(),
    keyOf: ({ sessionId }) => sessionId,
    limit: keptReplacedSessions,
    journal,
  });
  const contents = createCollection({
    name: 'contents',
    schema: z.object({ sha256: z.string(), meetingId: z.string() }).readonly(),
    keyOf: ({ sha256 }) => sha256,
    limit: keptMeetings,
    journal,
  });

  function forget(upload: Upload): void {
    kept.remove(upload.facts);
    uploads.delete(upload.facts.id);
    // Nobody waits for it; what is left goes with the folder.
    dropFiles(upload).catch(() => {});
  }

  function replace(upload: Upload): void {
    replaced.put({ sessionId: upload.facts.sessionId });
    forget(upload);
  }

  const expiry = createExpiry({ clock, lifetimeHours, list: () => [...uploads.values()], forget });

  function change(upload: Upload, changes: Partial<UploadFacts>): void {
    const facts = { ...upload.facts, ...changes };
    kept.put(facts);
    upload.facts = facts;
  }

  return {
    claimPlace: folder.claim,
    open(input) {
      expiry.look();
      const { id, upload_session_id: sessionId } = input;
      const known = uploads.get(id);
      if (known?.facts.sessionId === sessionId) return known;
      if (replaced.find(sessionId) !== undefined) return undefined;
      if (known !== undefined) replace(known);
      const upload = startUpload({ facts: describeAttempt(input), chunks: new Map() });
      uploads.set(id, upload);
      const [oldest] = uploads.values();
      if (uploads.size > keptUploads && oldest !== undefined) replace(oldest);
      return upload;
    },
    note(upload, input) {
      const { details, requests } = upload.facts;
      change(upload, {
        requests: requests + 1,
        lastRequestMs: clock.now(),
        details: { ...details, ...uploadDetailsSchema.parse(input) },
      });
      expiry.look();
    },
    isCurrent: (upload) => uploads.get(upload.facts.id) === upload,
    async keepChunk(upload, chunkNumber, { path, bytes, keep }) {
      const earlier = upload.chunks.get(chunkNumber);
      kept.putChunk(upload.facts, chunkNumber, { path, bytes });
      upload.chunks.set(chunkNumber, { path, bytes });
      upload.bytes += bytes - (earlier?.bytes ?? 0);
      keep();
      if (earlier !== undefined) upload.content.replace(chunkNumber);
      upload.content.follow();
      if (earlier !== undefined) await rm(earlier.path, { force: true });
    },
    complete(upload, result) {
      journal.together(() => {
        contents.put({ sha256: result.sha256, meetingId: result.meetingId });
        change(upload, { result });
        kept.dropChunks(upload.facts);
      });
      return dropFiles(upload);
    },
    findContent: (sha256) => contents.find(sha256)?.meetingId,
    list() {
      expiry.look();
      return [...uploads.values()].map(describeUpload);
    },
    resume: expiry.look,
    clear() {
      expiry.stop();
      journal.together(() => {
        for (const { facts } of uploads.values()) kept.remove(facts);
        replaced.clear();
        contents.clear();
      });
      uploads.clear();
      return folder.clear();
    },
    close() {
      expiry.stop();
      return folder.close();
    },
  };
}
