import {
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  ServiceError,
  createAttemptMemory,
  isWebPage,
  listRedactions,
  parseAddress,
  readRetryAfter,
  refusalToError,
  refuseInput,
  toAmbiguousWriteError,
  withRetries,
} from '@aftermeet/client/pure';
import type { Operation } from '@aftermeet/contract';
import { type IHttpRequestMethods, sleep } from 'n8n-workflow';

import { buildWireRequest, toInput, type WireFields } from '../wire/build-wire-request.ts';
import { type WireOperationId, wireOperations } from '../wire/wire-operations.ts';
import {
  combineSignals,
  findCancelSignal,
  credentialName,
  requestWhole,
  type ServiceContext,
  type WholeAnswer,
} from './raw-request.ts';
import { hideEchoes, listEchoed } from './redact.ts';
import { findRequestLimits, findTotalMs } from './request-limits.ts';

/** Of these a page means: not now. */
const patientIds: ReadonlySet<WireOperationId> = new Set(['recordings.status', 'reports.get']);

/** What these answer is what people said and wrote, and stays as it is: a secret that stands there was spoken, not echoed. */
const contentIds: ReadonlySet<WireOperationId> = new Set([
  'meetings.search',
  'reports.get',
  'reports.generate',
]);

export type SendOptions = RepeatOptions;

/**
 * Sends one operation with the node's credential and reads its answer. Throws `ServiceError` for everything but a 2xx. What the
 * contract lets be repeated is, and a `Retry-After` of up to a minute is obeyed; an ambiguous write is not repeated,
 * and its error says so (specification, "Errors").
 */
export async function sendOperation(
  context: ServiceContext,
  id: WireOperationId,
  fields: WireFields,
  options: SendOptions = {},
): Promise<ServiceAnswer> {
  const { clock = Date.now, signal } = options;
  const operation = wireOperations[id];
  const doing = describeOperation(operation);
  const request = buildWireRequest(operation, fields);
  if (!request.ok) {
    throw refuseInput(doing, request.problems);
  }
  const { baseUrl, apiKey } = await readCredential(context);
  const { method, path, json } = request;
  const input = toInput(operation, fields);
  const redactions = listRedactions(apiKey, input);
  const takesPages = patientIds.has(id);
  const recallTries = createAttemptMemory(id);
  const url = baseUrl + path;
  const facts = { doing, method, url, json, redactions, takesPages, clock, signal };
  const attempt = async (leftMs: number): Promise<ServiceAnswer> => {
    try {
      return await sendOnce(context, facts, leftMs);
    } catch (error) {
      throw operation.repeatable
        ? recallTries(error)
        : toAmbiguousWriteError(error, { operation, input, nowMs: clock() });
    }
  };
  const answer = await repeatAttempt(context, attempt, options);
  if (contentIds.has(id)) return answer;
  return { ...answer, body: hideEchoes(answer.body, listEchoed(apiKey, fields)) };
}

/** As in the client's errors: `reports.get: GET /api/video/report`. */
export function describeOperation({ id, method, path }: Operation): string {
  return `${id}: ${method} ${path}`;
}

/** As in the client: a report of a very long meeting stays far below this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

interface ServiceAnswer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** How long the service asks to be left alone. */
  readonly retryAfterMs?: number;
}

