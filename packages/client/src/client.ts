import type { Readable } from 'node:stream';

import type { ServiceError } from './errors.ts';
import type {
  CreateTagInput,
  EditBlockInput,
  ExportInput,
  FormDetails,
  GenerateInput,
  SearchInput,
  StartInput,
  TagLinkInput,
} from './inputs.ts';
import type { Report } from './report/report.ts';

/** What every method takes last. */
export interface CallOptions {
  /** Ends the call with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

export interface StartOptions extends CallOptions {
  /** Takes a planned start that is more than five minutes ago. Default false: then it is a `bad_request`. */
  readonly allowPast?: boolean | undefined;
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

/** A recording that the service took. */
export interface StartedRecording extends Acknowledgement {
  /** Names the meeting in all other calls. */
  readonly meetingId: string;
}

/** How far a meeting is. */
export interface RecordingStatus {
  /** Our word: decide by it. */
  readonly phase: MeetingPhase;
  /** The service's own word. */
  readonly status: string;
}

/** How a meeting ended, as far as its report goes. */
export interface EndedStatus extends RecordingStatus {
  readonly phase: 'ready' | 'failed' | 'cancelled';
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

/** A report that was made of a template. */
export interface GeneratedReport extends Acknowledgement {
  /** Names the template within the report, for `editBlock`. */
  readonly createdTemplateId?: string;
}

/** A custom template of the workspace. */
export interface Template extends Acknowledgement {
  /** Serves as `templateName`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** A tag of the workspace. */
export interface Tag extends Acknowledgement {
  /** Serves as `tagId`, and in `tagIds` of a search. */
  readonly id: string;
  /** Unique, whatever the case. */
  readonly name: string;
  /** Such as `teal`, where the service says it. */
  readonly color?: string;
}

/** A meeting as a search lists it. */
export interface FoundMeeting extends Acknowledgement {
  /** Serves as the meeting id of all other calls. */
  readonly id: string;
  /** `Untitled meeting` where the service names none. */
  readonly title: string;
  /** ISO 8601 in UTC, where the service's text could be read as a time. */
  readonly startedAt?: string;
  /** The meeting platform, such as `zoom`. */
  readonly source?: string;
  /** Names of the meeting's tags. */
  readonly tags: readonly string[];
}

/** A list, or one page of it. */
export interface List<Item> extends Acknowledgement {
  /** Those that could be read, in the service's order. */
  readonly items: readonly Item[];
  /** Of all pages, where the service says it. */
  readonly total?: number | undefined;
  /** What could not be read and was left out, and what is missing, in plain words without content. */
  readonly warnings: readonly string[];
}

/** One page of a search. */
export interface SearchPage extends List<FoundMeeting> {
  /** From 0. */
  readonly page: number;
}

/** How far a download is. */
export interface DownloadProgress {
  /** Since the transfer began. */
  readonly receivedBytes: number;
  /** Where the service says it. */
  readonly totalBytes?: number;
}

/** How a file is saved. */
export interface DownloadOptions extends CallOptions {
  /** Told after every piece. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Replaces a file that is there. Default false: then it is a `conflict`. */
  readonly overwrite?: boolean | undefined;
  /** Who may read and write the file, whatever the umask. Default 0o600: its owner alone. Windows has no such rights. */
  readonly mode?: number | undefined;
}

/** A file that is complete on the disk. */
export interface SavedFile {
  /** As given, or within the folder that was given. */
  readonly path: string;
  /** Its size. */
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

/** How long to wait, and who is told meanwhile. */
export interface WaitOptions extends CallOptions {
  /** Unix milliseconds; default one hour from now. */
  readonly deadline?: number | undefined;
  /** Told whenever the state may have changed. */
  readonly onStatus?: ((status: RecordingStatus) => void) | undefined;
  /** Told of a fault that may pass, before the question is asked again. */
  readonly onFault?: ((error: ServiceError) => void) | undefined;
}

/** A tool of the service's MCP endpoint. */
export interface McpTool {
  /** For `callTool`. */
  readonly name: string;
  /** In the service's words. */
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The tools that could be read; what could not is counted in `warnings`. */
export interface McpToolList {
  readonly items: readonly McpTool[];
  readonly warnings: readonly string[];
}

export interface McpListOptions extends CallOptions {
  /** In place of the client's, for each request. */
  readonly timeoutMs?: number;
}

export interface McpCallOptions extends McpListOptions {
  /** Told when the server reports progress, which also restarts the time of the call. */
  readonly onProgress?: (progress: McpProgress) => void;
}

/** How far a tool is, in a unit of its own. */
export interface McpProgress {
  readonly done: number;
  /** Absent if unknown. */
  readonly total?: number;
  readonly message?: string;
}

/** What a tool answered. */
export interface McpToolResult extends Acknowledgement {
  /** The tool itself says that it failed. */
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
   * An endpoint of one's own receiver, in place of `webhookUrl` and `webhookSecret`: both come from the option
   * `webhookTargets`, the same ones when the upload is resumed.
   */
  readonly endpoint?: string | undefined;
}

/** How far an upload is. */
export interface UploadProgress {
  /** `checking`: bytes are read again, to find a duplicate or to resume. `completing`: the final request is under way. */
  readonly step: 'checking' | 'sending' | 'completing';
  /** Of the file, those that have left for the service, or of a check those that were read. Fewer again after an attempt that failed. */
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** How a file is uploaded. */
export interface UploadOptions extends CallOptions {
  /**
   * The folder of the state files, one for each file that is uploaded by its path. With it an upload that broke off is
   * resumed, and content that was uploaded in the last 30 days is recognised. The files hold paths, sizes, ids and
   * hashes, no secrets, and are readable by their owner only; a damaged one counts as none. While a file is being
   * uploaded, a second upload of it is a `conflict`. Absent: nothing is stored.
   */
  readonly stateFolder?: string | undefined;
  /** Uploads again what was uploaded before, or what may have been: an upload whose final request got no answer. */
  readonly force?: boolean | undefined;
  /**
   * Uploads what begins as a text, a document, a picture, an archive or a program as well. Default false: then it is a
   * `bad_request`, and nothing is sent. Not `force`, which would upload again what was uploaded before.
   */
  readonly anyType?: boolean | undefined;
  /** Chunks in flight, 1 to 4; each takes 20 MiB of memory. Default 1. */
  readonly parallel?: number | undefined;
  /** Told after every piece. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** A file that the service has. */
export interface UploadResult {
  /** Of the meeting that the file became. */
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
    start(input: StartInput, options?: StartOptions): Promise<StartedRecording>;
    /** Asks once how far a meeting is; an unknown word is phase `unknown`. */
    status(meetingId: string, options?: CallOptions): Promise<RecordingStatus>;
    /** Ends a recording early. */
    stop(meetingId: string, options?: CallOptions): Promise<Acknowledgement>;
    /** Cancels a scheduled recording. */
    cancel(meetingId: string, options?: CallOptions): Promise<Acknowledgement>;
    /**
     * Asks until the meeting is ready or surely will not be, politely (2 s at first, half a minute at last).
     * Resolves with phase `ready`, `failed` or `cancelled`; throws `timeout` at the deadline, and the
     * fault itself if there was no answer within the first minute, or only web pages in the first ten seconds.
     * After an unknown word it asks again.
     */
    waitUntilReady(meetingId: string, options?: WaitOptions): Promise<EndedStatus>;
  };
  readonly uploads: {
    /** Sends a recorded file in chunks; see `UploadOptions` for resuming, progress and duplicates. */
    send(source: UploadSource, details?: UploadDetails, options?: UploadOptions): Promise<UploadResult>;
  };
  readonly reports: ReportReader['reports'] & {
    /** Not repeated when its outcome is unknown: `AmbiguousWriteError`. */
    generate(input: GenerateInput, options?: CallOptions): Promise<GeneratedReport>;
    /** Replaces the text of one block of a report. */
    editBlock(input: EditBlockInput, options?: CallOptions): Promise<Acknowledgement>;
  };
  readonly templates: {
    /** The custom templates of the workspace; the built-in ones are `templateSlugs` of the contract. */
    list(options?: CallOptions): Promise<List<Template>>;
  };
  readonly exports: {
    /** Into a file: streamed beside it under another name, then renamed. A folder gets a file with a safe name. */
    download(input: ExportInput, path: string, options?: DownloadOptions): Promise<SavedFile>;
    /** As a stream, which the caller reads or destroys. */
    stream(input: ExportInput, options?: CallOptions): Promise<ExportStream>;
  };
  readonly meetings: {
    /**
     * Page by page from `input.page` (default 0); ends by itself, also at a service that ignores `page`. A page has the
     * size that the service gives it, unless `perPage` asks for one.
     */
    search(input?: SearchInput, options?: CallOptions): AsyncIterable<SearchPage>;
  };
  readonly tags: {
    /** All pages; `raw` is a list of their answers. */
    list(options?: CallOptions): Promise<List<Tag>>;
    /** Not repeated when its outcome is unknown: `AmbiguousWriteError`. */
    create(input: CreateTagInput, options?: CallOptions): Promise<Tag>;
    /** Attaching twice is no error. */
    attach(input: TagLinkInput, options?: CallOptions): Promise<Acknowledgement>;
    /** Detaching what is not attached is no error. */
    detach(input: TagLinkInput, options?: CallOptions): Promise<Acknowledgement>;
  };
  readonly mcp: {
    /** All pages of the tool list. */
    listTools(options?: McpListOptions): Promise<McpToolList>;
    /** A tool's own error is an answer. Not repeated when its outcome is unknown: then the error has `mayHaveTakenEffect`. */
    callTool(
      name: string,
      input?: Readonly<Record<string, unknown>>,
      options?: McpCallOptions,
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

/** Options of `createClient`. */
export interface ClientOptions {
  /** The service's base address. */
  readonly baseUrl: string;
  /** Sent as `X-API-KEY` to the base address, as a bearer token to the MCP address, and nowhere else. */
  readonly apiKey: string;
  /** Without `/mcp`; default the base address. */
  readonly mcpUrl?: string | undefined;
  /** Finds address and secret where an input names an `endpoint`; without it that is refused. */
  readonly webhookTargets?: FindWebhookTarget | undefined;
  /** For everything but uploads: those write their chunks by `node:http`, which takes far less memory, and obey `proxy`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * The address of an HTTP proxy for all requests, or false for none. Default true: the proxy that `HTTPS_PROXY`,
   * `HTTP_PROXY` or `ALL_PROXY` names, unless `NO_PROXY` lists the host or it is this machine. A `fetch` of one's own
   * has its own way, except for uploads.
   */
  readonly proxy?: boolean | string | undefined;
  /** For one request and its answer; of a download, until its head has arrived and between two pieces; of an upload, three times as long without movement. Default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How often a request that may be repeated is sent again. Default 4; 0 leaves repeating to the caller. */
  readonly retries?: number | undefined;
  /** Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** From 0 to 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Called with what failed, and how long the wait is, before a request is sent again. */
  readonly onRetry?: ((error: ServiceError, waitMs: number) => void) | undefined;
}
