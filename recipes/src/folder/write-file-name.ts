import { createHash } from 'node:crypto';

import { cutToBytes, makeSafeFilename } from '@aftermeet/client';

import type { Digest } from '../digest.ts';

/** What a pattern may hold; `{id}` it must hold, so that two meetings never share a file. */
export const namePlaceholders = ['{date}', '{time}', '{title}', '{id}', '{template}'] as const;

/** Below the 255 bytes of most file systems, and of a temporary name beside it. */
const mostBytes = 190;
const plainId = /^[\w-]{1,64}$/;
const plainTemplate = /^[\w.-]{1,40}$/;
/** More of a title than any name has room for. */
const mostTitle = 1000;

export interface FileNaming {
  readonly pattern: string;
  readonly format: string;
  /** The IANA time zone of `{date}` and `{time}`; without it the meeting's own clock, else UTC. */
  readonly timeZone?: string;
  /** A slug or an id; without it `{template}` is `default`. */
  readonly template?: string;
}

/**
 * A bare file name for a meeting's export: NFC, without parts of a path, reserved words of Windows and invisible
 * characters, at most 200 bytes. Only the title is cut, because what is unique stands in the rest; where that alone is
 * too long, its hash goes in front of it.
 */
export function writeFileName(
  digest: Digest,
  { pattern, format, timeZone, template = 'default' }: FileNaming,
): string {
  const [date, time] = findStart(digest, timeZone);
  const id = plainId.test(digest.meetingId) ? digest.meetingId : shortHash(digest.meetingId);
  const fill = (title: string): string =>
    pattern.replaceAll(/\{(date|time|title|id|template)\}/g, (_, name: string) => {
      if (name === 'date') return date;
      if (name === 'time') return time;
      if (name === 'template') return plainTemplate.test(template) ? template : shortHash(template);
      return name === 'id' ? id : title;
    });
  const times = pattern.split('{title}').length - 1;
  const untitled = fill('');
  const room = mostBytes - Buffer.byteLength(`${untitled}.${format}`);
  const title = times === 0 ? '' : cutToBytes(smoothTitle(digest.title), Math.floor(room / times));
  const name = room < 0 ? `${shortHash(untitled)}_${untitled}` : fill(title);
  return makeSafeFilename(name, format) ?? `meeting-${shortHash(digest.meetingId)}.${format}`;
}

/**
 * Signs that no file name may hold, as somebody would write the title without them: `Review: calendars` becomes
 * `Review - calendars`. What stands within a word is left to the name itself.
 */
function smoothTitle(title: string): string {
  return title
    .slice(0, mostTitle)
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d):(?=\d)/g, '-')
    .replaceAll(/[?*"<>]+(?= |$)|(?<= |^)[?*"<>]+/g, '')
    .replaceAll(/[:|/\\]+(?: |$)| [:|/\\]+/g, ' - ')
    .replaceAll(/ +/g, ' ')
    .replace(/^ (?:- )?/, '')
    .replace(/ -? ?$/, '');
}

/** `2026-07-07` and `14-00`: a colon is refused by Windows. */
function findStart(
  { startedAt, startedLocal }: Digest,
  timeZone: string | undefined,
): readonly [date: string, time: string] {
  const startMs = Date.parse(startedAt ?? '');
  if (timeZone === undefined && startedLocal !== undefined) return splitMoment(startedLocal);
  if (Number.isNaN(startMs)) return ['undated', '00-00'];
  if (timeZone === undefined) return splitMoment(new Date(startMs).toISOString());
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  return splitMoment(format.format(startMs));
}

function splitMoment(moment: string): readonly [date: string, time: string] {
  return [moment.slice(0, 10), moment.slice(11, 16).replace(':', '-')];
}

function shortHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12);
}
