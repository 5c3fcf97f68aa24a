import { Client } from '@notionhq/client';

import type { NotionSettings } from '../destinations.ts';
import { usualPolicies } from '../pace/policy.ts';
import { readPatienceMs } from './classify-notion-error.ts';
import { NoTimeLeftError } from './no-time-left-error.ts';

/** However far apart the effects of somebody are to be: a long page takes dozens of calls, and two minutes at most. */
const leastPerMinute = 60;
const minuteMs = 60_000;
const mostConflicts = 3;

/** What the calls of one process over one connection share. */
export interface CallCounter {
  /** A call is made now. */
  note(): void;
  /** How long the next ones have to wait until all of them may be made, milliseconds. */
  waitMs(calls?: number): number;
}

/**
 * Lets as many calls begin in a minute as fit one after another with `gapMs` in between; 0: however many there are. The
 * usual gap leaves others a part of the 180 that Notion takes over a connection (developers.notion.com, Request limits).
 */
export function countCalls(clock: () => number, gapMs = usualPolicies.notion.gapMs): CallCounter {
  const callsPerMinute = Math.max(leastPerMinute, Math.floor(minuteMs / gapMs));
  let made: number[] = [];
  return {
    note() {
      made = [...made.filter((atMs) => atMs > clock() - minuteMs), clock()];
    },
    waitMs(calls = 1) {
      const recent = made.filter((atMs) => atMs > clock() - minuteMs);
      const last = recent[recent.length - Math.max(0, callsPerMinute - calls) - 1];
      return last === undefined ? 0 : Math.max(0, last + minuteMs - clock());
    },
  };
}

/** Opens the SDK for calls that really end: each with its time, never redirected with its token. It does not retry. */
export function openNotionClient(
  settings: NotionSettings,
  timeoutMs: number,
  counter: CallCounter,
  ending?: AbortSignal,
): Client {
  return new Client({
    auth: settings.token,
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    retry: false,
    // Later than the request's own end: the SDK's timeout leaves the request running.
    timeoutMs: timeoutMs + 1000,
    fetch: (url, request) => {
      counter.note();
      return fetch(url, {
        ...(request?.method === undefined ? {} : { method: request.method }),
        ...(request?.headers === undefined ? {} : { headers: request.headers }),
        ...(typeof request?.body === 'string' ? { body: request.body } : {}),
        redirect: 'error',
        signal: endAfter(timeoutMs, ending),
      });
    },
    logger: () => {},
  });
}

/** Not `AbortSignal.any` of `AbortSignal.timeout`: on Node 20 nothing holds that timeout, and once collected it never ends a call. */
function endAfter(timeoutMs: number, ending: AbortSignal | undefined): AbortSignal {
  const end = new AbortController();
  const tooLong = (): void => end.abort(new DOMException('The call took too long.', 'TimeoutError'));
  setTimeout(tooLong, timeoutMs).unref();
  if (ending?.aborted === true) end.abort(ending.reason);
  ending?.addEventListener('abort', () => end.abort(ending.reason), { once: true, signal: end.signal });
  return end.signal;
}

export interface CallPatience {
  /** Waits until there is room for so many calls, so that what they write is not left half done. */
  reserve(calls: number): Promise<void>;
  /** Makes a call when the connection may; with `isPatient`, again after a refusal whose wait fits into the time. */
  run<Answer>(call: () => Promise<Answer>, isPatient?: boolean): Promise<Answer>;
}

export interface CallTools {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly counter: CallCounter;
}

/** The calls that write one page, all of them over by `endMs`. What is made again has surely changed nothing. `reserve`
 * and `run` throw a NoTimeLeftError when the connection has no room for them in time. */
export function openCalls({ clock, wait, counter }: CallTools, endMs: number): CallPatience {
  const waitWithin = async (ms: number): Promise<boolean> => {
    if (ms > 0 && clock() + ms >= endMs) return false;
    if (ms > 0) await wait(ms);
    return true;
  };
  const reserve = async (calls: number): Promise<void> => {
    const waitMs = counter.waitMs(calls);
    if (!(await waitWithin(waitMs))) throw new NoTimeLeftError(waitMs);
  };
  return {
    reserve,
    async run(call, isPatient = true) {
      for (let tries = 1; ; tries += 1) {
        await reserve(1);
        try {
          return await call();
        } catch (error) {
          const patience = isPatient ? readPatienceMs(error) : undefined;
          const mayWait = patience !== undefined && (!patience.isConflict || tries <= mostConflicts);
          const waitMs = patience?.isConflict === true ? 500 * 2 ** tries : patience?.waitMs;
          if (!mayWait || waitMs === undefined || !(await waitWithin(Math.max(waitMs, 1)))) throw error;
        }
      }
    },
  };
}
