import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { OperationInput, operations } from '@aftermeet/contract';
import { z } from 'zod';

import type { SandboxClock } from '../clock.ts';
import { MAX_MEETINGS } from '../meetings.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import { createCollection, type Store } from '../store.ts';
import { createContentHash, type ContentHash } from './content-hash.ts';
import type { ReceivedFile } from './receive-form.ts';
import { createUploadFolder, hasFile, type UploadFolder } from './upload-folder.ts';

/** The form of a chunk without its bytes, which are on disk. */
export type ChunkInput = Omit<OperationInput<typeof operations.uploads.chunk>, 'file'>;

/** What the chunks say about the meeting. */
const detailsSchema = z
  .object({
    title: z.string().optional(),
    template_name: z.string().optional(),
    webhook_url: z.string().optional(),
    webhook_secret: z.string().optional(),
    localTime: z.string().optional(),
  })
  .readonly();

const resultSchema = z
  .object({
    /** Of the whole file, lowercase hex. */
    sha256: z.string(),
    bytes: z.number(),
    meetingId: z.string(),
    /** The content was uploaded before. */
    isDuplicate: z.boolean(),
  })
  .readonly();

/** The outcome of a complete upload. */
export type UploadResult = z.infer<typeof resultSchema>;

const factsSchema = z
  .object({
    /** The `id` of the form: the same for every attempt. */
    id: z.string(),
    sessionId: z.string(),
    filename: z.string(),
    /** The number of data chunks plus one. */
    chunkTotal: z.number(),
    /** The requests of this attempt that could be read, repeated ones and the final one included. */
    requests: z.number(),
    /** In the time of the sandbox, Unix milliseconds. */
    lastRequestMs: z.number(),
    /** The latest of each that came with any chunk. */
    details: detailsSchema,
    /** Present once the upload is complete. */
    result: resultSchema.optional(),
  })
  .readonly();

const savedUploadSchema = z.object({
  facts: factsSchema,
  chunks: z.array(z.object({ number: z.number(), file: z.string(), bytes: z.number() })),
});

/** A data chunk that has arrived. */
interface StoredChunk {
  readonly path: string;
  readonly bytes: number;
}

