import { asText } from './loose.ts';
import { readInstant, writeMoment } from './read-time.ts';

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
const doubtfulClockPattern = /T(?:23:00:00\.000|00:59)/;
const yearFirstPattern = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
const dayFirstPattern = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})$/i;
const monthFirstPattern = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;

/**
 * A day as `YYYY-MM-DD`, where it is one beyond doubt: ISO 8601 with an offset of its own or none (the day as
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
  return local === undefined || doubtfulClockPattern.test(local) ? undefined : local.slice(0, 10);
}

/** 0 where no month begins so. */
function findMonth(name: string): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;
}

function writeDay(year: string, month: number, day = ''): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return readInstant(text) === undefined ? undefined : text;
}
