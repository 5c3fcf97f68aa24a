import { readPhase } from '../meeting-phase.ts';
import { type Layers, readLayers } from './find-layers.ts';
import { asPresent, asText, spellNames, type Writable } from './loose.ts';
import { type Instant, readInstant, readLength, writeMoment } from './read-time.ts';
import type { Report } from './report.ts';

const titleNames = spellNames('name', 'title', 'meeting_name', 'meeting_title', 'topic', 'subject');
export const startNames = spellNames('date', 'started_at', 'start_time', 'local_date_time', 'date_time');
const localNames = spellNames('local_date_time', 'date', 'started_at', 'start_time', 'date_time');
const endNames = spellNames('ended_at', 'end_time', 'finished_at');
export const lengthNames = spellNames('duration', 'duration_seconds');
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
