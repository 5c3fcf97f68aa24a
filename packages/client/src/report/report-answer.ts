import type { MeetingPhase, ReportAnswer } from '../client.ts';
import { readPhase, readStatusWord } from '../meeting-status.ts';
import { redact } from '../redact.ts';
import { unreadable } from '../service-fault.ts';
import { holdsReport, readReport, readReportStatus } from './read-report.ts';

const getReport = { id: 'reports.get', method: 'GET', path: '/api/video/report' };
const NOT_READY_STATUS = 202;

const unfinished: ReadonlySet<MeetingPhase> = new Set(['scheduled', 'joining', 'recording', 'processing']);

/**
 * A success of `GET /api/video/report`: the report, or the service's word for how far the meeting is (`unknown` if it
 * says nothing). JSON that is neither is
 * `unreadable`, and retryable. `apiKey` is left out if the service echoes it.
 */
export function readReportAnswer(
  meetingId: string,
  { status, body }: { readonly status: number; readonly body: unknown },
  apiKey: string,
): ReportAnswer {
  const isReport = status !== NOT_READY_STATUS && holdsReport(body);
  const word = isReport ? readReportStatus(body) : redact(readStatusWord(body, meetingId), [apiKey]);
  const isUnfinished = word !== undefined && unfinished.has(readPhase(word));
  if (isReport && !isUnfinished) return { ready: true, report: readReport(meetingId, body) };
  if (status !== NOT_READY_STATUS && typeof body === 'object' && body !== null && !isUnfinished) {
    throw unreadable(getReport, 'the answer holds no report', status).with({ retryable: true });
  }
  return { ready: false, status: word ?? 'unknown' };
}
