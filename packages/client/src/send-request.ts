import type { Operation, OperationId, OperationInput } from '@aftermeet/contract';

import type { AdmitKey } from './admit-key.ts';
import { readRetryAfter } from './classify-answer.ts';
import { doubtWrite } from './doubt-write.ts';
import { createTryMemory } from './earlier-try.ts';
import { openAnswer } from './open-answer.ts';
import { prepareCall } from './prepare-call.ts';
import { readAnswer } from './read-answer.ts';
import { isWebPage, reportWebPage } from './web-page.ts';
import { withRetries } from './with-retries.ts';

export interface Connection {
  /** The service's address, without a slash at its end (`readAddress`); the key goes to its origin and nowhere else. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly admitKey: AdmitKey;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly clock: () => number;
  readonly random: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** How long the service asks to be left alone. */
  readonly retryAfterMs?: number;
}

/** Of these a page means: not now. Whoever waits for a meeting or its report asks again. */
const patientIds: ReadonlySet<string> = new Set<OperationId>(['recordings.status', 'reports.get']);

const ACCEPT = 'application/json, text/plain;q=0.9';

/**
 * Sends one operation and reads its answer. Throws `ServiceError` for everything but a 2xx; an input that
 * breaks a rule of the contract is refused before anything is sent (`bad_request`, without a status).
 * What may be repeated is, as the connection allows; a write that may not and whose fate nobody knows
 * ends in `AmbiguousWriteError`. A web page is no success, except where one waits anyway.
 */
export async function sendRequest<Op extends Operation>(
  connection: Connection,
  operation: Op,
  input: OperationInput<Op>,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const call = prepareCall(connection, operation, input, ACCEPT);
  const sendOnce = async (): Promise<Answer> => {
    const { response, watch, explain } = await openAnswer(connection, call, signal);
    try {
      const body = await readAnswer(response);
      if (!patientIds.has(operation.id) && isWebPage(body, response.headers.get('content-type'))) {
        throw reportWebPage(call.doing, response.status);
      }
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), connection.clock());
      return { status: response.status, body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      throw explain(error);
    } finally {
      watch.stop();
    }
  };
  const recallTries = createTryMemory(operation.id);
  const sendKnowingly = async (): Promise<Answer> => {
    try {
      return await sendOnce();
    } catch (error) {
      if (operation.repeatable) throw recallTries(error);
      throw doubtWrite(error, { operationId: operation.id, input, nowMs: connection.clock() });
    }
  };
  return withRetries(connection, sendKnowingly, signal);
}
