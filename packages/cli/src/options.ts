import { parseDuration as parseMs } from '@aftermeet/contract';
import { InvalidArgumentError } from 'commander';

const day = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** A point in time given on the command line, in milliseconds since 1970; relative ones need the current time. */
export type Moment = (nowMs: number) => number;

/** Creates a parser of whole numbers; `what` names the value in the error, such as `a port`. */
export function parseWhole(what: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`Expected ${what} from ${min} to ${max}.`);
    }
    return value;
  };
}

/** The same with a word for unlimited, which becomes infinity. Not null: commander reads that as an option without a value. */
export function parseCountOrUnlimited(
  word: string,
  min: number,
  max = 999_999_999,
): (text: string) => number {
  const parse = parseWhole(`${word}, or a number`, min, max);
  return (text) => (text === word ? Number.POSITIVE_INFINITY : parse(text));
}

/** A port; 0 means any free one. */
export const parsePort = parseWhole('a port', 0, 65_535);

/** The maximum number of results to print; `all` has no maximum. */
export const parseLimit = parseCountOrUnlimited('all', 1, 1_000_000);

/** Collects an option that may be repeated and may hold commas: `--tag a,b --tag c`. */
export function collectList(text: string, before: readonly string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...before, ...items.filter((item) => item !== '')];
}

/** A duration such as `90`, `90s`, `400ms`, `15m`, `1h30m` or `2d`, in seconds; a number alone is seconds. */
export function parseDuration(text: string): number {
  const ms = parseMs(text);
  if (ms !== undefined) return ms / 1000;
  throw new InvalidArgumentError('Expected a time such as 90s, 15m, 1h30m or 2d; a number alone is seconds.');
}

/** A time ago (`2d`, `90m`), a day, or a time; UTC unless it has an offset. */
export function parseMoment(text: string): Moment {
  const atMs = parseTime(text);
  if (!Number.isNaN(atMs)) return () => atMs;
  const agoMs = parseMs(text);
  if (agoMs !== undefined) return (nowMs) => nowMs - agoMs;
  throw new InvalidArgumentError(
    'Expected how long ago, such as 90m or 2d, or a time, such as 2026-07-07 or 2026-07-07T12:00Z.',
  );
}

function parseTime(text: string): number {
  if (!isInCalendar(text.slice(0, 10))) return Number.NaN;
  if (day.test(text)) return Date.parse(text);
  if (!time.test(text)) return Number.NaN;
  const iso = text.replace(' ', 'T');
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`);
}

/** `Date.parse` accepts the 31st of every month and returns a day of the next one. */
function isInCalendar(date: string): boolean {
  const atMs = day.test(date) ? Date.parse(date) : Number.NaN;
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields without those that are undefined: with `exactOptionalPropertyTypes` an absent field is no field. */
export function omitUndefined<Fields extends object>(fields: Fields): Present<Fields> {
  // The cast is needed: the compiler does not follow entries through a filter.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
