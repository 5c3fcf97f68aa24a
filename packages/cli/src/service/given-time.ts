import { addOffset, isTimeZone, machineZone } from '@aftermeet/contract';
import { type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../context.ts';

export interface TimeOptions {
  readonly at?: string;
  readonly timezone?: string;
}

/** `--at` and `--timezone`; `what` says what the time is. */
export function addTimeOptions(command: Command, what: string, example = 'tomorrow 12:00'): Command {
  return command
    .option('--at <time>', `${what}, such as "${example}", "2026-12-01 10:00" or 2026-12-01T10:00:00+03:00`)
    .option(
      '--timezone <zone>',
      "time zone of --at if it has no UTC offset (default: this machine's)",
      parseZone,
    );
}

function parseZone(zone: string): string {
  if (isTimeZone(zone)) return zone;
  throw new InvalidArgumentError('Expected an IANA time-zone name such as Europe/Berlin.');
}

/** The time of `--at` as the service takes it, with its UTC offset. Text that is no time stays what it is, for the client to refuse. */
export function readTime(
  { at, timezone = machineZone() }: TimeOptions,
  { clock = Date.now }: Pick<Context, 'clock'>,
): string | undefined {
  if (at === undefined) return undefined;
  return addOffset(nameDay(at.trim(), timezone, clock()), timezone) ?? at;
}

/** A line that repeats a time whose offset was not given; else nothing. */
export function describeTime({ at = '', timezone = machineZone() }: TimeOptions, understood = ''): string {
  return at.trim() === understood ? '' : `Time ${understood} (${timezone})\n`;
}

const clockTime = /^(?:(today|tomorrow|yesterday)\s+)?(\d{1,2}):(\d\d)$/i;
const dayOffsets: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const DAY_MS = 86_400_000;

/** `12:00` is today, and `tomorrow 12:00` the day after, by the clocks of the zone. */
function nameDay(text: string, timeZone: string, nowMs: number): string {
  const [, word = 'today', hour = '', minute] = clockTime.exec(text) ?? [];
  if (hour === '') return text;
  // The Swedish form of a day is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(nowMs);
  const dayMs = Date.parse(today) + (dayOffsets[word.toLowerCase()] ?? 0) * DAY_MS;
  return `${new Date(dayMs).toISOString().slice(0, 10)}T${hour.padStart(2, '0')}:${minute}`;
}
