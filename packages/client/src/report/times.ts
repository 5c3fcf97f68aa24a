import { asText } from '../loose.ts';

const clockPattern = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,9}))?$/;

const decimalPattern = /^\d+(?:\.\d+)?$/;

const spanPattern = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/;

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?(?:(Z)|([+-]\d{2}):?(\d{2})?)?)?$/i;

/** No time is written longer; a longer text isn't searched. */
const MAX_TIME_LENGTH = 40;

/** September 2001, as a Unix time. A lower number is a count of seconds, a higher one a moment. */
const EPOCH_FLOOR = 1e9;

/** Unix times above this are in milliseconds. */
const EPOCH_MS_FLOOR = 1e11;

/** The end of the year 2199. A higher number is no Unix time, but digits of another sense: `20260707120000`. */
const LATEST_EPOCH_MS = Date.UTC(2200, 0) - 1;

/** The end of the year 9999. */
const LATEST_DATE_MS = 253_402_300_799_999;

/** No recording is longer; a higher number is in another unit. */
const MAX_RECORDING_SECONDS = 7 * 86_400;

/** A moment and how it was written. */
export interface Instant {
  readonly ms: number;
  /** `exact`: with an offset or as Unix time. `local`: without one, taken as UTC. `day`: its midnight in UTC. */
  readonly precision: 'exact' | 'local' | 'day';
  /** Such as `+03:00`; absent for UTC itself. */
  readonly offset?: string;
}

/**
 * A position or a length, in seconds, from seconds, `MM:SS`, `HH:MM:SS(.ms)`, `PT1H2M3S` or decimal text.
 * Anything else is undefined, a moment too.
 */
export function readSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'number' ? value : readSecondsText(value);
  return seconds !== undefined && seconds >= 0 && seconds < EPOCH_FLOOR ? seconds : undefined;
}

function readSecondsText(value: unknown): number | undefined {
  const text = asShortText(value);
  if (text === undefined) return undefined;
  if (decimalPattern.test(text)) return Number(text);
  const clock = clockPattern.exec(text);
  if (clock !== null) {
    const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = clock;
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
  }
  const span = spanPattern.exec(text);
  if (span === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = span;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The length of a recording, in seconds. */
export function readLength(value: unknown): number | undefined {
  const seconds = readSeconds(value);
  return seconds !== undefined && seconds <= MAX_RECORDING_SECONDS ? seconds : undefined;
}

/**
 * A position in the recording, in seconds, also from a moment where the start is known. Both must be written
 * with an offset or both without: else they may be hours apart.
 */
export function readPosition(value: unknown, start: Instant | undefined): number | undefined {
  const seconds = readLength(value);
  if (seconds !== undefined || start === undefined) return seconds;
  const instant = readInstant(value);
  if (instant === undefined || instant.precision !== start.precision) return undefined;
  return readLength((instant.ms - start.ms) / 1000);
}

/** A moment from ISO 8601 text, or from a Unix time in seconds or milliseconds as number or text. */
export function readInstant(value: unknown): Instant | undefined {
  const text = asShortText(value);
  const number =
    typeof value === 'number'
      ? value
      : Number(text !== undefined && decimalPattern.test(text) ? text : Number.NaN);
  if (number >= EPOCH_FLOOR) {
    const ms = number < EPOCH_MS_FLOOR ? number * 1000 : number;
    return ms <= LATEST_EPOCH_MS ? { ms, precision: 'exact' } : undefined;
  }
  const match = text === undefined ? null : isoPattern.exec(text);
  const instant = match === null ? undefined : readIso(match);
  return instant === undefined || instant.ms > LATEST_DATE_MS ? undefined : instant;
}

/** A moment, as ISO 8601 UTC text; a text without an offset is taken as UTC. */
export function readMoment(value: unknown): string | undefined {
  const instant = readInstant(value);
  return instant === undefined ? undefined : writeMoment(instant.ms);
}

/** ISO 8601 in UTC; undefined after the year 9999, which has no plain text. */
export function writeMoment(ms: number): string | undefined {
  return ms <= LATEST_DATE_MS ? new Date(ms).toISOString() : undefined;
}

function readIso(match: RegExpExecArray): Instant | undefined {
  const [, year = '', month = '', day = '', hours, minutes = '0', seconds = '0', fraction = '0'] = match;
  const [utc, offsetHours, offsetMinutes = '00'] = match.slice(8);
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // A day that is not in the calendar, such as 31 February, would silently become another one.
  if (!new Date(dayMs).toISOString().startsWith(`${year}-${month}-${day}`)) return undefined;
  if (hours === undefined) return { ms: dayMs, precision: 'day' };
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const clockMs =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3));
  if (utc !== undefined) return { ms: dayMs + clockMs, precision: 'exact' };
  if (offsetHours === undefined) return { ms: dayMs + clockMs, precision: 'local' };
  if (Math.abs(Number(offsetHours)) > 14 || Number(offsetMinutes) > 59) return undefined;
  const offset = `${offsetHours}:${offsetMinutes}`;
  const offsetMs = (Math.abs(Number(offsetHours)) * 60 + Number(offsetMinutes)) * 60_000;
  const ms = dayMs + clockMs + (offsetHours.startsWith('-') ? offsetMs : -offsetMs);
  return offsetMs === 0 ? { ms, precision: 'exact' } : { ms, precision: 'exact', offset };
}

function asShortText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TIME_LENGTH ? value.trim() : undefined;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const DAY_MS = 86_400_000;

/** Summer and winter are an hour apart: by the offset of the other season these are another day. */
const uncertainClockPattern = /T(?:23:00:00\.000|00:59)/;

const yearFirstPattern = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;

const dayFirstPattern = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})$/i;

const monthFirstPattern = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;

/**
 * A day as `YYYY-MM-DD`, if it certainly is one: ISO 8601 with an offset of its own or none (the day as
 * written), midnight in UTC, year first, or an English month's name with a year. `03/04/2026` and `Friday` are
 * not. A Unix time and any other time in UTC are a day only where the offset is known in which it was meant.
 */
export function readDay(value: unknown, utcOffset?: string): string | undefined {
  const text = asText(value)?.trim();
  if (text === undefined || text.length > 40) return undefined;
  const instant = readInstant(typeof value === 'number' ? value : text);
  if (instant !== undefined) {
    const isIso = /^\d{4}-/.test(text);
    const isWritten =
      instant.offset !== undefined || instant.precision !== 'exact' || instant.ms % DAY_MS === 0;
    return isIso && isWritten ? text.slice(0, 10) : findDay(instant.ms, utcOffset);
  }
  const [, year, month, day] = yearFirstPattern.exec(text) ?? [];
  if (year !== undefined) return writeDay(year, Number(month), day);
  const [, firstDay, firstMonth = '', firstYear] = dayFirstPattern.exec(text) ?? [];
  if (firstYear !== undefined) return writeDay(firstYear, findMonth(firstMonth), firstDay);
  const [, otherMonth = '', otherDay, otherYear] = monthFirstPattern.exec(text) ?? [];
  return otherYear === undefined ? undefined : writeDay(otherYear, findMonth(otherMonth), otherDay);
}

function findDay(ms: number, utcOffset: string | undefined): string | undefined {
  if (utcOffset === undefined) return undefined;
  const local = writeMoment(ms - Date.parse(`1970-01-01T00:00:00${utcOffset}`));
  return local === undefined || uncertainClockPattern.test(local) ? undefined : local.slice(0, 10);
}

/** 0 where no month begins so. */
function findMonth(name: string): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;
}

function writeDay(year: string, month: number, day = ''): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return readInstant(text) === undefined ? undefined : text;
}
