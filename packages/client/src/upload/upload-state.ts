import type { UploadedMeeting } from './chunk-format.ts';

/** One attempt to get all chunks to the service under one session. */
export interface Attempt {
  readonly id: string;
  readonly sessionId: string;
  /** The chunks that the service has, each with the SHA-256 of the file from its beginning to the chunk's end. */
  readonly accepted: ReadonlyMap<number, string>;
  readonly final: FinalRequest;
}

/**
 * The request that completes the upload: without effect so far, or refused for good, or first sent at this time (Unix
 * milliseconds) by a run that did not learn its outcome.
 */
export type FinalRequest = 'unsent' | 'refused' | { readonly sentMs: number };

/** What is stored of the upload of one file, for the runs after this one. */
export interface UploadState {
  /** The attempt that an earlier run left unfinished. */
  readonly unfinished: Attempt | undefined;
  /** The meetings that files of this size became in the last 30 days, by the SHA-256 of their content. */
  findFinished(size: number): Promise<ReadonlyMap<string, UploadedMeeting>>;
  /** For content whose meeting the service does not have any more. */
  forgetFinished(sha256: string): Promise<void>;
  /** Before the first request of an attempt. Throws if nothing can be stored. */
  begin(attempt: Attempt): Promise<void>;
  /** The service has this chunk; `sha256` is of the file up to the chunk's end. */
  accept(chunkNumber: number, sha256: string): Promise<void>;
  /** What is known of the final request from now on. Throws if it cannot be stored. */
  recordFinalRequest(final: FinalRequest): Promise<void>;
  /** The upload is finished: what remains is its content's hash and its meeting. */
  finish(sha256: string, meeting: UploadedMeeting): Promise<void>;
  /** Lets other processes upload the file. */
  release(): Promise<void>;
}

export const NO_STATE: UploadState = {
  unfinished: undefined,
  findFinished: async () => new Map(),
  forgetFinished: async () => {},
  begin: async () => {},
  accept: async () => {},
  recordFinalRequest: async () => {},
  finish: async () => {},
  release: async () => {},
};
