const clockPattern = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?$/;
const decimalPattern = /^\d+(?:\.\d+)?$/;
/** Numbers above this are taken as milliseconds since 1970, below it as seconds. */
const EPOCH_MS_FLOOR = 1e11;
const LATEST_DATE_MS = 8.64e15;

/**
 * A position in a recording, in seconds, from seconds, `MM:SS`, `HH:MM:SS(.ms)` or decimal text.
 * Anything else is undefined.
 */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (decimalPattern.test(text)) return Number(text);
  const match = clockPattern.exec(text);
  if (match === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** A moment, as ISO 8601 UTC text, from ISO text or a Unix time in seconds or milliseconds. */
export function readMoment(value: unknown): string | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{9,}$/.test(value)
        ? Number(value)
        : undefined;
  const ms =
    number === undefined
      ? typeof value === 'string'
        ? Date.parse(value)
        : Number.NaN
      : number < EPOCH_MS_FLOOR
        ? number * 1000
        : number;
  return Number.isFinite(ms) && Math.abs(ms) <= LATEST_DATE_MS ? new Date(ms).toISOString() : undefined;
}
