import { APIErrorCode, isHTTPResponseError, RequestTimeoutError } from '@notionhq/client';
import { z } from 'zod';

import type { NotSent, SendResult, UpdateResult } from '../shipment.ts';
import { findConnectFailure } from '../surely-unsent.ts';
import { NoTimeLeftError } from './no-time-left-error.ts';

const defaultWaitMs = 30_000;
/** Of a call that was refused for now: at once it would be refused again, and count as one more. */
const leastWaitMs = 1000;

/** Seconds, which Notion writes as a text. */
const secondsSchema = z.union([z.number().nonnegative(), z.string().regex(/^\d{1,6}$/)]).transform(Number);
/** What cannot be read hides nothing of the rest. */
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

/** What to do about the refusals that people meet first. */
const hints: Readonly<Record<string, string>> = {
  unauthorized: 'check the token (NOTION_TOKEN)',
  restricted_resource:
    'let the connection read, insert and update content, and check that the workspace has room left',
  object_not_found: 'check the data source id (NOTION_DATA_SOURCE_ID) and share it with the connection',
  validation_error: 'the data source refuses this page',
};

/**
 * What a failed call to Notion means for the page (developers.notion.com, Status codes). A 503 can
 * name the page that it made all the same; then the page is there.
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
    const hint = hints[error.code];
    return { result: 'permanent', cause: hint === undefined ? cause : `${cause}: ${hint}` };
  }
  if (error instanceof NoTimeLeftError) {
    const cause = 'the calls of one minute to Notion are used up';
    return { result: 'rate_limited', cause, retryAfterMs: error.waitMs, contact: 'none' };
  }
  const failure = findConnectFailure(error);
  if (failure !== undefined)
    return { result: 'not_sent_retry', cause: `Notion cannot be reached (${failure})` };
  // The first is the end that a call of ours has, the second the SDK's own.
  const isLate =
    (error instanceof Error && error.name === 'TimeoutError') ||
    RequestTimeoutError.isRequestTimeoutError(error);
  return {
    result: 'unknown',
    cause: isLate ? 'Notion did not answer in time' : "Notion's answer was cut off or cannot be read",
  };
}

/** The same for a call that changes nothing that counts: whatever is not certain is tried again. */
export function classifyNotionPreparation(error: unknown): NotSent {
  const failure = classifyNotionError(error);
  if (failure.result === 'sent') return { result: 'not_sent_retry', cause: 'Notion answered late' };
  return failure.result === 'unknown' ? { ...failure, result: 'not_sent_retry' } : failure;
}

/** The same for a change of a page: one that is not there any more is not put back. */
export function classifyNotionUpdate(error: unknown): Exclude<UpdateResult, { result: 'sent' }> {
  if (isHTTPResponseError(error) && error.code === APIErrorCode.ObjectNotFound) {
    return { result: 'gone', cause: 'the page is not there any more, or not shared with the connection' };
  }
  const failure = classifyNotionError(error);
  return failure.result === 'sent' ? { result: 'not_sent_retry', cause: 'Notion answered late' } : failure;
}

/** The blocks that a call which failed made all the same, as a 503 can say; none: nothing is known of them. */
export function readCommitted(error: unknown): readonly string[] {
  if (!isHTTPResponseError(error)) return [];
  return guidanceSchema.safeParse(error.additional_data ?? {}).data?.committed_child_ids ?? [];
}

/**
 * How long to wait before a call that Notion refused for now is made again; nothing where it may have been done, or will
 * never be. A conflict says no time.
 */
export function readPatienceMs(
  error: unknown,
): { readonly waitMs: number; readonly isConflict: boolean } | undefined {
  const failure = classifyNotionError(error);
  if (failure.result === 'rate_limited') return { waitMs: failure.retryAfterMs, isConflict: false };
  const isConflict = isHTTPResponseError(error) && error.status === 409;
  return isConflict ? { waitMs: 0, isConflict } : undefined;
}

/** Only its words tell it from a connection that may not write (developers.notion.com, Status codes). */
function isBlockLimit(error: { readonly message: string }): boolean {
  return /\bblocks?\b.*\blimit|\blimit\b.*\bblocks?\b/i.test(error.message);
}

/** Retry-After in seconds, from the header or from the body that repeats it. */
function readWaitMs(headers: unknown, retryAfterSeconds: number | undefined): number {
  const header = headersSchema.safeParse(headers).data?.get('retry-after') ?? '';
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) : retryAfterSeconds;
  return seconds === undefined ? defaultWaitMs : Math.max(leastWaitMs, seconds * 1000);
}
