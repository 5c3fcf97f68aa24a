import { operations } from '@aftermeet/contract';

import type { Client } from '../client.ts';
import { type MeetingPhase, readPhase } from '../meeting-phase.ts';
import { describeAnswer } from '../read-answer.ts';
import { asFields, firstText, readFirst } from '../report/loose.ts';
import { asId } from '../report/read-id.ts';
import { holdsReport, readReport, readReportStatus } from '../report/read-report.ts';
import { type Connection, sendRequest } from '../send-request.ts';

const NOT_READY_STATUS = 202;

const unfinished: ReadonlySet<MeetingPhase> = new Set(['scheduled', 'joining', 'recording', 'processing']);

export function reportMethods(connection: Connection): Client['reports'] {
  return {
    async get(meetingId, options) {
      const input = { meeting_id: meetingId };
      const { status, body } = await sendRequest(connection, operations.reports.get, input, options);
      const isReport = status !== NOT_READY_STATUS && holdsReport(body);
      if (status === NOT_READY_STATUS || (!isReport && asFields(body) === undefined)) {
        return { ready: false, status: describeWait(body, connection.apiKey) };
      }
      if (!isReport) return { ready: false, status: 'the answer holds no report' };
      const word = readReportStatus(body);
      const phase = word === undefined ? 'ready' : readPhase(word);
      if (word !== undefined && unfinished.has(phase)) return { ready: false, status: word };
      return { ready: true, report: readReport(meetingId, body) };
    },
    async generate(input, options) {
      const { body } = await sendRequest(connection, operations.reports.generate, input, options);
      const createdTemplateId = readCreatedId(body);
      return { ...(createdTemplateId === undefined ? {} : { createdTemplateId }), raw: body };
    },
    async editBlock(input, options) {
      return { raw: (await sendRequest(connection, operations.reports.editBlock, input, options)).body };
    },
  };
}

/** `Meeting is in progress now, status: processing` holds the word at its end (observed). */
function describeWait(body: unknown, apiKey: string): string {
  const status = firstText(asFields(body) ?? {}, 'status');
  const text = describeAnswer(status ?? body, [apiKey]) ?? 'not ready';
  return (/status:\s*(\S+)/.exec(text)?.[1] ?? text).slice(0, 80);
}

function readCreatedId(body: unknown): string | undefined {
  const outer = asFields(body) ?? {};
  const places = [outer, asFields(outer['data']) ?? {}];
  return places
    .map((place) => readFirst(place, ['created_template_id', 'createdTemplateId'], asId))
    .find((id) => id !== undefined);
}
