import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';

import type { OperationInput, operations } from '@aftermeet/contract';
import { z } from 'zod';

import { createCollection } from '../collection.ts';
import { MAX_MEETINGS } from '../meetings.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { ReceivedFile } from './receive-form.ts';
import { createUploadFolder } from './upload-folder.ts';

/** The form of a chunk without its bytes, which are on disk. */
export type ChunkInput = Omit<OperationInput<typeof operations.uploads.chunk>, 'file'>;

/** What the chunks say about the meeting. */
const detailsSchema = z
  .object({
    title: z.string().optional(),
    templateName: z.string().optional(),
    webhookUrl: z.string().optional(),
    webhookSecret: z.string().optional(),
    localTime: z.string().optional(),
  })
  .readonly();

/** The outcome of a complete upload. */
export interface UploadResult {
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly meetingId: string;
  /** The content was uploaded before. */
  readonly isDuplicate: boolean;
}

interface UploadFacts {
  /** The `id` of the form: the same for every attempt. */
  readonly id: string;
  readonly sessionId: string;
  readonly filename: string;
  /** The number of data chunks plus one. */
  readonly chunkTotal: number;
  /** The requests of this attempt that could be read, repeated ones and the final one included. */
  readonly requests: number;
  /** The latest of each that came with any chunk. */
  readonly details: z.infer<typeof detailsSchema>;
  /** Present once the upload is complete. */
  readonly result?: UploadResult;
}

/** A data chunk that has arrived. */
interface StoredChunk {
  readonly path: string;
  readonly bytes: number;
}

/** One attempt to upload a file. */
export interface Upload {
  facts: UploadFacts;
  /** By number; empty once the upload is complete. */
  readonly chunks: Map<number, StoredChunk>;
  /** Of these chunks. */
  bytes: number;
  /** The final request that is under way. */
  completion: Promise<ServiceAnswer> | undefined;
}

/** An upload as `/_sandbox/uploads` shows it. */
export interface UploadView {
  readonly id: string;
  readonly upload_session_id: string;
  readonly filename: string;
  readonly chunk_total: number;
  /** The numbers of the data chunks that arrived, ascending. */
  readonly chunks: readonly number[];
  readonly requests: number;
  /** Of the data chunks that arrived. */
  readonly bytes: number;
  /** Of the whole file, lowercase hex; null until it is complete. */
  readonly sha256: string | null;
  readonly meeting_id: string | null;
}

/** The uploads of one sandbox: their facts in memory, their chunks on disk until they are complete. */
export type UploadStore = ReturnType<typeof createUploadStore>;

const MAX_UPLOADS = 1000;
const MAX_REPLACED_SESSIONS = 1000;

export function createUploadStore() {
  const folder = createUploadFolder();
  const uploads = new Map<string, Upload>();
  const replacedSessions = createCollection<string>({
    keyOf: (sessionId) => sessionId,
    limit: MAX_REPLACED_SESSIONS,
  });
  const contents = createCollection<Pick<UploadResult, 'sha256' | 'meetingId'>>({
    keyOf: ({ sha256 }) => sha256,
    limit: MAX_MEETINGS,
  });

  function replace(upload: Upload): void {
    replacedSessions.put(upload.facts.sessionId);
    uploads.delete(upload.facts.id);
    removeFiles(upload);
  }

  return {
    claimFile: folder.claim,
    /**
     * The attempt of a request, made where it is new. A new attempt replaces the one before it, and a request of the
     * replaced one gets undefined.
     */
    open(input: ChunkInput): Upload | undefined {
      const { id, uploadSessionId: sessionId } = input;
      const known = uploads.get(id);
      if (known?.facts.sessionId === sessionId) return known;
      if (replacedSessions.find(sessionId) !== undefined) return undefined;
      if (known !== undefined) replace(known);
      const { filename, chunkTotal } = input;
      const facts = { id, sessionId, filename, chunkTotal, requests: 0, details: {} };
      const upload: Upload = { facts, chunks: new Map(), bytes: 0, completion: undefined };
      uploads.set(id, upload);
      const [oldest] = uploads.values();
      if (uploads.size > MAX_UPLOADS && oldest !== undefined) replace(oldest);
      return upload;
    },
    /** Counts a request, and notes what it says about the meeting. */
    note(upload: Upload, input: ChunkInput): void {
      const { details, requests } = upload.facts;
      upload.facts = {
        ...upload.facts,
        requests: requests + 1,
        details: { ...details, ...detailsSchema.parse(input) },
      };
    },
    /** False once a newer attempt has replaced it, or it was removed. */
    isCurrent: (upload: Upload) => uploads.get(upload.facts.id) === upload,
    /** Makes the file a chunk of the upload; it replaces an earlier one. */
    async keepChunk(upload: Upload, chunkNumber: number, { path, bytes, keep }: ReceivedFile): Promise<void> {
      const earlier = upload.chunks.get(chunkNumber);
      upload.chunks.set(chunkNumber, { path, bytes });
      upload.bytes += bytes - (earlier?.bytes ?? 0);
      keep();
      if (earlier !== undefined) await rm(earlier.path, { force: true });
    },
    /** Notes the result and removes the files of the chunks. */
    complete(upload: Upload, result: UploadResult): void {
      contents.put({ sha256: result.sha256, meetingId: result.meetingId });
      upload.facts = { ...upload.facts, result };
      removeFiles(upload);
    },
    /** The meeting of the same content. */
    findContent: (sha256: string) => contents.find(sha256)?.meetingId,
    /** Oldest first, the newest 1000. */
    list: (): readonly UploadView[] => [...uploads.values()].map(describeUpload),
    /** Removes everything and aborts what is under way. */
    clear(): Promise<void> {
      replacedSessions.clear();
      contents.clear();
      uploads.clear();
      return folder.clear();
    },
  };
}

/** The SHA-256 of the whole file, lowercase hex. Rejects when a chunk is gone. */
export async function hashFile({ chunks, facts }: Upload): Promise<string> {
  const hash = createHash('sha256');
  for (let number = 0; number < facts.chunkTotal - 1; number += 1) {
    const path = chunks.get(number)?.path;
    if (path === undefined) throw new Error(`Chunk ${String(number)} is gone.`);
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  }
  return hash.digest('hex');
}

/** In the background: what cannot be removed goes with the folder. */
function removeFiles({ chunks }: Upload): void {
  const paths = [...chunks.values()].map(({ path }) => path);
  chunks.clear();
  Promise.all(paths.map((path) => rm(path, { force: true }))).catch(() => {});
}

function describeUpload({ facts, chunks, bytes }: Upload): UploadView {
  const { result } = facts;
  const numbers =
    result === undefined
      ? [...chunks.keys()].toSorted((one, other) => one - other)
      : Array.from({ length: facts.chunkTotal - 1 }, (_, number) => number);
  return {
    id: facts.id,
    upload_session_id: facts.sessionId,
    filename: facts.filename,
    chunk_total: facts.chunkTotal,
    chunks: numbers,
    requests: facts.requests,
    bytes: result?.bytes ?? bytes,
    sha256: result?.sha256 ?? null,
    meeting_id: result?.meetingId ?? null,
  };
}
