import { en, type Words } from '../words/en.ts';
import { type Look, plainLook } from '../words/index.ts';

/** `2026-11-21 10:00 UTC`, or undefined when the text is not a time. */
export function formatWhen(iso: string): string | undefined {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `45 min`, `1 h 05 min`, `under a minute`. */
export function formatDuration(seconds: number, words: Words = en): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return words.underAMinute;
  return minutes < 60 ? words.minutes(minutes) : words.hours(Math.floor(minutes / 60), minutes % 60);
}

/** `Sat 21 Nov, 11:00` in an IANA time zone, as people write it; undefined when the text is not a time. */
export function formatLocalWhen(
  time: string | number,
  timeZone: string,
  words: Words = en,
): string | undefined {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? undefined : words.when(at, timeZone);
}

/** The start fields of a digest. */
interface MeetingStart {
  readonly startedAt?: string;
  readonly startedLocal?: string;
  readonly utcOffset?: string;
}

/**
 * Formats the start of a meeting in its local time (`Tue 7 Jul, 14:00 (UTC+03:00)`), in UTC when the offset is unknown, or in
 * the given IANA time zone (`Tue 7 Jul, 13:00 (Europe/Berlin)`). Undefined when the start is unknown.
 */
export function formatMeetingWhen(
  start: MeetingStart,
  { words, timeZone }: Look = plainLook,
): string | undefined {
  const { startedAt, startedLocal, utcOffset } = start;
  if (timeZone !== undefined && startedAt !== undefined)
    return withZone(startedAt, timeZone, `(${timeZone})`, words);
  // The local time, written as if it were UTC.
  if (startedLocal !== undefined && utcOffset !== undefined) {
    return withZone(`${startedLocal.replace(' ', 'T')}Z`, 'UTC', `(UTC${utcOffset})`, words);
  }
  return startedAt === undefined ? undefined : withZone(startedAt, 'UTC', 'UTC', words);
}

function withZone(time: string, timeZone: string, zone: string, words: Words): string | undefined {
  const when = formatLocalWhen(time, timeZone, words);
  return when === undefined ? undefined : `${when} ${zone}`;
}

/** A position in a recording: `12:05` or `1:02:05`; undefined if it is not a time. */
export function formatTimeCode(seconds = Number.NaN): string | undefined {
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, whole % 60] : [minutes, whole % 60];
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
