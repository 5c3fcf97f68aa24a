import type { OperationInput, operations } from '@aftermeet/contract';

import type { ServiceAnswer } from '../service-answer.ts';

/** The form of a chunk without its bytes, which are on disk. */
export type ChunkInput = Omit<OperationInput<typeof operations.uploads.chunk>, 'file'>;

/** A data chunk that has arrived. */
interface StoredChunk {
  readonly path: string;
  readonly bytes: number;
}

/** One attempt to upload a file, as it comes in. */
export interface Upload {
  /** The form's `id`: the same for every attempt. */
  readonly id: string;
  readonly sessionId: string;
  readonly filename: string;
  /** The number of data chunks plus one. */
  readonly chunkTotal: number;
  /** By number. They stay here, without their files, when the upload is complete. */
  readonly chunks: Map<number, StoredChunk>;
  /** How many requests of this attempt could be read, repeated ones and the final one included. */
  requests: number;
  /** Every optional field that came with any chunk; the latest counts. */
  details: Partial<ChunkInput>;
  /** Under way or done; absent again when it was refused. */
  completion: Promise<ServiceAnswer> | undefined;
  /** Present once the upload is complete. */
  result: { readonly sha256: string; readonly meetingId: string } | undefined;
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

export function countBytes(upload: Upload): number {
  return [...upload.chunks.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The files of the data chunks, in the order of their numbers. */
export function listPaths(upload: Upload): readonly string[] {
  return [...upload.chunks].toSorted(([one], [other]) => one - other).map(([, { path }]) => path);
}

export function describeUpload(upload: Upload): UploadView {
  return {
    id: upload.id,
    upload_session_id: upload.sessionId,
    filename: upload.filename,
    chunk_total: upload.chunkTotal,
    chunks: [...upload.chunks.keys()].toSorted((one, other) => one - other),
    requests: upload.requests,
    bytes: countBytes(upload),
    sha256: upload.result?.sha256 ?? null,
    meeting_id: upload.result?.meetingId ?? null,
  };
}
