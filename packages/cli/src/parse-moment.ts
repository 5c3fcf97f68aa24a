import { InvalidArgumentError } from 'commander';

import { parseDuration } from './parse-duration.ts';

/** A moment of the command line, before anybody knows what time it is; milliseconds since 1970 once it is read. */
export type Moment = (nowMs: number) => number;

const day = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** A moment as people write it: so long ago (`2d`, `90m`), a day, or a time; without an offset in UTC. */
export function parseMoment(text: string): Moment {
  const atMs = readTime(text);
  if (!Number.isNaN(atMs)) return () => atMs;
  try {
    const agoMs = parseDuration(text) * 1000;
    return (nowMs) => nowMs - agoMs;
  } catch {
    throw new InvalidArgumentError(
      'Expected how long ago, such as 90m or 2d, or a time, such as 2026-07-07 or 2026-07-07T12:00Z.',
    );
  }
}

function readTime(text: string): number {
  if (!isInCalendar(text.slice(0, 10))) return Number.NaN;
  if (day.test(text)) return Date.parse(text);
  if (!time.test(text)) return Number.NaN;
  const iso = text.replace(' ', 'T');
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`);
}

/** `Date.parse` takes the 31st of every month, for a day of the next one. */
function isInCalendar(date: string): boolean {
  const atMs = day.test(date) ? Date.parse(date) : Number.NaN;
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}
