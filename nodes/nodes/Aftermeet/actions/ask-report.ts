import { type RecordingStatus, readPhase, type Report, ServiceError } from '@aftermeet/client/pure';
import { operations } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, type ConnectOptions } from '../transport/connect.ts';
import type { ServiceContext } from '../transport/n8n-fetch.ts';
import { nameMeeting, readMeetingId, readParameter } from './fields.ts';
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
  const meetingId = readMeetingId(context, itemIndex, description);
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
  options?: ConnectOptions,
): Promise<Report> {
  const { reports } = await connect(context, options);
  const answer = await reports.get(meetingId);
  if (answer.ready) return answer.report;
  throw new ServiceError({
    code: 'not_ready',
    operation: operations.reports.get,
    serviceStatus: answer.status,
    detail: `there is no report yet: ${answer.status}`,
  });
}

const ended: ReadonlySet<RecordingStatus['phase']> = new Set(['failed', 'cancelled']);

/**
 * How far a meeting is whose report could not be had; undefined where that is not why. The report of one that failed is
 * answered as that of one that never was: only its status tells them apart.
 */
async function findState(
  context: ServiceContext,
  meetingId: string,
  error: unknown,
): Promise<RecordingStatus | undefined> {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, serviceStatus = 'unknown' } = error;
  if (code === 'not_ready') return { status: serviceStatus, phase: readPhase(serviceStatus) };
  const state = code === 'not_found' ? await askStatus(context, meetingId) : undefined;
  return state === undefined || !ended.has(state.phase) ? undefined : state;
}

/** Undefined for a meeting that the service does not know. */
async function askStatus(context: ServiceContext, meetingId: string): Promise<RecordingStatus | undefined> {
  const { recordings } = await connect(context);
  return await recordings.status(meetingId).then(
    (state) => state,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    },
  );
}
