import type { OperationInput, operations } from '@aftermeet/contract';
import { z } from 'zod';

import type { ServiceAnswer } from '../service-answer.ts';
import type { ContentHash } from './content-hash.ts';

/** The form of a chunk without its bytes, which are on disk. */
export type ChunkInput = Omit<OperationInput<typeof operations.uploads.chunk>, 'file'>;

/** What the chunks say of the meeting. */
export const uploadDetailsSchema = z
  .object({
    title: z.string().optional(),
    template_name: z.string().optional(),
    webhook_url: z.string().optional(),
    webhook_secret: z.string().optional(),
    localTime: z.string().optional(),
  })
  .readonly();

/** What became of a complete upload. */
const uploadResultSchema = z
  .object({
    /** Of the whole file, lowercase hex. */
    sha256: z.string(),
    bytes: z.number(),
    meetingId: z.string(),
    /** The content was known already. */
    isDuplicate: z.boolean(),
  })
  .readonly();

export type UploadResult = z.infer<typeof uploadResultSchema>;

/** What is known of one attempt to upload a file; a change makes a new value. */
export const uploadFactsSchema = z
  .object({
    /** The form's `id`: the same for every attempt. */
    id: z.string(),
    sessionId: z.string(),
    filename: z.string(),
    /** The number of data chunks plus one. */
    chunkTotal: z.number(),
    /** How many requests of this attempt could be read, repeated ones and the final one included. */
    requests: z.number(),
    /** The last of them, in the sandbox's time, Unix milliseconds. */
    lastRequestMs: z.number(),
    /** Every one that came with any chunk; the latest counts. */
    details: uploadDetailsSchema,
    /** Present once the upload is complete. */
    result: uploadResultSchema.optional(),
  })
  .readonly();

export type UploadFacts = z.infer<typeof uploadFactsSchema>;

/** A data chunk that has arrived. */
export interface StoredChunk {
  readonly path: string;
  readonly bytes: number;
}

/** One attempt to upload a file, as it comes in. */
export interface Upload {
  facts: UploadFacts;
  /** By number; none once the upload is complete. */
  readonly chunks: Map<number, StoredChunk>;
  /** Of these chunks. */
  bytes: number;
  readonly content: ContentHash;
  /** Under way; absent again when it is over. */
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

export function describeUpload({ facts, chunks, bytes }: Upload): UploadView {
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
