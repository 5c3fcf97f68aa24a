/** `2026-11-21 10:00 UTC`, or nothing when the text is not a time. */
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

/** `2026-11-21 11:00` on the clocks of an IANA time zone; nothing when the text is not a time. */
export function formatLocalWhen(time: string | number, timeZone: string): string | undefined {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const take = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${take('year')}-${take('month')}-${take('day')} ${take('hour')}:${take('minute')}`;
}

/** When a meeting began, as a digest says it. */
interface MeetingStart {
  readonly startedAt?: string;
  readonly startedLocal?: string;
  readonly utcOffset?: string;
}

/**
 * When a meeting began, as its people saw it: `2026-07-07 14:00 (UTC+03:00)`, or in UTC where their clocks are not
 * known. Given an IANA time zone, on the clocks there: `2026-07-07 13:00 (Europe/Berlin)`. Nothing when nobody knows.
 */
export function formatMeetingWhen(start: MeetingStart, timeZone?: string): string | undefined {
  const { startedAt, startedLocal, utcOffset } = start;
  if (timeZone !== undefined && startedAt !== undefined) {
    const local = formatLocalWhen(startedAt, timeZone);
    return local === undefined ? undefined : `${local} (${timeZone})`;
  }
  if (startedLocal !== undefined && utcOffset !== undefined) return `${startedLocal} (UTC${utcOffset})`;
  return startedAt === undefined ? undefined : formatWhen(startedAt);
}
