import {
  asText,
  type MeetingPhase,
  readPhase,
  readReportAnswer,
  readStatusWord,
  type Report,
  ServiceError,
} from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceContext } from '../transport/raw-request.ts';
import { describeOperation, readCredential, sendOperation, type SendOptions } from '../transport/request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import { nameMeeting, readFields, readParameter } from './fields.ts';
import type { OperationDescription } from './node-operation.ts';

/** What there is of a report. */
type ReportFound =
  | { readonly ready: true; readonly report: Report }
  | { readonly ready: false; readonly item: INodeExecutionData };

/**
 * The report of the meeting that the parameters of an item name. Where there is none, "When Not Ready" decides: an item that says
 * how far the meeting is, also that it failed or was cancelled, or a `ServiceError`.
 */
export async function findReport(
  context: IExecuteFunctions,
  itemIndex: number,
  description: OperationDescription,
): Promise<ReportFound> {
  const meetingId = asText(readFields(context, itemIndex, description)['meeting_id']) ?? '';
  const isItemWanted = readParameter(context, itemIndex, 'whenNotReady') === 'item';
  return await askReport(context, meetingId).then(
    (report): ReportFound => ({ ready: true, report }),
    async (error: unknown): Promise<ReportFound> => {
      const state = isItemWanted ? await findState(context, meetingId, error) : undefined;
      if (state === undefined) throw error;
      return { ready: false, item: nameMeeting(meetingId, undefined, { ready: false, ...state }) };
    },
  );
}

/** Throws `ServiceError`: `not_ready` for a meeting that has no report yet, with the service's word for how far it is. */
export async function askReport(
  context: ServiceContext,
  meetingId: string,
  options?: SendOptions,
): Promise<Report> {
  const fields = meetingId === '' ? {} : { meeting_id: meetingId };
  const answer = await sendOperation(context, 'reports.get', fields, options);
  const { apiKey } = await readCredential(context);
  const reading = readReportAnswer(meetingId, answer, apiKey);
  if (reading.ready) return reading.report;
  throw new ServiceError({
    code: 'not_ready',
    operation: describeOperation(wireOperations['reports.get']),
    status: answer.status,
    serviceStatus: reading.status,
    detail: `there is no report yet: ${reading.status}`,
  });
}

interface MeetingState {
  /** The service's own word. */
  readonly status: string;
  readonly phase: MeetingPhase;
}

const ended: ReadonlySet<MeetingPhase> = new Set(['failed', 'cancelled']);

/**
 * How far a meeting is whose report could not be had; undefined where that is not why. The report of one that failed is
 * answered as that of one that never was: only its status tells them apart.
 */
async function findState(
  context: ServiceContext,
  meetingId: string,
  error: unknown,
): Promise<MeetingState | undefined> {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, serviceStatus = 'unknown' } = error;
  if (code === 'not_ready') return { status: serviceStatus, phase: readPhase(serviceStatus) };
  const status = code === 'not_found' ? await askStatus(context, meetingId) : undefined;
  const phase = readPhase(status ?? '');
  return status === undefined || !ended.has(phase) ? undefined : { status, phase };
}

/** Undefined for a meeting that the service does not know. */
async function askStatus(context: ServiceContext, meetingId: string): Promise<string | undefined> {
  return await sendOperation(context, 'recordings.status', { meeting_id: meetingId }).then(
    ({ body }) => readStatusWord(body, meetingId),
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    },
  );
}
