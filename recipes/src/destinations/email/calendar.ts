import { createHash } from 'node:crypto';

import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { plainText } from '../../report/plain-text.ts';
import { listOpenGroups } from '../../report/show-task.ts';
import { en, type Words } from '../../words/en.ts';
import { readMailAddress } from './mail-address.ts';

/** An all-day calendar entry for one task. */
export interface TaskEvent {
  /** Key of the task; stable while its words and owner stay the same. */
  readonly key: string;
  readonly summary: string;
  readonly description: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Time of the meeting, ISO 8601. */
  readonly stampedAt: string;
}

interface CalendarNames {
  readonly effectKey: string;
  /** The address of the sender. */
  readonly from: string;
}

/**
 * Writes an iCalendar file (RFC 5545) with tasks as all-day entries, because many calendars do not show to-dos. The same tasks
 * give the same bytes in every attempt. Entries with an invalid date are left out.
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

/** Entries with the same id would overwrite each other. */
function uniqueEvents(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return [...new Map(events.map((event) => [event.key, event])).values()].filter(
    ({ date }) => nextDay(date) !== undefined,
  );
}

function writeEvent(event: TaskEvent, { effectKey, from }: CalendarNames): readonly string[] {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { key, summary, description, date, stampedAt } = event;
  const task = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 16);
  const stamp = Date.parse(stampedAt);
  return [
    'BEGIN:VEVENT',
    `UID:${effectKey}-${task}@${domain}`,
    `DTSTAMP:${Number.isNaN(stamp) ? `${compactDate(date)}T000000Z` : formatUtc(stamp)}`,
    `DTSTART;VALUE=DATE:${compactDate(date)}`,
    // RFC 5545 3.6.1: the end is exclusive.
    `DTEND;VALUE=DATE:${compactDate(nextDay(date) ?? date)}`,
    // RFC 5546 3.2.1: what is published has one.
    `ORGANIZER:mailto:${encodeURIComponent(from).replaceAll('%40', '@')}`,
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

/** RFC 5545 3.1: at most 75 octets a line; continuation lines begin with a blank. Never splits a character. */
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

/** The next day; undefined for an invalid date such as 2026-02-30. */
function nextDay(date: string): string | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) return undefined;
  const next = new Date(ms + 24 * 60 * 60 * 1000).toISOString();
  // The year 10000 has a different format.
  return next.startsWith('+') ? undefined : next.slice(0, 10);
}

function compactDate(date: string): string {
  return date.replaceAll('-', '');
}

function formatUtc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

const MAX_EVENTS = 50;

/** Calendar entries for the recipient's own open dated tasks, never for those of others. Pure. */
export function chooseTaskEvents(
  digest: Digest,
  recipient: string,
  link?: string,
  words: Words = en,
): readonly TaskEvent[] {
  const own = listOpenGroups(digest.taskGroups).filter(
    ({ email = '' }) => readMailAddress(email)?.toLowerCase() === recipient.toLowerCase(),
  );
  return own
    .flatMap(({ owner = '', tasks }) =>
      tasks.flatMap(({ key, text, dueDate }): readonly TaskEvent[] =>
        dueDate === undefined
          ? []
          : [
              {
                key: `${owner}\n${key}`,
                summary: cutText(plainText(text).replaceAll(/\s+/g, ' '), 300),
                description: [words.agreedIn(digest.title), ...(link === undefined ? [] : [link])].join('\n'),
                date: dueDate,
                stampedAt: digest.startedAt ?? '',
              },
            ],
      ),
    )
    .slice(0, MAX_EVENTS);
}
