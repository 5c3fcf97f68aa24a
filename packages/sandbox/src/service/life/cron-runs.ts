import { Cron, CronPattern } from 'croner';

/** The values of each field (crontab(5)), and the largest step that croner takes; 7 is Sunday, as 0 is. */
const fields = [
  { first: 0, last: 59, largestStep: 60, names: [] },
  { first: 0, last: 23, largestStep: 24, names: [] },
  { first: 1, last: 31, largestStep: 31, names: [] },
  {
    first: 1,
    last: 12,
    largestStep: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { first: 0, last: 7, largestStep: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const;

type Field = (typeof fields)[number];

const fiveParts = { mode: '5-part' } as const;
const dayMs = 86_400_000;

/**
 * When a series comes next: the first time of a five-field cron expression after `afterMs`, both in Unix milliseconds,
 * read as UTC (as observed). Undefined when it never comes. Where both the day of the month and that of the week are
 * restricted, either is enough (crontab(5)).
 */
export function findNextRun(cron: string, afterMs: number): number | undefined {
  return readCron(cron).nextRun(new Date(afterMs))?.getTime();
}

/** As `findNextRun`, of those that are over: the last one at or before `untilMs`. */
export function findLastRun(cron: string, untilMs: number): number | undefined {
  return readCron(cron)
    .previousRuns(1, new Date(untilMs + 1))[0]
    ?.getTime();
}

/**
 * How often a series comes on the days (UTC) from one moment to another, both Unix milliseconds: between the two it
 * comes no oftener. Cheap also where that is very often.
 */
export function countRuns(cron: string, fromMs: number, toMs: number): number {
  const normal = normalizeCron(cron);
  const pattern = new CronPattern(normal, undefined, fiveParts);
  const midnights = readCron(['0', '0', ...normal.split(' ').slice(2)].join(' '));
  let count = 0;
  let next = midnights.nextRun(new Date(Math.floor(fromMs / dayMs) * dayMs - 1));
  while (next !== null && next.getTime() <= toMs) {
    count += 1;
    next = midnights.nextRun(next);
  }
  return count * addUp(pattern.minute) * addUp(pattern.hour);
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function readCron(cron: string): Cron {
  return new Cron(normalizeCron(cron), { ...fiveParts, timezone: 'UTC', paused: true });
}

/** The same expression in the words that croner shares with other readers of cron. */
function normalizeCron(cron: string): string {
  const parts = cron.toLowerCase().split(' ');
  return fields.map((field, index) => normalizeField(field, parts[index] ?? '*')).join(' ');
}

/** A star restricts nothing, be it in a list or with a step of one: a field with one is no restricted day. */
function normalizeField(field: Field, text: string): string {
  const items = text.split(',').map((item) => normalizeItem(field, item));
  return items.includes('*') ? '*' : items.join(',');
}

/** `5/10` means from 5 on; a step of one says nothing, and of one beyond all values only the first is left. */
function normalizeItem(field: Field, item: string): string {
  const [rangeText = '', stepText] = item.split('/');
  const [from = '', to] = rangeText.split('-').map((value) => writeNumber(field, value));
  const range = to === undefined ? from : `${from}-${to}`;
  if (stepText === undefined) return range;
  const open = from === '*' || to !== undefined ? range : `${from}-${String(field.last)}`;
  const step = Number(stepText);
  if (step === 1) return open;
  if (step <= field.largestStep) return `${open}/${String(step)}`;
  return from === '*' ? String(field.first) : from;
}

/** Croner reads `sun` as 7 where a range ends. */
function writeNumber(field: Field, value: string): string {
  const place = field.names.findIndex((name) => name === value);
  return place === -1 ? value : String(field.first + place);
}
