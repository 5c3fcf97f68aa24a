import { buildRequest, type Operation, type OperationId, type OperationInput } from '@aftermeet/contract';

import { createAttemptMemory, toAmbiguousWriteError } from './ambiguous-write.ts';
import { readPieces } from './answer-pieces.ts';
import { isWebPage, parseAnswer } from './answers.ts';
import type { CallOptions, ClientOptions } from './client.ts';
import { type OperationName, ServiceError } from './errors.ts';
import { openText } from './loose.ts';
import { readPhase, readStatusWord } from './meeting-status.ts';
import { listRedactions, redactProblems } from './redact.ts';
import { type RetryOptions, type StartTimeLimit, type TimeLimit, withRetries } from './retries.ts';
import { readRetryAfter } from './retry-after.ts';
import { type FaultFacts, holdsError, refusalToError, refuseInput, unreadable } from './service-fault.ts';

/** What every request of one client needs. */
export interface Connection extends RetryOptions {
  /** The service's address, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** For uploads; `fetch` knows it already. */
  readonly proxy?: ClientOptions['proxy'];
  /** Before every request that carries the key; rejects with a `ServiceError` (never sent) if it must not go there. */
  readonly assertKeyAllowed: AssertKeyAllowed;
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly startTimeLimit: StartTimeLimit;
  /** What it means that `fetch`, or reading an answer, threw. */
  readonly explainFault: (error: unknown, facts: FaultFacts) => ServiceError;
  /** Beside those of each request: the name of the program. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `address` is a base address: the service's, or the one of its MCP endpoint. */
export type AssertKeyAllowed = (
  address: string,
  operation: OperationName,
  signal: AbortSignal | undefined,
) => Promise<void>;

export interface Answer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** How long the service asks not to be called. */
  readonly retryAfterMs?: number;
}

/** Their answers may tell of a meeting that failed, with its error. */
const tellState: ReadonlySet<string> = new Set<OperationId>(['recordings.status', 'reports.get']);

const ACCEPT = 'application/json, text/plain;q=0.9';

/**
 * Sends one operation and reads its answer. Throws `ServiceError` for everything but a 2xx; an input that breaks a
 * rule of the contract is refused before anything is sent (`bad_request`, without a status). Repeatable operations are
 * repeated as the connection allows; a write that may not be repeated and whose outcome is unknown ends in
 * `AmbiguousWriteError`. No success is a web page, half of a JSON text, or an answer that holds an error.
 */