interface RequestFacts {
  /** What stands in errors. */
  readonly doing: string;
  readonly method: IHttpRequestMethods;
  readonly url: string;
  readonly json?: Readonly<Record<string, unknown>> | undefined;
  readonly redactions: readonly string[];
  /** True where a web page means: not now. A caller that waits for a meeting or its report asks again. */
  readonly takesPages?: boolean;
  /** Default the system's. */
  readonly clock?: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** One request, never repeated and never redirected. Throws `ServiceError` for everything but a 2xx. */
async function sendOnce(
  context: ServiceContext,
  facts: RequestFacts,
  leftMs: number,
): Promise<ServiceAnswer> {
  const { doing, method, url, json, redactions, takesPages = false, clock = Date.now, signal } = facts;
  const timeoutMs = findTimeoutMs(context, DEFAULT_TIMEOUT_MS, leftMs);
  const { status, contentType, retryAfter, body } = await requestWhole(context, {
    doing,
    method,
    url,
    ...(json === undefined ? {} : { body: JSON.stringify(json), contentType: 'application/json' }),
    timeoutMs,
    limitMs: timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    clock,
    signal,
  });
  if (status < 200 || status >= 300) {
    throw refusalToError({ operation: doing, status, body, retryAfter, nowMs: clock(), redactions });
  }
  if (!takesPages && isWebPage(body, contentType)) {
    throw new ServiceError({
      code: 'unreadable',
      operation: doing,
      status,
      detail: 'the answer is a web page',
    });
  }
  const retryAfterMs = readRetryAfter(retryAfter, clock());
  return { status, body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Of one attempt: what the author of the workflow says, or what is usual, and never more than is left. */
export function findTimeoutMs(context: ServiceContext, usualMs: number, leftMs: number): number {
  return Math.min(findRequestLimits(context).timeoutMs ?? usualMs, leftMs);
}

/** The answers to a chunk have a few hundred bytes. */
const MAX_ANSWER_BYTES_SENDFORM = 1024 ** 2;

/** Of the answer's body, once its head is there. */
const BODY_TIMEOUT_MS = 30_000;

interface FormRequest {
  /** What stands in errors. */
  readonly doing: string;
  readonly url: string;
  readonly boundary: string;
  /** The whole form, encoded. */
  readonly body: Buffer;
  /** Of the form and of the wait for the head of the answer. */
  readonly timeoutMs: number;
}

/** Posts one multipart form, once. Throws `ServiceError` only where there is no whole answer. */
export async function sendForm(context: ServiceContext, request: FormRequest): Promise<WholeAnswer> {
  const { boundary, ...rest } = request;
  return await requestWhole(context, {
    ...rest,
    method: 'POST',
    contentType: `multipart/form-data; boundary=${boundary}`,
    limitMs: request.timeoutMs + BODY_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES_SENDFORM,
  });
}

export interface RepeatOptions {
  /** How often what may be repeated is; default as in the client. */
  readonly retries?: number;
  /** Waits between two attempts; default `pauseFor`. */
  readonly pause?: (ms: number) => Promise<void>;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number;
  /** Ends the attempt under way and allows no further one, as the end of the execution does. */
  readonly signal?: AbortSignal | undefined;
  /** Unix milliseconds; default the system's. */
  readonly clock?: () => number;
  /** How long all attempts and waits may take, unless the author of the workflow says it. */
  readonly totalMs?: number;
}

/** An attempt that has less time than this is not made. */
const MIN_LEFT_MS = 1000;

/**
 * Makes an attempt, and again while its `ServiceError` says that this may help and there is time left, which each attempt is told;
 * ended with the execution. When the time is up, the error of the last attempt is thrown.
 */
export async function repeatAttempt<T>(
  context: ServiceContext,
  attempt: (leftMs: number) => Promise<T>,
  options: RepeatOptions = {},
): Promise<T> {
  const { retries = DEFAULT_RETRIES, pause, random = Math.random, signal, clock = Date.now } = options;
  const deadlineMs = clock() + findTotalMs(context, options.totalMs);
  const waitFor = pause ?? pauseFor(context, signal);
  let last: ServiceError | undefined;
  const onRetry = (error: ServiceError): void => {
    last = error;
  };
  const wait = async (ms: number): Promise<void> => {
    if (last !== undefined && clock() + ms + MIN_LEFT_MS > deadlineMs) throw last;
    await waitFor(ms);
  };
  const ended = combineSignals(findCancelSignal(context), signal);
  return await withRetries({ retries, random, wait, onRetry }, () => attempt(deadlineMs - clock()), ended);
}

/** How long an execution that was cancelled may go on waiting. */
const STEP_MS = 1000;

/** Waits that end, with the reason, soon after the execution is cancelled or `ended` aborts. */
export function pauseFor(context: ServiceContext, ended?: AbortSignal): (ms: number) => Promise<void> {
  const signal = combineSignals(findCancelSignal(context), ended);
  return async (ms) => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      signal?.throwIfAborted();
      await sleep(Math.min(left, STEP_MS));
    }
    signal?.throwIfAborted();
  };
}

interface ServiceCredential {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Of the MCP endpoint, without `/mcp`; undefined where none is given. */
  readonly mcpUrl: string | undefined;
  /** Only for leaving it out of errors: n8n itself sends it. */
  readonly apiKey: string;
}

/** Throws `ServiceError` for an address that is none, and without a key. */
export async function readCredential(context: ServiceContext): Promise<ServiceCredential> {
  const { baseUrl, mcpUrl, apiKey } = await context.getCredentials(credentialName);
  // n8n asks for it only when it sends, where a missing key would pass for a connection that broke.
  if (isBlank(apiKey))
    throw refuseCredential('the credential has no API Key: only the Aftermeet Trigger can use it');
  return {
    baseUrl: readCredentialAddress(baseUrl, 'Base Address'),
    mcpUrl: isBlank(mcpUrl) ? undefined : readCredentialAddress(mcpUrl, 'MCP Address'),
    // As it is sent (credentials/sign-request.ts).
    apiKey: typeof apiKey === 'string' ? apiKey.trim() : '',
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function readCredentialAddress(value: unknown, field: string): string {
  const reading = parseAddress(typeof value === 'string' ? value.trim() : value);
  if (reading.ok) return reading.address;
  throw refuseCredential(`${field} in the credential must be ${reading.expected}`);
}

function refuseCredential(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: 'credential', detail, unsent: true });
}
