const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** An HTTP date begins with the day of the week; `Date.parse` alone also takes `-5` for one. */
const datePattern = /^[A-Z][a-z]{2,8},? .*\d$|^[A-Z][a-z]{2,8}, .* GMT$/;

/** `Retry-After` in milliseconds, from seconds or an HTTP date (RFC 9110, 10.2.3); anything else is undefined. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS) : undefined;
}

function parseHttpDate(text: string): number {
  if (!datePattern.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}
