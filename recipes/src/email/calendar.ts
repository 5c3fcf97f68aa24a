import { createHash } from 'node:crypto';

/** One all-day entry for one task. */
export interface TaskEvent {
  /** Of the task: the same as long as its words and its owner are. */
  readonly key: string;
  readonly summary: string;
  readonly description: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** ISO 8601: when it was agreed. */
  readonly stampedAt: string;
}

export interface CalendarNames {
  readonly effectKey: string;
  /** Of the sender. */
  readonly domain: string;
}

/**
 * An iCalendar file (RFC 5545) that publishes tasks as all-day entries: many calendars know no to-dos. The same tasks
 * give the same bytes in every attempt. Entries whose date is none are left out.
 */
export function writeCalendar(events: readonly TaskEvent[], names: CalendarNames): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Aftermeet//Tasks//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...uniqueEvents(events).flatMap((event) => writeEvent(event, names)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** Two entries of one id would be one with two meanings. */
function uniqueEvents(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return [...new Map(events.map((event) => [event.key, event])).values()].filter(
    ({ date }) => nextDay(date) !== undefined,
  );
}

function writeEvent(event: TaskEvent, { effectKey, domain }: CalendarNames): readonly string[] {
  const { key, summary, description, date, stampedAt } = event;
  const task = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 16);
  const stamp = Date.parse(stampedAt);
  return [
    'BEGIN:VEVENT',
    `UID:${effectKey}-${task}@${domain}`,
    `DTSTAMP:${Number.isNaN(stamp) ? `${compactDate(date)}T000000Z` : formatUtc(stamp)}`,
    `DTSTART;VALUE=DATE:${compactDate(date)}`,
    // RFC 5545 3.6.1: the end is the first day that does not belong to it.
    `DTEND;VALUE=DATE:${compactDate(nextDay(date) ?? date)}`,
    `SUMMARY:${escapeCalendarText(summary)}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escapeCalendarText(description)}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** RFC 5545 3.3.11. */
function escapeCalendarText(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
      .replaceAll(/\r\n?|\n/g, String.raw`\n`)
      // oxlint-disable-next-line no-control-regex -- the format forbids them
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
  );
}

/** RFC 5545 3.1: at most 75 octets a line; a line that goes on begins with a blank. No character is cut in two. */
function foldLine(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** The day after; undefined where the date is none, such as 2026-02-30, or has none. */
function nextDay(date: string): string | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return undefined;
  const next = new Date(ms + 24 * 60 * 60 * 1000).toISOString();
  // After the year 9999 a date has other digits.
  return next.startsWith('+') ? undefined : next.slice(0, 10);
}

function compactDate(date: string): string {
  return date.replaceAll('-', '');
}

function formatUtc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
