/** `2026-11-21 10:00 UTC`, or undefined when the text is not a time. */
export function formatWhen(iso: string): string | undefined {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `45 min`, `1 h 05 min`, `under a minute`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'under a minute';
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `Sat 21 Nov, 11:00` in an IANA time zone, as people write it; undefined when the text is not a time. */
export function formatLocalWhen(time: string | number, timeZone: string): string | undefined {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const take = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${take('weekday')} ${take('day')} ${take('month')}, ${take('hour')}:${take('minute')}`;
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
export function formatMeetingWhen(start: MeetingStart, timeZone?: string): string | undefined {
  const { startedAt, startedLocal, utcOffset } = start;
  if (timeZone !== undefined && startedAt !== undefined)
    return withZone(startedAt, timeZone, `(${timeZone})`);
  // The local time, written as if it were UTC.
  if (startedLocal !== undefined && utcOffset !== undefined) {
    return withZone(`${startedLocal.replace(' ', 'T')}Z`, 'UTC', `(UTC${utcOffset})`);
  }
  return startedAt === undefined ? undefined : withZone(startedAt, 'UTC', 'UTC');
}

function withZone(time: string, timeZone: string, zone: string): string | undefined {
  const when = formatLocalWhen(time, timeZone);
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
