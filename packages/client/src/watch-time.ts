/** The time limit of one attempt, joined with the caller's signal. Hold it until the answer is read, then stop it. */
export interface Watch {
  /** For `fetch`: aborted by the caller, by the time limit, or by `stop`. */
  readonly signal: AbortSignal;
  /** Aborted when the time was up. */
  readonly timeout: AbortSignal;
  /** The time begins anew. */
  restart(): void;
  /** No time runs until the next `restart`: the other side has nothing to do with this wait. */
  pause(): void;
  /** Releases everything; what is still under way is given up. */
  stop(): void;
}

/**
 * Not `AbortSignal.any` with `AbortSignal.timeout`: they can't be restarted, and leave something behind at a
 * signal that lives as long as its process.
 */
export function watchTime(timeoutMs: number, signal?: AbortSignal): Watch {
  const both = new AbortController();
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const pause = (): void => clearTimeout(timer);
  const restart = (): void => {
    pause();
    timer = setTimeout(() => {
      timeout.abort();
      both.abort();
    }, timeoutMs);
  };
  const onAbort = (): void => both.abort();
  const stop = (): void => {
    pause();
    signal?.removeEventListener('abort', onAbort);
    both.abort();
  };

  if (signal?.aborted === true) both.abort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  restart();
  return { signal: both.signal, timeout: timeout.signal, restart, pause, stop };
}
