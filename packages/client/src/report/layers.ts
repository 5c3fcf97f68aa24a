import {
  asFilled,
  asPresent,
  asText,
  type Fields,
  isFields,
  openText,
  readFirst,
  spellNames,
  type Writable,
} from '../loose.ts';
import { readPhase } from '../meeting-status.ts';
import type { Report } from './report.ts';
import { type Instant, readInstant, readLength, writeMoment } from './times.ts';

const wrappers = spellNames('followup_v2', 'followup', 'report', 'data');

/** The most that have been seen around a report; a limit also protects the stack. */
const MAX_WRAPPERS = 2;

const listNames = spellNames('templates', 'chapters', 'transcript', 'speakers');

/** The report's own object first, then those that it is wrapped in: some fields stand outside (observed: `tags`). */
type Layers = readonly Fields[];

/**
 * Finds the report inside of `followup_v2`, `followup`, `report`, `data` or nothing, twice at most, also where
 * the whole or the inner part is JSON inside a text.
 */
export function findLayers(body: unknown): Layers {
  const outer = openText(body);
  return isFields(outer) ? unwrap(outer, 0) : [];
}

/** A layer that holds parts of a report is left only for one that does too: `report` may be a mere field. */
function unwrap(fields: Fields, depth: number): Layers {
  if (depth === MAX_WRAPPERS) return [fields];
  const found = wrappers
    .map((name) => openText(fields[name]))
    .filter(isFields)
    .map((inner) => unwrap(inner, depth + 1));
  const chosen = found.find((layers) => layers.some(hasParts)) ?? (hasParts(fields) ? undefined : found[0]);
  return chosen === undefined ? [fields] : [...chosen, fields];
}

/** Whether an object holds a list that only a report holds. Templates may be an object too, by their names. */
function hasParts(fields: Fields): boolean {
  return (
    listNames.some((name) => Array.isArray(openText(fields[name]))) || isFields(openText(fields['templates']))
  );
}

/** The innermost of several fields in which the reader finds something. */
export function readLayers<T>(
  layers: Layers,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const fields of layers) {
    const found = readFirst(fields, names, read);
    if (found !== undefined) return found;
  }
  return undefined;
}

const titleNames = spellNames('name', 'title', 'meeting_name', 'meeting_title', 'topic', 'subject');

const startNames = spellNames('date', 'started_at', 'start_time', 'local_date_time', 'date_time');

const localNames = spellNames('local_date_time', 'date', 'started_at', 'start_time', 'date_time');

const endNames = spellNames('ended_at', 'end_time', 'finished_at');

const lengthNames = spellNames('duration', 'duration_seconds');

const DAY_MS = 86_400_000;

/** No place on earth is further from UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

const flagNames = spellNames('is_transcript_empty', 'transcript_empty');

export function readTitle(layers: Layers): string | undefined {
  return readLayers(layers, titleNames, asText)?.trim();
}

/**
 * The service's word for the meeting's state. The words of an envelope (`{status:"success",data:…}`) are about
 * the answer; outside of the report only a word that we know counts.
 */
export function readStatus(layers: Layers): string | undefined {
  const [inner, ...outer] = layers;
  if (inner === undefined) return undefined;
  return (
    readLayers([inner], ['status'], asText) ??
    readLayers(outer, ['status'], (value) => {
      const word = asText(value);
      return word === undefined || readPhase(word) === 'unknown' ? undefined : word;
    })
  );
}

/** The service's word on whether the transcript is empty. */
export function readFlag(layers: Layers): boolean | undefined {
  return readLayers(layers, flagNames, (value) => {
    if (value === true || value === 'true' || value === 1) return true;
    return value === false || value === 'false' || value === 0 ? false : undefined;
  });
}

type Times = Pick<Report, 'startedAt' | 'endedAt' | 'startedLocal' | 'utcOffset' | 'durationSeconds'>;

/** When the meeting was. `start` is absent where only its day is known. */
export function readTimes(layers: Layers): {
  readonly times: Times;
  readonly start?: Instant;
  readonly warnings: readonly string[];
} {
  const times: Writable<Times> = {};
  const warnings: string[] = [];
  const found = findStart(layers);
  if (found === undefined) {
    if (readLayers(layers, startNames, asPresent) !== undefined)
      warnings.push('the start could not be read as a time');
  } else {
    times.startedAt = new Date(found.ms).toISOString();
    if (found.precision === 'local') warnings.push('the start has no offset and was taken as UTC');
    if (found.precision === 'day') warnings.push('the start is a day without a time');
  }
  addLocal(times, layers);
  const durationSeconds = readLayers(layers, lengthNames, readLength);
  if (durationSeconds !== undefined) times.durationSeconds = durationSeconds;
  else if (readLayers(layers, lengthNames, asPresent) !== undefined) {
    warnings.push('the duration could not be read');
  }
  const start = found?.precision === 'day' ? undefined : found;
  const endedAt = readLayers(layers, endNames, readEnd) ?? addSeconds(start?.ms, durationSeconds);
  if (endedAt !== undefined) times.endedAt = endedAt;
  return { times, warnings, ...(start === undefined ? {} : { start }) };
}

