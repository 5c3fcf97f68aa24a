import { ServiceError } from '@aftermeet/client/pure';
import { type IDataObject, sleep } from 'n8n-workflow';

import { asItem } from '../Aftermeet/actions/node-operation.ts';
import { simplifyReport } from '../Aftermeet/actions/report.ts';
import { connect, type ConnectOptions } from '../Aftermeet/transport/connect.ts';
import type { ServiceContext } from '../Aftermeet/transport/n8n-fetch.ts';
import type { ReportFacts } from './filters.ts';

const STEP_MS = 500;

/** A report, or why there is none: the event goes on without it. */
export type FetchedReport =
  | { readonly ok: true; readonly report: IDataObject; readonly facts: ReportFacts }
  | { readonly ok: false; readonly error: string };

export interface FetchOptions extends Omit<ConnectOptions, 'signal'> {
  /** How long it may take. */
  readonly withinMs: number;
}

/**
 * Fetches the report of a meeting, in the simplified form of Report: Get. Never rejects: a failure is its `error`, a sentence
 * without secrets. When the time is up, the request under way is ended and no further one is sent.
 */
export async function fetchReport(
  context: ServiceContext,
  meetingId: string,
  { withinMs, ...options }: FetchOptions,
): Promise<FetchedReport> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    // The report comes first where both are there.
    return await Promise.race([
      loadReport(context, meetingId, { ...options, signal }),
      waitForTimeout(withinMs, signal),
    ]);
  } finally {
    ended.abort();
  }
}

/** Waits in steps until the time is up or the report is there: n8n's `sleep` cannot be ended. */
async function waitForTimeout(withinMs: number, ended: AbortSignal): Promise<FetchedReport> {
  for (let left = withinMs; left > 0 && !ended.aborted; left -= STEP_MS) {
    await sleep(Math.min(left, STEP_MS));
  }
  return { ok: false, error: `The report did not come within ${withinMs / 1000} seconds` };
}

async function loadReport(
  context: ServiceContext,
  meetingId: string,
  options: ConnectOptions,
): Promise<FetchedReport> {
  try {
    const { reports } = await connect(context, options);
    const reading = await reports.get(meetingId);
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
