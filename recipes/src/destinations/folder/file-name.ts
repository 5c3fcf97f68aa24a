import { createHash } from 'node:crypto';

import { cutToBytes, makeSafeFilename } from '@aftermeet/client';

import type { Digest } from '../../report/digest.ts';

/** Placeholders of a name pattern. `{id}` is required, so that two meetings never share a file. */
export const namePlaceholders = ['{date}', '{time}', '{title}', '{id}', '{template}'] as const;

/** Below the 255 bytes of most file systems, with room for the suffix of a temporary file. */
const MAX_BYTES = 190;

const plainId = /^[\w-]{1,64}$/;

const plainTemplate = /^[\w.-]{1,40}$/;

/** Characters of a title that are looked at; more than a name can hold. */
const MAX_TITLE = 1000;

interface FileNaming {
  readonly pattern: string;
  readonly format: string;
  /** IANA time zone of `{date}` and `{time}`. Default: the meeting's offset, or UTC. */
  readonly timeZone?: string;
  /** Slug or id for `{template}`. Default: `default`. */
  readonly template?: string;
}

/**
 * Builds the file name of a meeting's export: NFC, without path separators, reserved names of Windows and invisible
 * characters, at most 200 bytes. Only the title is cut, because the rest makes the name unique; when the rest alone is too
 * long, its hash is put in front.
 */
export function writeFileName(
  digest: Digest,
  { pattern, format, timeZone, template = 'default' }: FileNaming,
): string {
  const [date, time] = formatStart(digest, timeZone);
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
  const room = MAX_BYTES - Buffer.byteLength(`${untitled}.${format}`);
  const title =
    times === 0 ? '' : cutToBytes(replaceReservedCharacters(digest.title), Math.floor(room / times));
  const name = room < 0 ? `${shortHash(untitled)}_${untitled}` : fill(title);
  return makeSafeFilename(name, format) ?? `meeting-${shortHash(digest.meetingId)}.${format}`;
}

/**
 * Replaces characters that file names must not hold in the way a person would: `Review: calendars` becomes
 * `Review - calendars`. Characters within words are replaced later.
 */
function replaceReservedCharacters(title: string): string {
  return title
    .slice(0, MAX_TITLE)
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d):(?=\d)/g, '-')
    .replaceAll(/[?*"<>]+(?= |$)|(?<= |^)[?*"<>]+/g, '')
    .replaceAll(/[:|/\\]+(?: |$)| [:|/\\]+/g, ' - ')
    .replaceAll(/ +/g, ' ')
    .replace(/^ (?:- )?/, '')
    .replace(/ -? ?$/, '');
}

/** `2026-07-07` and `14-00`, because Windows refuses colons. */
function formatStart(
  { startedAt, startedLocal }: Digest,
  timeZone: string | undefined,
): readonly [date: string, time: string] {
  const startMs = Date.parse(startedAt ?? '');
  if (timeZone === undefined && startedLocal !== undefined) return splitDateAndTime(startedLocal);
  if (Number.isNaN(startMs)) return ['undated', '00-00'];
  if (timeZone === undefined) return splitDateAndTime(new Date(startMs).toISOString());
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  return splitDateAndTime(format.format(startMs));
}

function splitDateAndTime(moment: string): readonly [date: string, time: string] {
  return [moment.slice(0, 10), moment.slice(11, 16).replace(':', '-')];
}

function shortHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12);
}

/** Options of an archive that decide what its files contain. */
interface ArchiveContent {
  /** The user's own pattern. */
  readonly name?: string | undefined;
  readonly template?: string | undefined;
  readonly includeReport?: boolean | undefined;
  readonly includeTasks?: boolean | undefined;
}

/**
 * Returns the name pattern of an archive. The default pattern names the content, so that two archives in one folder do not
 * replace each other's files.
 */
export function choosePattern({ name, template, includeReport, includeTasks }: ArchiveContent): string {
  if (name !== undefined) return name;
  const suffix = partSuffix('report', includeReport) + partSuffix('tasks', includeTasks);
  return `{date}_{time}_{title}_{id}${template === undefined ? '' : '_{template}'}${suffix}`;
}

function partSuffix(part: string, isIncluded: boolean | undefined): string {
  if (isIncluded === undefined) return '';
  return isIncluded ? `_with-${part}` : `_without-${part}`;
}