/** One attempt to upload a file. */
export interface Upload {
  facts: z.infer<typeof factsSchema>;
  /** By number; empty once the upload is complete. */
  readonly chunks: Map<number, StoredChunk>;
  /** Of these chunks. */
  bytes: number;
  readonly content: ContentHash;
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
export interface UploadStore {
  readonly claimFile: UploadFolder['claim'];
  /**
   * The attempt of a request, made where it is new. A new attempt replaces the one before it, and a request of the
   * replaced one gets undefined.
   */
  readonly open: (input: ChunkInput) => Upload | undefined;
  /** Counts a request, and notes what it says about the meeting. */
  readonly note: (upload: Upload, input: ChunkInput) => void;
  /** False once a newer attempt has replaced it, or it was removed. */
  readonly isCurrent: (upload: Upload) => boolean;
  /** Makes the file a chunk of the upload; it replaces an earlier one. */
  readonly keepChunk: (upload: Upload, chunkNumber: number, file: ReceivedFile) => Promise<void>;
  /** Notes the result and removes the files of the chunks. */
  readonly complete: (upload: Upload, result: UploadResult) => void;
  /** The meeting of the same content, by its SHA-256. */
  readonly findContent: (sha256: string) => string | undefined;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly UploadView[];
  /** Continues what an earlier process left. */
  readonly resume: () => void;
  /** Removes everything and aborts what is under way. */
  readonly clear: () => Promise<void>;
  /** Aborts what is under way. */
  readonly close: () => Promise<void>;
}

const MAX_UPLOADS = 1000;
const MAX_REPLACED_SESSIONS = 1000;
/** An upload without a request for so long is removed (assumed). */
const LIFETIME_MS = 24 * 3_600_000;

/** `files` is a folder that outlives the process; undefined: a temporary one. */
export function createUploadStore(
  store: Store,
  files: string | undefined,
  clock: Pick<SandboxClock, 'now' | 'schedule'>,
): UploadStore {
  const folder = createUploadFolder(files);
  const uploads = new Map(loadUploads(store, files).map((upload) => [upload.facts.id, upload]));
  folder.removeOthers(
    [...uploads.values()].flatMap(({ chunks }) => [...chunks.values()]).map(({ path }) => path),
  );
  store.onSave('uploads', () => [...uploads.values()].map(describeSaved));
  const replacedSessions = createCollection({
    store,
    name: 'replaced sessions',
    schema: z.string(),
    keyOf: (sessionId) => sessionId,
    limit: MAX_REPLACED_SESSIONS,
  });
  const contents = createCollection({
    store,
    name: 'contents',
    schema: z.object({ sha256: z.string(), meetingId: z.string() }).readonly(),
    keyOf: ({ sha256 }) => sha256,
    limit: MAX_MEETINGS,
  });
  let cancelExpiry: (() => void) | undefined;

  /** Removes uploads that are not complete and too old, and plans to look again. */
  function expire(): void {
    cancelExpiry?.();
    let nextMs = Infinity;
    for (const upload of uploads.values()) {
      if (upload.facts.result !== undefined) continue;
      const endMs = upload.facts.lastRequestMs + LIFETIME_MS;
      if (endMs <= clock.now()) remove(upload);
      else nextMs = Math.min(nextMs, endMs);
    }
    if (nextMs < Infinity) cancelExpiry = clock.schedule(nextMs, expire);
  }

  function remove(upload: Upload): void {
    uploads.delete(upload.facts.id);
    removeFiles(upload);
    store.changed();
  }

  function replace(upload: Upload): void {
    replacedSessions.put(upload.facts.sessionId);
    remove(upload);
  }

  return {
    claimFile: folder.claim,
    open(input) {
      expire();
      const { id, upload_session_id: sessionId } = input;
      const known = uploads.get(id);
      if (known?.facts.sessionId === sessionId) return known;
      if (replacedSessions.find(sessionId) !== undefined) return undefined;
      if (known !== undefined) replace(known);
      const { filename, chunk_total: chunkTotal } = input;
      const facts = { id, sessionId, filename, chunkTotal, requests: 0, lastRequestMs: 0, details: {} };
      const upload = createUpload(facts, new Map());
      uploads.set(id, upload);
      const [oldest] = uploads.values();
      if (uploads.size > MAX_UPLOADS && oldest !== undefined) replace(oldest);
      return upload;
    },
    note(upload, input) {
      const { details, requests } = upload.facts;
      upload.facts = {
        ...upload.facts,
        requests: requests + 1,
        lastRequestMs: clock.now(),
        details: { ...details, ...detailsSchema.parse(input) },
      };
      store.changed();
      expire();
    },
    isCurrent: (upload) => uploads.get(upload.facts.id) === upload,
    async keepChunk(upload, chunkNumber, { path, bytes, keep }) {
      const earlier = upload.chunks.get(chunkNumber);
      upload.chunks.set(chunkNumber, { path, bytes });
      upload.bytes += bytes - (earlier?.bytes ?? 0);
      keep();
      store.changed();
      if (earlier !== undefined) upload.content.replace(chunkNumber);
      upload.content.follow();
      if (earlier !== undefined) await rm(earlier.path, { force: true });
    },
    complete(upload, result) {
      contents.put({ sha256: result.sha256, meetingId: result.meetingId });
      upload.facts = { ...upload.facts, result };
      removeFiles(upload);
      store.changed();
    },
    findContent: (sha256) => contents.find(sha256)?.meetingId,
    list() {
      expire();
      return [...uploads.values()].map(describeUpload);
    },
    resume: expire,
    clear() {
      cancelExpiry?.();
      replacedSessions.clear();
      contents.clear();
      uploads.clear();
      return folder.clear();
    },
    close() {
      cancelExpiry?.();
      return folder.close();
    },
  };
}

function createUpload(facts: Upload['facts'], chunks: Map<number, StoredChunk>): Upload {
  return {
    facts,
    chunks,
    bytes: [...chunks.values()].reduce((total, { bytes }) => total + bytes, 0),
    content: createContentHash((number) => chunks.get(number)?.path),
    completion: undefined,
  };
}

/** With those of the chunks whose files are whole: a power cut may take what was written last. */
function loadUploads(store: Store, files = ''): readonly Upload[] {
  return store.load('uploads', savedUploadSchema).map(({ facts, chunks }) => {
    const found = chunks.flatMap(({ number, file, bytes }): [number, StoredChunk][] => {
      const path = join(files, basename(file));
      return hasFile(path, bytes) ? [[number, { path, bytes }]] : [];
    });
    return createUpload(facts, new Map(found));
  });
}

function describeSaved({ facts, chunks }: Upload): z.infer<typeof savedUploadSchema> {
  const files = [...chunks].map(([number, { path, bytes }]) => ({ number, file: basename(path), bytes }));
  return { facts, chunks: files };
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
