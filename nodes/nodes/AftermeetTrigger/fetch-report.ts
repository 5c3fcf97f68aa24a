import { readReportAnswer, ServiceError } from '@aftermeet/client/pure';
import { type IDataObject, sleep } from 'n8n-workflow';

import { asItem } from '../Aftermeet/actions/as-item.ts';
import { simplifyReport } from '../Aftermeet/actions/report/simplify-report.ts';
import { readCredential } from '../Aftermeet/transport/read-credential.ts';
import { sendOperation, type SendOptions } from '../Aftermeet/transport/send-operation.ts';
import type { ServiceContext } from '../Aftermeet/transport/service-context.ts';
import type { ReportFacts } from './event-filters.ts';

const STEP_MS = 500;

/** A report, or why there is none: the event goes on without it. */
export type FetchedReport =
  | { readonly ok: true; readonly report: IDataObject; readonly facts: ReportFacts }
  | { readonly ok: false; readonly error: string };

export interface FetchOptions extends SendOptions {
  /** How long it may take. */
  readonly withinMs: number;
}

/**
 * Fetches the report of a meeting, in the simplified form of Report: Get. Never rejects: whatever goes wrong is its `error`, a
 * sentence without secrets.
 */
export async function fetchReport(
  context: ServiceContext,
  meetingId: string,
  { withinMs, ...options }: FetchOptions,
): Promise<FetchedReport> {
  const over = new AbortController();
  const asked = askReport(context, meetingId, options).finally(() => over.abort());
  // In steps: n8n's sleep cannot be ended.
  const wait = async (): Promise<FetchedReport> => {
    for (let left = withinMs; left > 0 && !over.signal.aborted; left -= STEP_MS) {
      await sleep(Math.min(left, STEP_MS));
    }
    return { ok: false, error: `The report did not come within ${withinMs / 1000} seconds` };
  };
  // The report comes first where both are there.
  return await Promise.race([asked, wait()]);
}

async function askReport(
  context: ServiceContext,
  meetingId: string,
  options: SendOptions,
): Promise<FetchedReport> {
  try {
    const answer = await sendOperation(context, 'reports.get', { meeting_id: meetingId }, options);
    const { apiKey } = await readCredential(context);
    const reading = readReportAnswer(meetingId, answer, apiKey);
    if (!reading.ready) return { ok: false, error: `There is no report yet: ${reading.status}` };
    const { source, isTranscriptEmpty, title } = reading.report;
    return {
      ok: true,
      report: asItem(simplifyReport(reading.report)).json,
      facts: { source, isTranscriptEmpty, ...(title === '' ? {} : { title }) },
    };
  } catch (error) {
    // What is no ServiceError may quote the request.
    return {
      ok: false,
      error: error instanceof ServiceError ? error.message : 'The report could not be read',
    };
  }
}
