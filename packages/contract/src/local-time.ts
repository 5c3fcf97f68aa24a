import { isTimeZone } from './addresses.ts';

const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

const DAY_MS = 86_400_000;

const MINUTE_MS = 60_000;

/**
 * A date and time as the service takes it, with its UTC offset; undefined if the text is none. Text without an offset is
 * in the given IANA time zone. A time that the clocks there skip is as much later (02:30 is 03:30), one that they show
 * twice is the first: a bot that is early waits, one that is late misses the meeting. Pure.
 */
export function addOffset(text: string, timeZone: string): string | undefined {
  const [, day = '', time = '', offset] = moment.exec(text.trim()) ?? [];
  if (day === '' || !isInCalendar(day)) return undefined;
  const wallMs = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  if (offset !== undefined) return `${day}T${time}${writeGivenOffset(offset)}`;
  return writeWithOffset(findMoment(wallMs, timeZone), timeZone);
}

/** Whether the date and time says how far it is from UTC. */
export function hasOffset(text: string): boolean {
  return moment.exec(text.trim())?.[3] !== undefined;
}

/** The IANA name of the time zone that this machine is set to. */
export function machineZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // Node may name a zone that it does not take: `Etc/Unknown`.
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/** `Date.parse` takes the 31st of every month, for a day of the next one. */
function isInCalendar(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** `+03` and `+0300` are ISO 8601 as well, but not what the service is shown to take. */
function writeGivenOffset(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** When the clocks of the zone show what they show in UTC at `wallMs`. No zone changes its clocks twice within two days. */
function findMoment(wallMs: number, timeZone: string): number {
  const before = findOffset(wallMs - DAY_MS, timeZone);
  const after = findOffset(wallMs + DAY_MS, timeZone);
  const shown = [before, after]
    .filter((offset) => findOffset(wallMs - offset, timeZone) === offset)
    .map((offset) => wallMs - offset);
  return shown.length === 0 ? wallMs - before : Math.min(...shown);
}

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
function findOffset(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const take = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const clockMs = Date.UTC(
    take('year'),
    take('month') - 1,
    take('day'),
    take('hour'),
    take('minute'),
    take('second'),
  );
  return clockMs - Math.floor(ms / 1000) * 1000;
}

function writeWithOffset(ms: number, timeZone: string): string {
  const offset = findOffset(ms, timeZone);
  const minutes = Math.abs(offset) / MINUTE_MS;
  const [hour, minute] = [Math.floor(minutes / 60), Math.round(minutes % 60)];
  const local = new Date(ms + offset).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${pad(hour)}:${pad(minute)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
