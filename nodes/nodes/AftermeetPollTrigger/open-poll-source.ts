import { readPhase, readStatusWord } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract/pure';
import type { IPollFunctions } from 'n8n-workflow';

import { findMeetings } from '../Aftermeet/actions/meeting/find-meetings.ts';
import { readCredential } from '../Aftermeet/transport/read-credential.ts';
import { sendOperation } from '../Aftermeet/transport/send-operation.ts';
import { buildWireRequest } from '../Aftermeet/wire/build-wire-request.ts';
import { wireOperations } from '../Aftermeet/wire/wire-operations.ts';
import { fetchReport } from '../AftermeetTrigger/fetch-report.ts';
import type { PollSource } from './poll-source.ts';

const REPORT_WITHIN_MS = 30_000;
/** As n8n has it where it does not say. */
const USUAL_BUDGET_MS = 300_000;

/** The service, with the node's credential. Throws `ServiceError` for an address in it that is none. */
export async function openPollSource(context: IPollFunctions): Promise<PollSource> {
  const { baseUrl } = await readCredential(context);
  // An older n8n does not have it.
  const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  return {
    search: (dateFrom) => findMeetings(context, { dateFrom }, limits.searchPageSize),
    askPhase: async (meetingId) => {
      const { body } = await sendOperation(context, 'recordings.status', { meeting_id: meetingId });
      return readPhase(readStatusWord(body, meetingId));
    },
    fetchReport: (meetingId) => fetchReport(context, meetingId, { withinMs: REPORT_WITHIN_MS }),
    reportUrl: (meetingId) => {
      const request = buildWireRequest(wireOperations['reports.get'], { meeting_id: meetingId });
      return request.ok ? baseUrl + request.path : baseUrl;
    },
    now: Date.now,
    untilMs: Date.now() + budgetMs / 2,
  };
}
