import { checkStart, operations } from '@aftermeet/contract';

import { AmbiguousWriteError } from '../ambiguous-write-error.ts';
import { askStatus } from '../ask-status.ts';
import type { Client, ClientOptions } from '../client.ts';
import { findSettlingCall } from '../doubt-write.ts';
import { describeOperation, refuseInput } from '../prepare-call.ts';
import { readStartedId } from '../read-started-id.ts';
import { asFields, firstText } from '../report/loose.ts';
import { type Connection, sendRequest } from '../send-request.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { fillWebhook } from '../webhook-target.ts';

export function recordingMethods(
  connection: Connection,
  webhookTargets?: ClientOptions['webhookTargets'],
): Client['recordings'] {
  return {
    async start(given, options) {
      const operation = operations.recordings.start;
      const doing = describeOperation(operation);
      const planned = firstText(asFields(given) ?? {}, 'local_date_time');
      const problem = checkStart(planned, connection.clock());
      if (problem !== undefined) throw refuseInput(doing, [problem]);
      const read = fillWebhook(given, { kind: 'recording' }, webhookTargets);
      if (!read.ok) throw refuseInput(doing, [read.problem]);
      const input = read.fields;
      const { status, body } = await sendRequest(connection, operation, input, options);
      const meetingId = readStartedId(body);
      if (meetingId === undefined) {
        const reason = 'the answer names no meeting';
        const settleWith = findSettlingCall(operation.id, input, connection.clock());
        throw new AmbiguousWriteError({ doing, reason, settleWith, status });
      }
      return { meetingId, raw: body };
    },
    async status(meetingId, options) {
      return (await askStatus(connection, meetingId, options)).state;
    },
    async stop(meetingId, options) {
      const input = { meeting_id: meetingId };
      return { raw: (await sendRequest(connection, operations.recordings.stop, input, options)).body };
    },
    async cancel(meetingId, options) {
      const input = { meeting_id: meetingId };
      return { raw: (await sendRequest(connection, operations.recordings.cancel, input, options)).body };
    },
    waitUntilReady: (meetingId, options) => waitUntilReady(connection, meetingId, options),
  };
}
