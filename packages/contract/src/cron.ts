import { Cron, CronPattern } from 'croner';

/** The values of each field (crontab(5)), and the largest step that croner takes; 7 is Sunday, as 0 is. */
const fields = [
  { min: 0, max: 59, maxStep: 60, names: [] },
  { min: 0, max: 23, maxStep: 24, names: [] },
  { min: 1, max: 31, maxStep: 31, names: [] },
  {
    min: 1,
    max: 12,
    maxStep: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 7, maxStep: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const;

type Field = (typeof fields)[number];

/** A star, a value or a range, with or without a step: what crontab(5) has and croner's further marks are not. */
const itemPattern = /^(\*|[0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?(?:\/([0-9]{1,2}))?$/;

/**
 * Whether the text is a five-field cron expression as in crontab(5): `*`, numbers, ranges, steps, lists, and names of
 * months and weekdays, separated by blanks and tabs. Whether it ever fires: see `canCronFire`.
 */
export function isCronExpression(text: string): boolean {
  return parsePattern(writeItems(text)) !== undefined;
}

/** The same expression with single blanks between its fields and none around them. */
export function tidyCron(text: string): string {
  return splitFields(text).join(' ');
}

/** The days that each month has at most: 29 February comes, if rarely. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a five-field cron expression can ever fire: `0 9 31 2 *` cannot. As in crontab(5), a restricted day of the
 * week is enough, whatever the day of the month. Where readers of cron differ, as they do about a star in a list of
 * weekdays, the answer is true: the service decides.
 */
export function canCronFire(text: string): boolean {
  const pattern = parsePattern(writeItems(text));
  if (pattern === undefined) return false;
  if (!pattern.starDOW) return true;
  return monthLengths.some(
    (length, month) =>
      pattern.month[month] === 1 && pattern.day.some((isSet, day) => isSet === 1 && day < length),
  );
}

/**
 * The expression in the form that croner and other readers of cron share, or undefined if it is none. A list with a
 * star restricts nothing, so it is written as the star.
 */
function normalizeCron(text: string): string | undefined {
  const lists = writeItems(text)?.map((items) => (items.includes('*') ? ['*'] : items));
  return parsePattern(lists)?.pattern;
}

type Items = readonly string[];

function parsePattern(lists: readonly Items[] | undefined): CronPattern | undefined {
  if (lists === undefined) return undefined;
  try {
    return new CronPattern(lists.map((items) => items.join(',')).join(' '), undefined, { mode: '5-part' });
  } catch {
    // Croner says so of values out of bounds and of ranges that go backwards.
    return undefined;
  }
}

function splitFields(text: string): readonly string[] {
  return text.split(/[ \t]+/).filter((part) => part !== '');
}

/** The items of each field's list in croner's form; undefined if the text has another number of fields or other marks. */
function writeItems(text: string): readonly Items[] | undefined {
  const parts = splitFields(text.toLowerCase());
  if (parts.length !== fields.length) return undefined;
  const lists: Items[] = [];
  for (const [index, field] of fields.entries()) {
    const items = (parts[index] ?? '').split(',').map((item) => writeItem(field, item));
    if (!items.every((item) => item !== undefined)) return undefined;
    lists.push(items);
  }
  return lists;
}

/** `5/10` means from 5 on; a step of one says nothing, and of one beyond all values only the first is left. */
function writeItem(field: Field, item: string): string | undefined {
  const [, first, last, stepText] = itemPattern.exec(item) ?? [];
  const from = writeValue(field, first);
  const to = writeValue(field, last);
  if (from === undefined || (last !== undefined && (to === undefined || from === '*'))) return undefined;
  const range = to === undefined ? from : `${from}-${to}`;
  const step = Number(stepText ?? 1);
  if (step === 0) return undefined;
  if (stepText === undefined) return range;
  const open = from === '*' || to !== undefined ? range : `${from}-${field.max}`;
  if (step === 1) return open;
  if (step <= field.maxStep) return `${open}/${step}`;
  return from === '*' ? String(field.min) : from;
}

/** A number without leading zeros: croner reads `sun` as 7 at the end of a range. */
function writeValue({ min, max, names }: Field, text: string | undefined): string | undefined {
  if (text === undefined || text === '*') return text;
  const place = names.findIndex((name) => name === text);
  const value = place === -1 ? Number(text) : min + place;
  return value >= min && value <= max ? String(value) : undefined;
}

const DAY_MS = 86_400_000;

/**
 * The first run of a five-field cron expression after `afterMs`, both in Unix milliseconds. Undefined if there is none,
 * or if the text is no expression. If both the day of the month and that of the week are restricted, either is enough
 * (crontab(5)).
 */
export function nextCronRun(expression: string, afterMs: number, timeZone = 'UTC'): number | undefined {
  return openCron(expression, timeZone)?.nextRun(new Date(afterMs))?.getTime();
}

/** The last run at or before `untilMs`. */
export function previousCronRun(expression: string, untilMs: number, timeZone = 'UTC'): number | undefined {
  return openCron(expression, timeZone)
    ?.previousRuns(1, new Date(untilMs + 1))[0]
    ?.getTime();
}

/**
 * The number of runs on the days (UTC) from one moment to another, both in Unix milliseconds: there are no more between
 * the two. Takes no longer if there are very many.
 */
export function countCronRuns(expression: string, fromMs: number, toMs: number): number {
  const normal = normalizeCron(expression);
  if (normal === undefined) return 0;
  const pattern = new CronPattern(normal, undefined, { mode: '5-part' });
  const midnights = openCron(['0', '0', ...normal.split(' ').slice(2)].join(' '), 'UTC');
  let days = 0;
  let next = midnights?.nextRun(new Date(Math.floor(fromMs / DAY_MS) * DAY_MS - 1)) ?? null;
  while (next !== null && next.getTime() <= toMs) {
    days += 1;
    next = midnights?.nextRun(next) ?? null;
  }
  return days * addUp(pattern.minute) * addUp(pattern.hour);
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function openCron(expression: string, timezone: string): Cron | undefined {
  const normal = normalizeCron(expression);
  return normal === undefined ? undefined : new Cron(normal, { mode: '5-part', timezone, paused: true });
}
