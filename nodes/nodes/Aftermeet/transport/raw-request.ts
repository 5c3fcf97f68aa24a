import { parseAnswer, ServiceError } from '@aftermeet/client/pure';
import {
  type IExecuteFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type IPollFunctions,
  type IWebhookFunctions,
} from 'n8n-workflow';

import { explainRequestFault } from './errors.ts';
import { isFileStream, readBytes } from './streams.ts';

/** What the service said, whatever the status. */
export interface WholeAnswer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** The headers as they came. */
  readonly retryAfter: string | null;
  readonly contentType: string | null;
}

export interface WholeRequest extends Omit<RawRequest, 'headers'> {
  readonly contentType?: string;
  /** What is longer is an error. */
  readonly maxBytes: number;
  /** Unix milliseconds; default the system's. */
  readonly clock?: () => number;
}

/** One request, and its answer in memory. Throws `ServiceError` only where there is no whole answer. */
export async function requestWhole(context: ServiceContext, request: WholeRequest): Promise<WholeAnswer> {
  const { contentType: sentType, maxBytes, clock = Date.now, ...rest } = request;
  const deadlineMs = clock() + rest.limitMs;
  const answer = await requestRaw(context, {
    ...rest,
    headers: {
      accept: 'application/json, text/plain;q=0.9',
      ...(sentType === undefined ? {} : { 'content-type': sentType }),
    },
  });
  const { status, readHeader, explain } = answer;
  const contentType = readHeader('content-type');
  try {
    const bytes = await readBytes(answer.body, { maxBytes, deadlineMs, clock });
    return {
      status,
      body: parseBody(bytes, contentType),
      retryAfter: readHeader('retry-after'),
      contentType,
    };
  } catch (error) {
    throw explain(error);
  }
}

export interface RawRequest {
  /** What stands in errors. */
  readonly doing: string;
  readonly method: IHttpRequestMethods;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes are sent from where they are, without a copy: they must stay as they are until the answer is there. */
  readonly body?: Buffer | string;
  /** Until the head of the answer is there, the sending included. */
  readonly timeoutMs: number;
  /** Until the end of the body is there: n8n itself lets one that falls silent hold the execution for ever. */
  readonly limitMs: number;
  /** Ends the request, at whatever point it is, as `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Whatever the service answered. */
export interface RawAnswer {
  readonly status: number;
  readonly readHeader: (name: string) => string | null;
  /** A stream, of which nothing has been read. */
  readonly body: unknown;
  /** What a fault while the body is read means. */
  readonly explain: (error: unknown) => ServiceError;
}

/**
 * One request with the node's credential, never repeated and never redirected, ended with the execution. Throws `ServiceError`
 * only where there is no answer.
 *
 * Files go as a Buffer and not as a form: axios sends that as one write, where of a form it makes a stream and copies of each part.
 * Without redirects it also keeps no copy of what it sends.
 */
export async function requestRaw(context: ServiceContext, request: RawRequest): Promise<RawAnswer> {
  const { doing, method, url, headers, body, timeoutMs, limitMs } = request;
  const signal = combineSignals(findCancelSignal(context), request.signal);
  const timeout = AbortSignal.timeout(limitMs);
  const limit = combineSignals(timeout, request.signal) ?? timeout;
  const { over, stop } = rejectWhenOver(limit);
  const explain = (error: unknown): ServiceError => {
    if (signal?.aborted !== true && limit.aborted) {
      return new ServiceError({
        code: 'timeout',
        operation: doing,
        detail: `no whole answer in ${limitMs} ms`,
      });
    }
    return explainRequestFault(error, { doing, signal, timeoutMs });
  };
  const sending: Promise<FullResponse> = context.helpers.httpRequestWithAuthentication.call(
    context,
    credentialName,
    {
      method,
      url,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      encoding: 'stream',
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: timeoutMs,
      ...(signal === undefined ? {} : { abortSignal: signal }),
    },
  );
  try {
    const answer = await Promise.race([sending, over]);
    endWith(limit, answer.body);
    return {
      status: answer.statusCode,
      readHeader: (name) => readHeaderValue(answer.headers[name]),
      body: answer.body,
      explain,
    };
  } catch (error) {
    // An answer that comes after the end must not keep its connection.
    sending.then((late) => endWith(limit, late.body)).catch(() => {});
    throw explain(error);
  } finally {
    // What waits for the limit holds the answer, and that holds what was sent: 20 MiB of a file.
    stop();
  }
}

/** A rejection after the answer is not an error. */
function rejectWhenOver(limit: AbortSignal): { readonly over: Promise<never>; readonly stop: () => void } {
  let stop: (() => void) | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(limit.reason);
    stop = () => limit.removeEventListener('abort', end);
    limit.addEventListener('abort', end, { once: true });
  });
  over.catch(() => {});
  return { over, stop: () => stop?.() };
}

/**
 * Ends the body when the time is up. Not by `abortSignal`: in an execution n8n puts its own signal in its place, which knows of no
 * limit. And told by an event, as axios does it: what n8n hands over is read by a generator, which delays the error of `destroy`
 * until the next bytes come.
 */
function endWith(limit: AbortSignal, body: unknown): void {
  if (!isFileStream(body)) return;
  const end = (): void => {
    if (body.readableEnded || body.destroyed) return;
    body.emit('error', new DOMException('the time is up', 'TimeoutError'));
    body.destroy();
  };
  // The reader of the body gets the error; without a reader it must not crash n8n.
  body.on('error', () => {});
  body.once('close', () => limit.removeEventListener('abort', end));
  if (limit.aborted) end();
  else limit.addEventListener('abort', end, { once: true });
}

/** What n8n answers with `returnFullResponse`. */
interface FullResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function readHeaderValue(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'string' ? first : null;
}

/** A body as the client reads it: JSON where it is JSON whatever the type says, else its text, else undefined. Pure. */
export function parseBody(bytes: Uint8Array, contentType: string | null): unknown {
  const headers = new Headers(contentType === null ? {} : { 'content-type': contentType });
  return parseAnswer(new TextDecoder().decode(bytes), headers);
}

/** Wherever n8n lets a node ask the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** A signal that aborts with the first of these; undefined where there are none. */
export function combineSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** The signal with which n8n ends an execution, where there is one. */
export function findCancelSignal(context: ServiceContext): AbortSignal | undefined {
  return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export const credentialName = 'aftermeetApi';
