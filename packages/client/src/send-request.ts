import { buildRequest, type Operation, type OperationInput } from '@aftermeet/contract';

import { classifyStatus, readRetryAfter } from './classify-answer.ts';
import { describeAnswer, readAnswer } from './read-answer.ts';
import { ServiceError } from './service-error.ts';

export interface Connection {
  /** The service's address; the key goes to its origin and nowhere else. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
}

/**
 * Sends one operation and reads its answer. Throws `ServiceError` for everything but a 2xx; an input that
 * breaks a rule of the contract is refused before anything is sent (`bad_request`, without a status).
 */
export async function sendRequest<Op extends Operation>(
  connection: Connection,
  operation: Op,
  input: OperationInput<Op>,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const doing = `${operation.id}: ${operation.method} ${operation.path}`;
  const built = buildRequest(operation, input);
  if (!built.ok) {
    const detail = built.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new ServiceError({ code: 'bad_request', doing, detail });
  }
  const url = new URL(connection.baseUrl.replace(/\/+$/, '') + built.path);
  for (const [name, value] of built.query) url.searchParams.append(name, value);
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  try {
    const response = await connection.fetch(url, {
      method: built.method,
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: {
        'x-api-key': connection.apiKey,
        accept: 'application/json, text/plain;q=0.9',
        ...(built.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(built.json === undefined ? {} : { body: JSON.stringify(built.json) }),
    });
    const body = await readAnswer(response);
    if (response.ok) return { status: response.status, body };
    const detail = describeAnswer(body);
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    throw new ServiceError({
      code: classifyStatus(response.status),
      doing,
      status: response.status,
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', doing, cause: error });
    if (timeout.aborted) {
      throw new ServiceError({
        code: 'timeout',
        doing,
        detail: `no answer in ${connection.timeoutMs} ms`,
        cause: error,
      });
    }
    if (error instanceof RangeError) {
      throw new ServiceError({ code: 'unreadable', doing, detail: error.message, cause: error });
    }
    throw new ServiceError({ code: 'connection', doing, detail: describeCause(error), cause: error });
  }
}

/** `fetch failed` says nothing; its cause has the system's code, such as ECONNREFUSED. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'failed';
}
