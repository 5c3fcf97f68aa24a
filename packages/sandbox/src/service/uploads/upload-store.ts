import { rm } from 'node:fs/promises';

import { dropOldest } from '../drop-oldest.ts';
import { keptMeetings } from '../meeting-store.ts';
import type { ReceivedFile } from './receive-form.ts';
import { createScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { describeUpload, type ChunkInput, type Upload, type UploadView } from './upload.ts';

const keptUploads = 1000;
const keptReplacedSessions = 1000;

/** The uploads of one sandbox: what is known of them in memory, their chunks on disk until they are complete. */
export interface UploadStore {
  readonly claimPlace: ScratchFolder['claim'];
  /**
   * The attempt that a chunk belongs to. A new one replaces the one before it; of that one, nothing more is taken:
   * undefined. Remembered of the newest 1000 that were replaced.
   */
  readonly open: (input: ChunkInput) => Upload | undefined;
  /** False once a newer attempt has replaced it, or everything was forgotten. */
  readonly isCurrent: (upload: Upload) => boolean;
  /** Makes the file a chunk of the upload; it takes the place of one that came before. */
  readonly keepChunk: (upload: Upload, chunkNumber: number, file: ReceivedFile) => Promise<void>;
  /** Removes the chunks' files. */
  readonly dropFiles: (upload: Upload) => Promise<void>;
  /** The meeting that the same content became before, by its SHA-256; of as many contents as there are meetings. */
  readonly findContent: (sha256: string) => string | undefined;
  readonly noteContent: (sha256: string, meetingId: string) => void;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly UploadView[];
  /** Forgets everything, ends what is under way and removes every file. */
  readonly clear: () => Promise<void>;
}

export function createUploadStore(): UploadStore {
  const folder = createScratchFolder();
  const uploads = new Map<string, Upload>();
  const replacedSessions = new Set<string>();
  const meetingsByContent = new Map<string, string>();

  function discard(upload: Upload): void {
    uploads.delete(upload.id);
    replacedSessions.add(upload.sessionId);
    dropOldest(replacedSessions, keptReplacedSessions);
    // Nobody waits for it; what is left goes with the folder.
    dropFiles(upload).catch(() => {});
  }

  return {
    claimPlace: folder.claim,
    open(input) {
      const { id, upload_session_id: sessionId } = input;
      const known = uploads.get(id);
      if (known?.sessionId === sessionId) return known;
      if (replacedSessions.has(sessionId)) return undefined;
      if (known !== undefined) discard(known);
      const upload = startUpload(input);
      uploads.set(id, upload);
      const [oldest] = uploads.values();
      if (uploads.size > keptUploads && oldest !== undefined) discard(oldest);
      return upload;
    },
    isCurrent: (upload) => uploads.get(upload.id) === upload,
    async keepChunk(upload, chunkNumber, file) {
      const earlier = upload.chunks.get(chunkNumber);
      upload.chunks.set(chunkNumber, { path: file.path, bytes: file.bytes });
      file.keep();
      if (earlier !== undefined) await rm(earlier.path, { force: true });
    },
    dropFiles,
    findContent: (sha256) => meetingsByContent.get(sha256),
    noteContent(sha256, meetingId) {
      meetingsByContent.set(sha256, meetingId);
      dropOldest(meetingsByContent, keptMeetings);
    },
    list: () => [...uploads.values()].map(describeUpload),
    async clear() {
      uploads.clear();
      replacedSessions.clear();
      meetingsByContent.clear();
      await folder.remove();
    },
  };
}

function startUpload(input: ChunkInput): Upload {
  return {
    id: input.id,
    sessionId: input.upload_session_id,
    filename: input.filename,
    chunkTotal: input.chunk_total,
    chunks: new Map(),
    requests: 0,
    details: {},
    completion: undefined,
    result: undefined,
  };
}

async function dropFiles(upload: Upload): Promise<void> {
  await Promise.all([...upload.chunks.values()].map(({ path }) => rm(path, { force: true })));
}
