import type { ServiceErrorCode } from './service-error.ts';

const codes: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [400, 'bad_request'],
  [401, 'unauthorized'],
  [402, 'payment_required'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [429, 'rate_limited'],
]);

/** What a status means to a caller (specification, "Errors"; 402, 403 and 409 are observed). */
export function classifyStatus(status: number): ServiceErrorCode {
  if (status >= 300 && status < 400) return 'redirected';
  if (status >= 500) return 'server';
  return codes.get(status) ?? 'unexpected_status';
}

const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** An HTTP date begins with the day of the week; `Date.parse` alone also takes `-5` for one. */
const datePattern = /^[A-Z][a-z]{2,8},? .*\d$|^[A-Z][a-z]{2,8}, .* GMT$/;

/** `Retry-After` in milliseconds, from seconds or an HTTP date (RFC 9110, 10.2.3); nonsense is undefined. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : readHttpDate(text) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS) : undefined;
}

function readHttpDate(text: string): number {
  if (!datePattern.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}
