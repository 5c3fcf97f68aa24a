import { explainAnswer, explainFault } from './explain-fault.ts';
import type { Call } from './prepare-call.ts';
import { readAnswer } from './read-answer.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';
import { type Watch, watchTime } from './watch-time.ts';

/** A success whose body is still to be read, under the same time limit. */
export interface OpenedAnswer {
  readonly response: Response;
  /** Stop it when the body was read. */
  readonly watch: Watch;
  /** What a fault while reading the body means. */
  readonly explain: (error: unknown) => ServiceError;
}

/** A description of an error is a line, not a book. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Sends a call once, up to the head of its answer. Throws `ServiceError` for everything but a 2xx. */
export async function openAnswer(
  connection: Connection,
  call: Call,
  signal: AbortSignal | undefined,
): Promise<OpenedAnswer> {
  const { doing } = call;
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', doing, unsent: true });
  await connection.admitKey(call.url, doing, signal);
  const { timeoutMs } = connection;
  const watch = watchTime(timeoutMs, signal);
  const explain = (error: unknown): ServiceError =>
    explainFault(error, { doing, signal, timeout: watch.timeout, timeoutMs });
  try {
    const response = await connection.fetch(call.url, {
      ...call.init,
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal: watch.signal,
    });
    if (isRedirect(response)) throw refuseRedirect(doing, response.status);
    if (response.ok) return { response, watch, explain };
    throw explainAnswer({
      doing,
      status: response.status,
      body: await readRefusal(response, signal),
      retryAfter: response.headers.get('retry-after'),
      nowMs: connection.clock(),
      secrets: call.secrets,
      texts: call.texts,
    });
  } catch (error) {
    watch.stop();
    throw explain(error);
  }
}

/** `opaqueredirect` is what a browser's `fetch` shows of one; `redirected` what one shows that follows them anyway. */
export function isRedirect({ status, type, redirected }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

export function refuseRedirect(doing: string, status: number): ServiceError {
  return new ServiceError({
    code: 'redirected',
    doing,
    ...(status === 0 ? {} : { status }),
    detail: 'redirects are not followed, because the key would go along: set the address they lead to',
  });
}

/** What the service says about an error. That it cannot be read must not hide the status. */
async function readRefusal(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await readAnswer(response, MAX_REFUSAL_BYTES);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}
