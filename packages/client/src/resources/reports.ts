import { operations } from '@aftermeet/contract';

import type { Client } from '../client.ts';
import { readCreatedId } from '../read-created-id.ts';
import { readReportAnswer } from '../read-report-answer.ts';
import { type Connection, sendRequest } from '../send-request.ts';

export function reportMethods(connection: Connection): Client['reports'] {
  return {
    async get(meetingId, options) {
      const input = { meeting_id: meetingId };
      const answer = await sendRequest(connection, operations.reports.get, input, options);
      return readReportAnswer(meetingId, answer, connection.apiKey);
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
