import { explainAnswer, type Hidden, isWebPage, readRetryAfter, ServiceError } from '@aftermeet/client/pure';
import type { IHttpRequestMethods } from 'n8n-workflow';

import { requestWhole } from './request-whole.ts';
import type { ServiceContext } from './service-context.ts';

/** As in the client: of one attempt, with its answer. */
const TIMEOUT_MS = 30_000;
/** As in the client: a report of a very long meeting stays far below this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface ServiceAnswer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** How long the service asks to be left alone. */
  readonly retryAfterMs?: number;
}

export interface RequestFacts {
  /** What stands in errors. */
  readonly doing: string;
  readonly method: IHttpRequestMethods;
  readonly url: string;
  readonly json?: Readonly<Record<string, unknown>> | undefined;
  readonly hidden: Hidden;
  /** True where a web page means: not now. Whoever waits for a meeting or its report asks again. */
  readonly takesPages?: boolean;
  /** Default the system's. */
  readonly clock?: () => number;
}

/** One request, never repeated and never redirected. Throws `ServiceError` for everything but a 2xx. */
export async function sendOnce(context: ServiceContext, facts: RequestFacts): Promise<ServiceAnswer> {
  const { doing, method, url, json, hidden, takesPages = false, clock = Date.now } = facts;
  const { status, contentType, retryAfter, body } = await requestWhole(context, {
    doing,
    method,
    url,
    ...(json === undefined ? {} : { body: JSON.stringify(json), contentType: 'application/json' }),
    timeoutMs: TIMEOUT_MS,
    limitMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    clock,
  });
  if (status < 200 || status >= 300) {
    throw explainAnswer({ doing, status, body, retryAfter, nowMs: clock(), ...hidden });
  }
  if (!takesPages && isWebPage(body, contentType)) {
    throw new ServiceError({ code: 'unreadable', doing, status, detail: 'the answer is a web page' });
  }
  const retryAfterMs = readRetryAfter(retryAfter, clock());
  return { status, body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
