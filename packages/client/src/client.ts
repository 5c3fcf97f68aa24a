import type { Readable } from 'node:stream';

import type { OperationInput, operations } from '@aftermeet/contract';

import type { ServiceError } from './errors.ts';
import type { Report } from './report/report.ts';

/** The fields of the operation, or `endpoint` in place of `webhook_url` and `webhook_secret`. */
export type StartInput = OperationInput<typeof operations.recordings.start> & {
  /** An endpoint of one's own receiver: address and secret come from the option `webhookTargets`. */
  readonly endpoint?: string | undefined;
};
export type GenerateInput = OperationInput<typeof operations.reports.generate>;
export type EditBlockInput = OperationInput<typeof operations.reports.editBlock>;
export type ExportInput = OperationInput<typeof operations.exports.download>;
export type SearchInput = OperationInput<typeof operations.meetings.search>;
export type CreateTagInput = OperationInput<typeof operations.tags.create>;
export type TagLinkInput = OperationInput<typeof operations.tags.attach>;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Our own word for a meeting's state; the service's word is kept beside it, because its set is open. */
export type MeetingPhase =
  | 'scheduled'
  | 'joining'
  | 'recording'
  | 'processing'
  | 'ready'
  | 'failed'
  | 'cancelled'
  | 'unknown';

/** The service's answer as it came: parsed JSON, text, or undefined where it was empty. */
export interface Acknowledgement {
  readonly raw: unknown;
}

export interface StartedRecording extends Acknowledgement {
  readonly meetingId: string;
}

export interface RecordingStatus {
  readonly phase: MeetingPhase;
  /** The service's own word. */
  readonly status: string;
}

/** The report, or the service's own word for why there is none yet. */
export type ReportAnswer =
  | { readonly ready: true; readonly report: Report }
  | { readonly ready: false; readonly status: string };

/** What the recipes need of the client. */
export interface ReportReader {
  readonly reports: {
    /** Throws `ServiceError`; "not ready yet" is an answer, not an error. */
    get(meetingId: string, options?: CallOptions): Promise<ReportAnswer>;
  };
}

export interface GeneratedReport extends Acknowledgement {
  /** Names the template within the report, for `editBlock`. */
  readonly createdTemplateId?: string;
}

/** A custom template of the workspace. */
export interface Template extends Acknowledgement {
  readonly id: string;
  readonly name: string;
}

export interface Tag extends Acknowledgement {
  readonly id: string;
  readonly name: string;
  readonly color?: string;
}

export interface FoundMeeting extends Acknowledgement {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 in UTC, where the service's text could be read as a time. */
  readonly startedAt?: string;
  readonly source?: string;
  readonly tags: readonly string[];
}

export interface SearchPage extends Acknowledgement {
  /** From 0. */
  readonly page: number;
  /** Of all pages, where the service says it. */
  readonly total?: number;
  readonly meetings: readonly FoundMeeting[];
}

export interface DownloadProgress {
  readonly receivedBytes: number;
  /** Where the service says it. */
  readonly totalBytes?: number;
}

export interface DownloadOptions extends CallOptions {
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Replaces a file that is there. Default false: then it is a `conflict`. */
  readonly overwrite?: boolean;
  /** Who may read and write the file, whatever the umask. Default 0o600: its owner alone. Windows has no such rights. */
  readonly mode?: number;
}

export interface SavedFile {
  readonly path: string;
  readonly bytes: number;
}

/** An export on its way: read `stream` to its end or destroy it. */
export interface ExportStream {
  readonly stream: Readable;
  /** A bare file name without folders, made safe: the server's where it sent one, else from the meeting's id. */
  readonly filename: string;
  readonly contentType?: string;
  readonly totalBytes?: number;
}

export interface WaitOptions extends CallOptions {
  /** Unix milliseconds; default one hour from now. */
  readonly deadline?: number;
  /** Told whenever the state may have changed. */
  readonly onStatus?: (status: RecordingStatus) => void;
  /** Told of a fault that may pass, before the question is asked again. */
  readonly onFault?: (error: ServiceError) => void;
}

export interface McpTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: unknown;
}

export interface McpToolResult extends Acknowledgement {
  readonly isError: boolean;
  /** The text parts of the answer, joined by blank lines. */
  readonly text: string;
  readonly structured?: unknown;
}

/** A file by its path, bytes, or a stream of a known size. Only a file with a path can be resumed. */
export type UploadSource =
  | { readonly path: string }
  | { readonly bytes: Uint8Array; readonly filename: string }
  | { readonly stream: AsyncIterable<Uint8Array>; readonly filename: string; readonly size: number };

