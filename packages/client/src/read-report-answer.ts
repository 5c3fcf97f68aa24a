import type { ReportAnswer } from './client.ts';
import { type MeetingPhase, readPhase } from './meeting-phase.ts';
import { describeAnswer } from './read-answer.ts';
import { asFields, firstText } from './report/loose.ts';
import { holdsReport, readReport, readReportStatus } from './report/read-report.ts';

const NOT_READY_STATUS = 202;

const unfinished: ReadonlySet<MeetingPhase> = new Set(['scheduled', 'joining', 'recording', 'processing']);

/** A success of `GET /api/video/report`: the report, or how far the meeting is. `apiKey` is left out should the service echo it. */
export function readReportAnswer(
  meetingId: string,
  { status, body }: { readonly status: number; readonly body: unknown },
  apiKey: string,
): ReportAnswer {
  const isReport = status !== NOT_READY_STATUS && holdsReport(body);
  if (status === NOT_READY_STATUS || (!isReport && asFields(body) === undefined)) {
    return { ready: false, status: describeWait(body, apiKey) };
  }
  if (!isReport) return { ready: false, status: 'the answer holds no report' };
  const word = readReportStatus(body);
  const phase = word === undefined ? 'ready' : readPhase(word);
  if (word !== undefined && unfinished.has(phase)) return { ready: false, status: word };
  return { ready: true, report: readReport(meetingId, body) };
}

/** `Meeting is in progress now, status: processing` holds the word at its end (observed). */
function describeWait(body: unknown, apiKey: string): string {
  const status = firstText(asFields(body) ?? {}, 'status');
  const text = describeAnswer(status ?? body, [apiKey]) ?? 'not ready';
  return (/status:\s*(\S+)/.exec(text)?.[1] ?? text).slice(0, 80);
}
