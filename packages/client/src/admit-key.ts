import { amendError } from './amend-error.ts';
import { explainAnswer, explainFault } from './explain-fault.ts';
import { isRedirect } from './open-answer.ts';
import { readAnswer } from './read-answer.ts';
import { asFields } from './report/loose.ts';
import { ServiceError } from './service-error.ts';
import { watchTime } from './watch-time.ts';

/** Rejects with a `ServiceError` (never sent) where the key must not go; before every request that carries it. */
export type AdmitKey = (
  address: string | URL,
  doing: string,
  signal: AbortSignal | undefined,
) => Promise<void>;

interface Asking {
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly clock: () => number;
}

const SANDBOX_PREFIX = 'sandbox_';
const MAX_IDENTITY_BYTES = 4096;

/**
 * Keys of a sandbox begin with `sandbox_` and go to a sandbox only: whoever forgot to set another key or address
 * hears so at once instead of a 401. Each host is asked who it is, without the key, until it has said so.
 */
export function createKeyGuard(asking: Asking): AdmitKey {
  if (!asking.apiKey.startsWith(SANDBOX_PREFIX)) return async () => {};
  const sandboxes = new Set<string>();
  return async (address, doing, signal) => {
    const { origin } = new URL(address);
    if (sandboxes.has(origin)) return;
    if (!(await isSandbox(origin, asking, doing, signal))) throw refuseHost(doing);
    sandboxes.add(origin);
  };
}

async function isSandbox(
  origin: string,
  { fetch: ask, timeoutMs, clock }: Asking,
  doing: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', doing, unsent: true });
  const watch = watchTime(timeoutMs, signal);
  try {
    const response = await ask(`${origin}/_sandbox/identity`, { redirect: 'manual', signal: watch.signal });
    if (isRedirect(response)) return false;
    const body = await readAnswer(response, MAX_IDENTITY_BYTES);
    const { status } = response;
    if (status === 429 || status >= 500) {
      const retryAfter = response.headers.get('retry-after');
      throw explainAnswer({ doing, status, body, retryAfter, nowMs: clock() });
    }
    return response.ok && asFields(body)?.['sandbox'] === 'aftermeet';
  } catch (error) {
    const fault = explainFault(error, { doing, signal, timeout: watch.timeout, timeoutMs });
    // A page of any length is no sandbox either.
    if (fault.code === 'unreadable') return false;
    throw amendError(fault, { unsent: true });
  } finally {
    watch.stop();
  }
}

function refuseHost(doing: string): ServiceError {
  const detail =
    "the key begins with sandbox_ and this host is not a sandbox: set the service's own key, or the address of a sandbox";
  return new ServiceError({ code: 'bad_request', doing, detail, unsent: true });
}