/** What is told about the file. */
export interface UploadDetails extends FormDetails {
  /**
   * An endpoint of one's own receiver, in place of `webhook_url` and `webhook_secret`: both come from the option
   * `webhookTargets`, the same ones when the upload is resumed.
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
   * The folder of the state files, one for each file that is uploaded by its path. With it an upload that broke off is
   * resumed, and content that was uploaded in the last 30 days is recognised. The files hold paths, sizes, ids and
   * hashes, no secrets, and are readable by their owner only; a damaged one counts as none. While a file is being
   * uploaded, a second upload of it is a `conflict`. Absent: nothing is stored.
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

/**
 * One method for every operation of the service. All throw `ServiceError` and nothing else; what breaks a rule
 * of the contract is refused before anything is sent. Answers are read tolerantly: whatever their shape, only
 * an answer without the one thing asked for (such as the new meeting's id) is an error.
 */
export interface Client extends ReportReader {
  readonly recordings: {
    /** Sends a bot to a meeting, now or later. Not repeated when its outcome is unknown: `AmbiguousWriteError`. */
    start(input: StartInput, options?: CallOptions): Promise<StartedRecording>;
    status(meetingId: string, options?: CallOptions): Promise<RecordingStatus>;
    /** Ends a recording early. */
    stop(meetingId: string, options?: CallOptions): Promise<Acknowledgement>;
    /** Cancels a scheduled recording. */
    cancel(meetingId: string, options?: CallOptions): Promise<Acknowledgement>;
    /**
     * Asks until the meeting is ready or surely will not be, politely (2 s at first, half a minute at last).
     * Resolves with phase `ready`, `failed` or `cancelled`; throws `timeout` at the deadline, and the
     * fault itself if there was no answer within the first minute. After an unknown word it asks again.
     */
    waitUntilReady(meetingId: string, options?: WaitOptions): Promise<RecordingStatus>;
  };
  readonly uploads: {
    /** Sends a recorded file in chunks; see `UploadOptions` for resuming, progress and duplicates. */
    send(source: UploadSource, details?: UploadDetails, options?: UploadOptions): Promise<UploadResult>;
  };
  readonly reports: ReportReader['reports'] & {
    /** Not repeated when its outcome is unknown: `AmbiguousWriteError`. */
    generate(input: GenerateInput, options?: CallOptions): Promise<GeneratedReport>;
    editBlock(input: EditBlockInput, options?: CallOptions): Promise<Acknowledgement>;
  };
  readonly templates: {
    list(options?: CallOptions): Promise<readonly Template[]>;
  };
  readonly exports: {
    /** Into a file: streamed beside it under another name, then renamed. A folder gets a file with a safe name. */
    download(input: ExportInput, path: string, options?: DownloadOptions): Promise<SavedFile>;
    stream(input: ExportInput, options?: CallOptions): Promise<ExportStream>;
  };
  readonly meetings: {
    /** Page by page from `input.page` (default 0); ends by itself, also at a service that ignores `page`. */
    search(input?: SearchInput, options?: CallOptions): AsyncIterable<SearchPage>;
  };
  readonly tags: {
    /** All pages. */
    list(options?: CallOptions): Promise<readonly Tag[]>;
    create(input: CreateTagInput, options?: CallOptions): Promise<Tag>;
    attach(input: TagLinkInput, options?: CallOptions): Promise<Acknowledgement>;
    detach(input: TagLinkInput, options?: CallOptions): Promise<Acknowledgement>;
  };
  readonly mcp: {
    /** All pages of the tool list. */
    listTools(options?: CallOptions): Promise<readonly McpTool[]>;
    callTool(
      name: string,
      input?: Readonly<Record<string, unknown>>,
      options?: CallOptions,
    ): Promise<McpToolResult>;
  };
}

/** Where the service sends the events of one meeting, and what it signs them with. */
export type WebhookTarget =
  | { readonly ok: true; readonly url: string; readonly secret?: string }
  /** `problem` is a sentence without secrets: what is missing. */
  | { readonly ok: false; readonly problem: string };

/** A recording, or an upload of this name: the same name must give the same address, because an upload may be resumed. */
export type WebhookPurpose =
  | { readonly kind: 'recording' }
  | { readonly kind: 'upload'; readonly name: string };

/** Finds address and secret of an endpoint of one's own receiver; `createWebhookTargets` of the webhooks package makes one. */
export type FindWebhookTarget = (endpoint: string, purpose: WebhookPurpose) => WebhookTarget;

export interface ClientOptions {
  /** The service's base address. */
  readonly baseUrl: string;
  /** Sent as `X-API-KEY` to the base address, as a bearer token to the MCP address, and nowhere else. */
  readonly apiKey: string;
  /** Without `/mcp`; default the base address. */
  readonly mcpUrl?: string;
  /** Finds address and secret where an input names an `endpoint`; without it that is refused. */
  readonly webhookTargets?: FindWebhookTarget;
  /** For everything but uploads. */
  readonly fetch?: typeof fetch;
  /** For one request and its answer; of a download, until its head has arrived and between two pieces; of an upload, three times as long without movement. Default 30 s. */
  readonly timeoutMs?: number;
  /** How often a request that may be repeated is sent again. Default 4; 0 leaves repeating to the caller. */
  readonly retries?: number;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Rejects when the signal aborts. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called with what failed, and how long the wait is, before a request is sent again. */
  readonly onRetry?: ((error: ServiceError, waitMs: number) => void) | undefined;
}