/** The first start; where it has no offset or is a bare day, the first one that says the same more exactly. */
function findStart(layers: Layers): Instant | undefined {
  const found = readLayers(layers, startNames, readInstant);
  if (found === undefined || found.precision === 'exact') return found;
  const length = found.precision === 'day' ? DAY_MS : 0;
  const findBetter = (precision: Instant['precision']): Instant | undefined =>
    readLayers(layers, startNames, (value) => {
      const instant = readInstant(value);
      if (instant?.precision !== precision) return undefined;
      const distanceMs = instant.ms - found.ms;
      return distanceMs >= -MAX_OFFSET_MS && distanceMs <= length + MAX_OFFSET_MS ? instant : undefined;
    });
  return findBetter('exact') ?? (found.precision === 'day' ? findBetter('local') : undefined) ?? found;
}

/** A bare day is no end: it would be its first moment. */
function readEnd(value: unknown): string | undefined {
  const instant = readInstant(value);
  return instant === undefined || instant.precision === 'day' ? undefined : writeMoment(instant.ms);
}

function addSeconds(startMs: number | undefined, seconds: number | undefined): string | undefined {
  return startMs === undefined || seconds === undefined ? undefined : writeMoment(startMs + seconds * 1000);
}

function addLocal(times: Writable<Times>, layers: Layers): void {
  const local = readLayers(layers, localNames, (value) => {
    const instant = readInstant(value);
    return typeof value === 'string' && isLocal(instant) ? { text: value.trim(), ...instant } : undefined;
  });
  if (local === undefined) return;
  times.startedLocal = local.text;
  if (local.offset !== undefined) times.utcOffset = local.offset;
}

function isLocal(instant: Instant | undefined): instant is Instant {
  return instant !== undefined && (instant.offset !== undefined || instant.precision === 'local');
}

/** Fields of an error's description (specification, "Errors"; observed: `{code,message,field}`). */
const errorNames = ['error', 'errors', 'detail', 'stack'];

/** These stand in the envelope of a good answer too: `{code:0,message:'ok',data:…}`. */
const envelopeNames = spellNames('code', 'message', 'status_code');

const statusNames = spellNames('status', 'status_code', 'code');

const errorWords: ReadonlySet<string> = new Set(['error', 'fail']);

/** What no page about an error has beside its title. */
const otherNames = [
  ...startNames,
  ...lengthNames,
  'source',
  'platform',
  'participants',
  'keywords',
  'tasks',
  'decisions',
];

/**
 * Whether an answer is a report at all. An error or a maintenance page in JSON is not, and a recap made of it
 * would be the only one ever sent for its meeting.
 */
export function holdsReport(body: unknown): boolean {
  const layers = findLayers(body);
  const outer = layers.at(-1);
  if (outer === undefined) return false;
  if (layers.some(hasParts)) return true;
  const inner = layers.slice(0, -1);
  if (isError(outer) || inner.some(({ status }) => isErrorStatus(status))) return false;
  if (readTitle(inner) !== undefined || hasSubstance(inner)) return true;
  if (readFirst(outer, envelopeNames, asProblem) !== undefined) return false;
  // As the standard description of a problem has them (RFC 9457).
  if (asText(outer['type']) !== undefined && asText(outer['title']) !== undefined) return false;
  if (hasSubstance(layers)) return true;
  return readTitle(layers) !== undefined && readLayers(layers, otherNames, asFilled) !== undefined;
}

/** What no page about an error has at all. */
function hasSubstance(layers: Layers): boolean {
  return readLayers(layers, ['summary'], asText) !== undefined || readFlag(layers) !== undefined;
}

function isError(fields: Fields): boolean {
  return (
    readFirst(fields, errorNames, asProblem) !== undefined ||
    statusNames.some((name) => isErrorStatus(fields[name])) ||
    errorWords.has(asText(fields['status'])?.toLowerCase() ?? '')
  );
}

/** Of HTTP; a higher code is a service's own, and may be good news. */
function isErrorStatus(value: unknown): boolean {
  const status = Number(asText(value));
  return status >= 400 && status < 1000;
}

/** Anything but what says that there is none. */
function asProblem(value: unknown): unknown {
  const isNone = value === false || value === 0 || (isFields(value) && Object.keys(value).length === 0);
  return isNone ? undefined : asFilled(value);
}
