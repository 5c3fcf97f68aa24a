import { Client } from '@notionhq/client';

import { NoTimeLeftError, readRetryWait } from './classify-notion-error.ts';
import { NOTION_GAP_MS, type NotionSettings } from './settings.ts';

/** However large the gap between effects is: a long page takes dozens of calls within two minutes. */
const minCallsPerMinute = 60;
const minuteMs = 60_000;
const maxConflicts = 3;

/** The calls that one process makes over one connection. */
export interface CallCounter {
  /** Counts a call that begins now. */
  count(): void;
  /** Milliseconds until that many calls may begin. */
  waitMs(calls?: number): number;
}

/**
 * Allows as many calls per minute as fit one after another with `gapMs` between them; 0: no limit. The default gap leaves
 * other users of the connection a part of the 180 calls that Notion allows (developers.notion.com, Request limits).
 */
export function createCallCounter(clock: () => number, gapMs = NOTION_GAP_MS): CallCounter {
  const callsPerMinute = Math.max(minCallsPerMinute, Math.floor(minuteMs / gapMs));
  let calledAtMs: number[] = [];
  const listRecent = (): number[] => calledAtMs.filter((atMs) => atMs > clock() - minuteMs);
  return {
    count() {
      calledAtMs = [...listRecent(), clock()];
    },
    waitMs(calls = 1) {
      const recent = listRecent();
      const last = recent[recent.length - Math.max(0, callsPerMinute - calls) - 1];
      return last === undefined ? 0 : Math.max(0, last + minuteMs - clock());
    },
  };
}

/**
 * Notion's SDK without its retries: the ledger owns retries. A call ends within `timeoutMs` and when `deadline` aborts, and
 * follows no redirect with its token.
 */
export function openNotionClient(
  settings: NotionSettings,
  timeoutMs: number,
  counter: CallCounter,
  deadline?: AbortSignal,
): Client {
  return new Client({
    auth: settings.token,
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    retry: false,
    // After our own timeout: the SDK's leaves the request running.
    timeoutMs: timeoutMs + 1000,
    fetch: async (url, request) => {
      counter.count();
      const { method, headers, body } = request ?? {};
      const init = {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(typeof body === 'string' ? { body } : {}),
        redirect: 'error',
      } as const;
      return await fetchWithin(url, init, timeoutMs, deadline);
    },
    logger: () => {},
  });
}

/**
 * Fetches an answer with its body in time. Not `AbortSignal.any` with `AbortSignal.timeout`: on Node 20 that timeout can be
 * garbage collected and then never ends the call.
 */
async function fetchWithin(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  deadline: AbortSignal | undefined,
): Promise<Response> {
  const end = new AbortController();
  const abort = (): void => end.abort(new DOMException('The call took too long.', 'TimeoutError'));
  const timer = setTimeout(abort, timeoutMs).unref();
  deadline?.addEventListener('abort', abort, { once: true });
  if (deadline?.aborted === true) abort();
  try {
    const response = await fetch(url, { ...init, signal: end.signal });
    const body = await response.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, response);
  } finally {
    clearTimeout(timer);
    deadline?.removeEventListener('abort', abort);
  }
}

export interface CallRunner {
  /** Waits until that many calls may begin, so that what they write is not left half done. */
  reserve(calls: number): Promise<void>;
  /** Makes a call when it may begin. `canRetry`: again after a refusal whose wait fits into the time. */
  run<Answer>(call: () => Promise<Answer>, canRetry?: boolean): Promise<Answer>;
}

export interface CallTools {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly counter: CallCounter;
}

/**
 * Runs the calls that write one page, all of them before `endMs`. Only a call that surely changed nothing is repeated.
 * Both methods throw a `NoTimeLeftError` if the calls cannot begin in time.
 */
export function createCallRunner({ clock, wait, counter }: CallTools, endMs: number): CallRunner {
  const waitInTime = async (ms: number): Promise<boolean> => {
    if (ms > 0 && clock() + ms >= endMs) return false;
    if (ms > 0) await wait(ms);
    return true;
  };
  const reserve = async (calls: number): Promise<void> => {
    const waitMs = counter.waitMs(calls);
    if (!(await waitInTime(waitMs))) throw new NoTimeLeftError(waitMs);
  };
  return {
    reserve,
    async run(call, canRetry = true) {
      for (let attempt = 1; ; attempt += 1) {
        await reserve(1);
        try {
          return await call();
        } catch (error) {
          const retry = canRetry ? readRetryWait(error) : undefined;
          if (retry === undefined || (retry.isConflict && attempt > maxConflicts)) throw error;
          const waitMs = retry.isConflict ? 500 * 2 ** attempt : retry.waitMs;
          if (!(await waitInTime(Math.max(waitMs, 1)))) throw error;
        }
      }
    },
  };
}
