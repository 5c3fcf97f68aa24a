import type { CallOptions } from '../send-request.ts';

/** A file by its path, bytes, or a stream; a stream whose size nobody knows is first kept in a temporary file. */
export type UploadSource =
  | { readonly path: string }
  | { readonly bytes: Uint8Array; readonly filename: string }
  | { readonly stream: AsyncIterable<Uint8Array>; readonly filename: string; readonly size?: number };

/** What is told about the file. */
export interface UploadDetails extends FormDetails {
  /**
   * An endpoint of one's own receiver, in place of `webhook_url` and `webhook_secret`: both come from the option
   * `webhookTargets`, the same ones when the upload goes on later.
   */
  readonly endpoint?: string;
}

/** Fields of the form beside the file (specification, "File upload"; the last three are observed). */
export interface FormDetails {
  readonly title?: string;
  readonly template_name?: string;
  readonly webhook_url?: string;
  readonly webhook_secret?: string;
  readonly localTime?: string;
  readonly speakers_number?: number;
}

export interface UploadProgress {
  /** `checking`: bytes are read again, to find a duplicate or to resume. `completing`: the final request is under way. */
  readonly step: 'checking' | 'sending' | 'completing';
  /** Of the file, those that the service has, or of a check those that were read. */
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface UploadOptions extends CallOptions {
  /**
   * Where uploads are noted, so that one of a file that broke off goes on where it was, and content that was
   * uploaded is known again (the last 1000 uploads of half a year). The notes hold paths, sizes, ids and hashes,
   * no secrets, and are readable by their owner only; a damaged one counts as none. While a file is uploaded
   * from here, a second upload of it is a `conflict`. Absent: nothing is noted.
   */
  readonly stateFolder?: string;
  /** Uploads again what was uploaded before, or what may have been: an upload whose final request got no answer. */
  readonly force?: boolean;
  /** Chunks in flight, 1 to 4; each takes 20 MiB of memory. Default 1. */
  readonly parallel?: number;
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface UploadResult {
  readonly meetingId: string;
  readonly userId?: string;
  /** True when the same content had been uploaded before and nothing was made: `meetingId` is that meeting's. */
  readonly duplicate: boolean;
  readonly bytes: number;
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  /** Data chunks: the empty one that completes the upload is not counted. */
  readonly chunks: {
    readonly total: number;
    readonly sent: number;
    /** The service had them from a run before. */
    readonly skipped: number;
  };
  /** The answer that names the meeting: that to the final request, or one that says duplicate. Undefined when nothing was asked. */
  readonly raw: unknown;
}
