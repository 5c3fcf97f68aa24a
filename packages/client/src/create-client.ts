import { operations, type OperationInput } from '@aftermeet/contract';

import { asFields, asText, firstText } from './loose.ts';
import { type MeetingPhase, readPhase } from './meeting-phase.ts';
import { holdsReport, readReport, readReportStatus } from './read-report.ts';
import type { Report } from './report.ts';
import { type CallOptions, type Connection, sendRequest } from './send-request.ts';
import { ServiceError } from './service-error.ts';

/** The report, or the service's own word for why there is none yet. */
export type ReportAnswer =
  | { readonly ready: true; readonly report: Report }
  | { readonly ready: false; readonly status: string };

/** What the recipes need of the client. */
export interface ReportReader {
  /** Throws `ServiceError`; "not ready yet" is an answer, not an error. */
  readReport(meetingId: string, options?: CallOptions): Promise<ReportAnswer>;
}

export interface RecordingStatus {
  readonly phase: MeetingPhase;
  /** The service's own word. */
  readonly status: string;
}

export interface Client extends ReportReader {
  readonly recordings: {
    /** Sends a bot to a meeting, now or later. Not repeated by itself: a second bot would join. */
    start(
      input: OperationInput<typeof operations.recordings.start>,
      options?: CallOptions,
    ): Promise<{ readonly meetingId: string; readonly raw: unknown }>;
    status(meetingId: string, options?: CallOptions): Promise<RecordingStatus>;
  };
}

export interface ClientOptions {
  /** The service's base address. */
  readonly baseUrl: string;
  /** Sent as `X-API-KEY` to the base address and nowhere else. */
  readonly apiKey: string;
  readonly fetch?: typeof fetch;
  /** For one request and its answer. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const NOT_READY_STATUS = 202;

/** A client of the service. Requests are checked against the contract; answers are read tolerantly. */
export function createClient(options: ClientOptions): Client {
  const connection: Connection = {
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
  return {
    recordings: {
      async start(input, callOptions) {
        const { body } = await sendRequest(connection, operations.recordings.start, input, callOptions);
        const fields = asFields(body) ?? {};
        const meetingId =
          firstText(fields, 'meeting_id', 'meetingId', 'id') ??
          firstText(asFields(fields['data']) ?? {}, 'meeting_id', 'id');
        if (meetingId === undefined) {
          throw new ServiceError({
            code: 'unreadable',
            doing: 'recordings.start: POST /api/record-meeting',
            detail:
              'the recording was accepted, but the answer names no meeting: search for it before you start another',
          });
        }
        return { meetingId, raw: body };
      },
      async status(meetingId, callOptions) {
        const { body } = await sendRequest(
          connection,
          operations.recordings.status,
          { meeting_id: meetingId },
          callOptions,
        );
        const status = readStatusWord(body, meetingId);
        return { phase: readPhase(status), status };
      },
    },
    async readReport(meetingId, callOptions) {
      const { status, body } = await sendRequest(
        connection,
        operations.reports.get,
        { meeting_id: meetingId },
        callOptions,
      );
      if (status === NOT_READY_STATUS || asFields(body) === undefined) {
        return { ready: false, status: describeWait(body) };
      }
      if (!holdsReport(body)) return { ready: false, status: 'the answer holds no report' };
      const word = readReportStatus(body);
      const phase = word === undefined ? 'ready' : readPhase(word);
      if (word !== undefined && (phase === 'processing' || phase === 'recording'))
        return { ready: false, status: word };
      return { ready: true, report: readReport(meetingId, body) };
    },
  };
}

/** One id is answered in plain text, several as a map (observed). */
function readStatusWord(body: unknown, meetingId: string): string {
  const fields = asFields(body);
  return (fields === undefined ? asText(body) : firstText(fields, 'status', meetingId)) ?? 'unknown';
}

/** `Meeting is in progress now, status: processing` holds the word at its end (observed). */
function describeWait(body: unknown): string {
  const text = asText(body) ?? firstText(asFields(body) ?? {}, 'status', 'message') ?? 'not ready';
  return (/status:\s*(\S+)/.exec(text)?.[1] ?? text).slice(0, 80);
}
