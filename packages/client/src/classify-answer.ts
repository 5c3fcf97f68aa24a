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

/** `Retry-After` in milliseconds, from seconds or an HTTP date (RFC 9110, 10.2.3); nonsense is undefined. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS) : undefined;
}
