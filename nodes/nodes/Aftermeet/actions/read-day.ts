import { writeMoment } from './write-moment.ts';

const dayPattern = /^\d{4}-\d{2}-\d{2}/;
const offsetPattern = /T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * The day (`YYYY-MM-DD`) of a date-time parameter: a text with an offset, and a moment from an expression, fall on their day in
 * the workflow's time zone; a text without an offset is in that zone already. Anything else stays what it is, for the field's
 * rule to refuse. Pure.
 */
export function readDay(value: unknown, timeZone: string): unknown {
  const given = writeMoment(value);
  if (typeof given !== 'string' || !dayPattern.test(given)) return given;
  if (!offsetPattern.test(given)) return isWallTime(given) ? given.slice(0, 10) : given;
  const ms = Date.parse(given);
  return Number.isNaN(ms) ? given : findDay(ms, timeZone);
}

/** `2026-07-07`, `2026-07-07T09:00`, `2026-07-07 09:00:00.000`: what n8n's date picker writes. */
function isWallTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/.test(text);
}

function findDay(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return [parts.get('year')?.padStart(4, '0'), parts.get('month'), parts.get('day')].join('-');
}
