import { parseBody } from './parse-body.ts';
import { readBytes } from './read-bytes.ts';
import { type RawRequest, requestRaw } from './request-raw.ts';
import type { ServiceContext } from './service-context.ts';

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
