import { ServiceError, setPieces } from '@aftermeet/client/pure';
import type {
  IExecuteFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IPollFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';

import { type FileStream, isFileStream } from './streams.ts';

/** Wherever n8n lets a node ask the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

export const credentialName = 'aftermeetApi';

export interface FetchOptions {
  /** After which n8n itself closes a connection that is silent: later than any time limit of a request. */
  readonly idleMs: () => number;
  /** Ends every request, at whatever point it is. */
  readonly signal: AbortSignal | undefined;
}

/** Which n8n adds from the credential (credentials/sign-request.ts). */
const signatureHeaders: readonly string[] = ['x-api-key', 'authorization'];

/**
 * `fetch` over n8n's request helper, with the node's credential. Redirects are not followed. The body of an answer is
 * there for `readPieces` alone.
 *
 * Files go as a Buffer and not as a form: axios sends that as one write, where of a form it makes a stream and copies of
 * each part. Without redirects it also keeps no copy of what it sends.
 */
export function fetchThroughN8n(
  context: ServiceContext,
  { idleMs, signal: ended }: FetchOptions,
): typeof fetch {
  return async (input, init = {}) => {
    const signal = combineSignals(ended, init.signal ?? undefined);
    signal?.throwIfAborted();
    const headers = new Headers(init.headers);
    for (const name of signatureHeaders) headers.delete(name);
    const body = asBody(init.body);
    const sending: Promise<FullResponse> = context.helpers.httpRequestWithAuthentication.call(
      context,
      credentialName,
      {
        method: (init.method ?? 'GET') as IHttpRequestMethods,
        url: input instanceof Request ? input.url : input.toString(),
        headers: Object.fromEntries(headers),
        ...(body === undefined ? {} : { body }),
        encoding: 'stream',
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        disableFollowRedirect: true,
        timeout: idleMs(),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      },
    );
    const { over, stop } = rejectWhenOver(signal);
    // An answer that comes after the end must not keep its connection.
    sending.then(({ body: late }) => endWith(signal, late)).catch(() => {});
    // What waits for the signal holds the answer, and that holds what was sent: 20 MiB of a file.
    return makeResponse(await Promise.race([sending, over]).finally(stop));
  };
}

/** Bytes are sent from where they are, without a copy. */
function asBody(body: unknown): Buffer | string | undefined {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array)) return undefined;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** A rejection after the answer is not an error. */
function rejectWhenOver(signal: AbortSignal | undefined): {
  readonly over: Promise<never>;
  readonly stop: () => void;
} {
  let stop: (() => void) | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(signal?.reason);
    stop = () => signal?.removeEventListener('abort', end);
    signal?.addEventListener('abort', end, { once: true });
  });
  over.catch(() => {});
  return { over, stop: () => stop?.() };
}

/**
 * Ends a body with the signal. Not by `abortSignal`: in an execution n8n puts its own signal in its place, which knows of
 * no limit. And with an event, as axios does it: what n8n hands over is read by a generator, which delays the error of
 * `destroy` until the next bytes come.
 */
export function endWith(signal: AbortSignal | undefined, body: unknown): void {
  if (!isFileStream(body) || signal === undefined) return;
  const end = (): void => {
    if (body.readableEnded || body.destroyed) return;
    body.emit('error', new DOMException('the time is up', 'TimeoutError'));
    body.destroy();
  };
  // The reader of the body gets the error; without a reader it must not crash n8n.
  body.on('error', () => {});
  body.once('close', () => signal.removeEventListener('abort', end));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** What n8n answers with `returnFullResponse`. */
interface FullResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const bodyOf = new WeakMap<Response, unknown>();

/** The body of an answer as n8n hands it over; undefined for what is no stream. */
export function findStream(response: Response): FileStream | undefined {
  const body = bodyOf.get(response);
  return isFileStream(body) ? body : undefined;
}

function makeResponse({ statusCode: status, headers: given, body }: FullResponse): Response {
  // No `Response` can have it: a firewall's own, such as 999.
  if (status < 200 || status > 599) {
    throw new ServiceError({ code: 'unexpected_status', operation: 'request', status });
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    const [first] = Array.isArray(value) ? value : [value];
    if (typeof first === 'string') headers.set(name, first);
  }
  const response = new Response(null, { status, headers });
  setPieces(response, readBody(body));
  bodyOf.set(response, body);
  return response;
}

async function* readBody(body: unknown): AsyncGenerator<unknown, void> {
  if (isStream(body)) yield* body;
  else if (body instanceof Uint8Array) yield body;
  else if (typeof body === 'string') yield new TextEncoder().encode(body);
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** A signal that aborts with the first of these; undefined where there are none. */
export function combineSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** The signal with which n8n ends an execution, where there is one. */
export function findCancelSignal(context: ServiceContext): AbortSignal | undefined {
  return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
