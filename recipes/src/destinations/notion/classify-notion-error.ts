import { APIErrorCode, isHTTPResponseError, RequestTimeoutError } from '@notionhq/client';
import { z } from 'zod';

import { findConnectFailure } from '../../engine/known-not-sent.ts';
import type { NotSent, SendResult, UpdateResult } from '../../engine/prepared-send.ts';

const defaultWaitMs = 30_000;
/** An immediate retry would be refused again and count as another call. */
const minWaitMs = 1000;

/** Notion writes seconds as text. */
const secondsSchema = z.union([z.number().nonnegative(), z.string().regex(/^\d{1,6}$/)]).transform(Number);
/** A field that cannot be read leaves the others readable. */
const guidanceSchema = z.object({
  rate_limit_reason: z.string().optional().catch(undefined),
  retry_after: secondsSchema.optional().catch(undefined),
  committed_resource_id: z.string().min(1).optional().catch(undefined),
  committed_child_ids: z.array(z.string()).optional().catch(undefined),
});
const headersSchema = z.instanceof(Headers);

/** Deleting blocks does not help (developers.notion.com, Workspace block limits). */
const fullText =
  'the workspace has used up the blocks of its free plan; change the plan or the workspace, then send again';

/** What to do about the most common refusals. */
const advice: Readonly<Record<string, string>> = {
  unauthorized: 'check the token (NOTION_TOKEN)',
  restricted_resource:
    'let the connection read, insert and update content, and check that the workspace has room left',
  object_not_found: 'check the data source id (NOTION_DATA_SOURCE_ID) and share it with the connection',
  validation_error: 'the data source refuses this page',
};

/** A call would have to wait longer than there is time. */
export class NoTimeLeftError extends Error {
  override readonly name = 'NoTimeLeftError';
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('No time is left for the call.');
    this.waitMs = waitMs;
  }
}

/**
 * What a failed call to Notion means for the page (developers.notion.com, Status codes). A 503 can name a page that was
 * created all the same.
 */
export function classifyNotionError(error: unknown): SendResult {
  if (isHTTPResponseError(error)) {
    const guidance = guidanceSchema.safeParse(error.additional_data ?? {}).data ?? {};
    const code = /^[a-z_]{1,60}$/.test(error.code) ? ` ${error.code}` : '';
    const cause = `Notion answered ${error.status}${code}`;
    if (guidance.committed_resource_id !== undefined) {
      return { result: 'sent', reference: guidance.committed_resource_id };
    }
    if (error.status === 429 && guidance.rate_limit_reason === 'public_api_request_blocked') {
      return { result: 'permanent', cause: `${cause}: the workspace blocks requests of connections` };
    }
    if (error.status === 429 || error.status === 529) {
      return { result: 'rate_limited', cause, retryAfterMs: readWaitMs(error.headers, guidance.retry_after) };
    }
    if (error.status === 403 && isBlockLimit(error)) {
      return { result: 'permanent', cause: `${cause}: ${fullText}` };
    }
    if (error.status === 409) return { result: 'not_sent_retry', cause, contact: 'answered' };
    if (error.status === 408 || error.status >= 500) return { result: 'unknown', cause };
    const toDo = advice[error.code];
    // The token, or what its connection may do; a single page that it does not see is a 404.
    const isTokenRefused = error.status === 401 || error.code === APIErrorCode.RestrictedResource;
    return {
      result: isTokenRefused ? 'paused' : 'permanent',
      cause: toDo === undefined ? cause : `${cause}: ${toDo}`,
    };
  }
  if (error instanceof NoTimeLeftError) {
    const cause = 'the calls of one minute to Notion are used up';
    return { result: 'rate_limited', cause, retryAfterMs: error.waitMs, contact: 'none' };
  }
  const failure = findConnectFailure(error);
  if (failure !== undefined)
    return { result: 'not_sent_retry', cause: `Notion cannot be reached (${failure})` };
  // The first is our own timeout, the second the SDK's.
  const isLate =
    (error instanceof Error && error.name === 'TimeoutError') ||
    RequestTimeoutError.isRequestTimeoutError(error);
  return {
    result: 'unknown',
    cause: isLate ? 'Notion did not answer in time' : "Notion's answer was cut off or cannot be read",
  };
}

/** The same for a call that is safe to repeat: an unknown outcome is tried again. */
export function classifyNotionPreparation(error: unknown): NotSent {
  const failure = classifyNotionError(error);
  if (failure.result === 'sent') return { result: 'not_sent_retry', cause: 'Notion answered late' };
  return failure.result === 'unknown' ? { ...failure, result: 'not_sent_retry' } : failure;
}

/** The same for an update of a page: a deleted page is not restored. */
export function classifyNotionUpdate(error: unknown): Exclude<UpdateResult, { result: 'sent' }> {
  if (isHTTPResponseError(error) && error.code === APIErrorCode.ObjectNotFound) {
    return { result: 'gone', cause: 'the page is not there any more, or not shared with the connection' };
  }
  const failure = classifyNotionError(error);
  return failure.result === 'sent' ? { result: 'not_sent_retry', cause: 'Notion answered late' } : failure;
}

/** Ids of the blocks that a failed call created all the same, as far as a 503 names them. */
export function readCommitted(error: unknown): readonly string[] {
  if (!isHTTPResponseError(error)) return [];
  return guidanceSchema.safeParse(error.additional_data ?? {}).data?.committed_child_ids ?? [];
}

/** The wait before a refused call is made again; undefined if the call may have succeeded or never will. */
export function readRetryWait(
  error: unknown,
): { readonly waitMs: number; readonly isConflict: boolean } | undefined {
  const failure = classifyNotionError(error);
  if (failure.result === 'rate_limited') return { waitMs: failure.retryAfterMs, isConflict: false };
  const isConflict = isHTTPResponseError(error) && error.status === 409;
  return isConflict ? { waitMs: 0, isConflict } : undefined;
}

/** Only the message tells it from a connection that may not write (developers.notion.com, Status codes). */
function isBlockLimit(error: { readonly message: string }): boolean {
  return /\bblocks?\b.*\blimit|\blimit\b.*\bblocks?\b/i.test(error.message);
}

/** From the header Retry-After in seconds, or from the body, which repeats it. */
function readWaitMs(headers: unknown, retryAfterSeconds: number | undefined): number {
  const header = headersSchema.safeParse(headers).data?.get('retry-after') ?? '';
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) : retryAfterSeconds;
  return seconds === undefined ? defaultWaitMs : Math.max(minWaitMs, seconds * 1000);
}
