import { createTryMemory, doubtWrite, listHidden, ServiceError } from '@aftermeet/client/pure';

import { buildWireRequest, type WireFields } from '../wire/build-wire-request.ts';
import type { WireOperation } from '../wire/wire-operation.ts';
import { wireOperations, type WireOperationId } from '../wire/wire-operations.ts';
import { hideEchoes, listEchoed } from './hide-echoes.ts';
import { readCredential } from './read-credential.ts';
import { repeatAttempt, type RepeatOptions } from './repeat-attempt.ts';
import { type ServiceAnswer, sendOnce } from './send-once.ts';
import type { ServiceContext } from './service-context.ts';

/** Of these a page means: not now. */
const patientIds: ReadonlySet<WireOperationId> = new Set(['recordings.status', 'reports.get']);

/** What these answer is what people said and wrote, and stays as it is: a secret that stands there was spoken, not echoed. */
const contentIds: ReadonlySet<WireOperationId> = new Set([
  'meetings.search',
  'reports.get',
  'reports.generate',
]);

export interface SendOptions extends RepeatOptions {
  /** Unix milliseconds; default the system's. */
  readonly clock?: () => number;
}

/**
 * Sends one operation with the node's credential and reads its answer. Throws `ServiceError` for everything but a 2xx. What the
 * contract lets be repeated is, and a `Retry-After` of up to a minute is obeyed; a write whose fate nobody knows is not repeated,
 * and its error says so (specification, "Errors").
 */
export async function sendOperation(
  context: ServiceContext,
  id: WireOperationId,
  fields: WireFields,
  options: SendOptions = {},
): Promise<ServiceAnswer> {
  const { clock = Date.now, ...repeating } = options;
  const operation: WireOperation = wireOperations[id];
  const doing = describeOperation(operation);
  const request = buildWireRequest(operation, fields);
  if (!request.ok) {
    throw new ServiceError({ code: 'bad_request', doing, detail: request.problems.join('; '), unsent: true });
  }
  const { baseUrl, apiKey } = await readCredential(context);
  const { method, path, json } = request;
  const hidden = listHidden(apiKey, fields);
  const takesPages = patientIds.has(id);
  const recallTries = createTryMemory(id);
  const attempt = async (): Promise<ServiceAnswer> => {
    try {
      return await sendOnce(context, { doing, method, url: baseUrl + path, json, hidden, takesPages, clock });
    } catch (error) {
      throw operation.repeatable
        ? recallTries(error)
        : doubtWrite(error, { operationId: id, input: fields, nowMs: clock() });
    }
  };
  const answer = await repeatAttempt(context, attempt, repeating);
  if (contentIds.has(id)) return answer;
  return { ...answer, body: hideEchoes(answer.body, listEchoed(apiKey, fields)) };
}

/** As in the client's errors: `reports.get: GET /api/video/report`. */
export function describeOperation({ id, method, path }: WireOperation): string {
  return `${id}: ${method} ${path}`;
}