export async function sendRequest<Op extends Operation>(
  connection: Connection,
  operation: Op,
  input: OperationInput<Op>,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const call = prepareCall(connection, operation, input, ACCEPT);
  const sendOnce = async (leftMs: number): Promise<Answer> => {
    const { response, limit, toError } = await openAnswer(connection, call, { signal, leftMs });
    const { status, headers } = response;
    try {
      const body = await readAnswer(response);
      const isWaiting = status === NOT_READY_STATUS && tellState.has(operation.id);
      const problem = isWaiting ? undefined : findProblem(body, headers.get('content-type'));
      // It may be a proxy's, while the service starts again.
      if (problem !== undefined)
        throw unreadable(operation, problem, status).with({ retryable: operation.repeatable });
      if (isRefusal(operation, status, body)) {
        const retryAfter = headers.get('retry-after');
        const { redactions } = call;
        const nowMs = connection.clock();
        const refusal = refusalToError({ operation, status, body, retryAfter, nowMs, redactions });
        throw refusal.with({ retryable: operation.repeatable });
      }
      const retryAfterMs = readRetryAfter(headers.get('retry-after'), connection.clock());
      return { status, body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      throw toError(error);
    } finally {
      limit.stop();
    }
  };
  const recallAttempts = createAttemptMemory(operation.id);
  const attempt = async (leftMs: number): Promise<Answer> => {
    try {
      return await sendOnce(leftMs);
    } catch (error) {
      if (operation.repeatable) throw recallAttempts(error);
      throw toAmbiguousWriteError(error, { operation, input, nowMs: connection.clock() });
    }
  };
  return withRetries(connection, attempt, signal);
}

/** Why a success cannot be read, whatever was asked for. */
function findProblem(body: unknown, contentType: string | null): string | undefined {
  if (isWebPage(body, contentType)) return 'the answer is a web page';
  // A word alone is an answer of this service, whatever its type.
  const isCut = typeof body === 'string' && /^\s*[[{]/.test(body) && openText(body) === body;
  return isCut ? 'the answer is not whole JSON' : undefined;
}

const NOT_READY_STATUS = 202;

function isRefusal({ id }: OperationName, status: number, body: unknown): boolean {
  if (status === NOT_READY_STATUS || !holdsError(body)) return false;
  return !tellState.has(id) || readPhase(readStatusWord(body, '')) === 'unknown';
}

/** A checked request, ready to be sent any number of times. */
export interface Call {
  readonly operation: OperationName;
  readonly url: URL;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  /** What no error may repeat. */
  readonly redactions: readonly string[];
}

/** Throws `bad_request` without a status for an input that breaks a rule of the contract. */
export function prepareCall<Op extends Operation>(
  connection: Connection,
  operation: Op,
  input: OperationInput<Op>,
  accept: string,
): Call {
  const { apiKey, baseUrl, headers } = connection;
  const redactions = listRedactions(apiKey, input);
  const built = buildRequest(operation, input);
  if (!built.ok) throw refuseInput(operation, redactProblems(built.problems, redactions));
  const { method, path, query, json } = built;
  const url = new URL(baseUrl + path);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const content = json === undefined ? {} : { 'content-type': 'application/json' };
  return {
    operation,
    url,
    init: {
      method,
      headers: { 'x-api-key': apiKey, accept, ...headers, ...content },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    },
    redactions,
  };
}

/** A success whose body is still to be read, under the same time limit. */
export interface OpenedAnswer {
  readonly response: Response;
  /** Stop it when the body was read. */
  readonly limit: TimeLimit;
  /** What a fault while reading the body means. */
  readonly toError: (error: unknown) => ServiceError;
}

/** A longer text is no description of an error. */
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface AttemptOptions {
  readonly signal: AbortSignal | undefined;
  /** What is left of the time of all attempts. */
  readonly leftMs: number;
}

/** Sends a call once, up to the head of its answer. Throws `ServiceError` for everything but a 2xx. */
export async function openAnswer(
  connection: Connection,
  { operation, url, init, redactions }: Call,
  { signal, leftMs }: AttemptOptions,
): Promise<OpenedAnswer> {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation, unsent: true });
  await connection.assertKeyAllowed(connection.baseUrl, operation, signal);
  const timeoutMs = Math.min(connection.timeoutMs, leftMs);
  const limit = connection.startTimeLimit(timeoutMs, signal);
  const toError = (error: unknown): ServiceError =>
    connection.explainFault(error, { operation, signal, timeout: limit.timeout, timeoutMs });
  try {
    const response = await connection.fetch(url, {
      ...init,
      // A redirect would carry the key to another address.
      redirect: 'manual',
      signal: limit.signal,
    });
    if (isRedirect(response)) throw refuseRedirect(operation, response.status);
    if (response.ok) return { response, limit, toError };
    throw refusalToError({
      operation,
      status: response.status,
      body: await readRefusal(response, signal),
      retryAfter: response.headers.get('retry-after'),
      nowMs: connection.clock(),
      redactions,
    });
  } catch (error) {
    limit.stop();
    throw toError(error);
  }
}

/** A body that cannot be read must not hide the status. */
async function readRefusal(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await readAnswer(response, MAX_REFUSAL_BYTES);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}

/** A browser's `fetch` shows a redirect as `opaqueredirect`; `redirected` is true if it was followed anyway. */
export function isRedirect({ status, type, redirected }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

export function refuseRedirect(operation: OperationName, status: number): ServiceError {
  return new ServiceError({
    code: 'redirected',
    operation,
    status: status === 0 ? undefined : status,
    detail:
      'redirects are not followed, because they would carry the key along: set the address they lead to',
  });
}

/** A report of a very long meeting is far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The parsed body of an answer. Throws a `RangeError` beyond `maxBytes`. */
export async function readAnswer(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  return parseAnswer(await readText(response, maxBytes), response.headers);
}

/** Bytes that are no UTF-8 become U+FFFD. Throws a `RangeError` beyond `maxBytes`. */
export async function readText(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of readPieces(response)) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`the answer is over ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
