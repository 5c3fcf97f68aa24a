import { ServiceError } from '@aftermeet/client/pure';
import type { IHttpRequestMethods } from 'n8n-workflow';

import { explainRequestFault } from './explain-request-fault.ts';
import { isFileStream } from './file-stream.ts';
import { findCancelSignal } from './pause-for.ts';
import { credentialName } from './read-credential.ts';
import type { ServiceContext } from './service-context.ts';

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
  const signal = findCancelSignal(context);
  const limit = AbortSignal.timeout(limitMs);
  const { over, stop } = rejectWhenOver(limit);
  const explain = (error: unknown): ServiceError => {
    if (signal?.aborted !== true && limit.aborted) {
      return new ServiceError({ code: 'timeout', doing, detail: `no whole answer in ${limitMs} ms` });
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
      readHeader: (name) => readHeader(answer.headers[name]),
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

/** One that nobody waits for any more is no fault. */
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
  // Whoever reads the body is told of the fault; when nobody does just then, it must not end n8n.
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

function readHeader(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'string' ? first : null;
}
