const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface CronField {
  readonly min: number;
  readonly max: number;
  /** Three-letter names; the first one stands for `min`. */
  readonly names: readonly string[];
}

// Minute, hour, day of month, month, day of week (0 and 7 are Sunday).
const cronFields: readonly CronField[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 7, names: weekdays },
];

const partPattern = /^(?:\*|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:\/([0-9]{1,2}))?$/;

/** `from`, and every `step` after it until `to`. */
export interface CronRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Said as `*`, which in some places means more than all values one by one. */
  readonly isStar: boolean;
}

/**
 * Whether the text is a five-field cron expression as in crontab(5): `*`, numbers, ranges, steps, lists, and
 * names of months and weekdays, parted by blanks and tabs. Whether it ever fires: see `canCronFire`.
 */
export function isCronExpression(text: string): boolean {
  return readCronFields(text) !== undefined;
}

/** What each of the five fields allows, as the ranges of its list; undefined when the text is no expression. */
export function readCronFields(text: string): readonly (readonly CronRange[])[] | undefined {
  const parts = splitFields(text.toLowerCase());
  if (parts.length !== cronFields.length) return undefined;
  const lists = cronFields.map((field, index) => readList(field, parts[index] ?? ''));
  return lists.every((list) => list !== undefined) ? lists : undefined;
}

/** The same expression with single blanks between its fields and none around them. */
export function tidyCron(text: string): string {
  return splitFields(text).join(' ');
}

function splitFields(text: string): readonly string[] {
  return text.split(/[ \t]+/).filter((part) => part !== '');
}

function readList(field: CronField, text: string): readonly CronRange[] | undefined {
  const ranges = text.split(',').map((part) => readRange(field, part));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function readRange(field: CronField, part: string): CronRange | undefined {
  const match = partPattern.exec(part);
  if (match === null) return undefined;
  const [, first, last, stepText] = match;
  const step = Number(stepText ?? 1);
  if (step === 0) return undefined;
  if (first === undefined) return { from: field.min, to: field.max, step, isStar: true };
  const from = readValue(field, first);
  if (from === undefined) return undefined;
  // With a step and no end, readings differ: this is the one that allows the most.
  if (last === undefined) {
    return { from, to: stepText === undefined ? from : field.max, step, isStar: false };
  }
  const to = readValue(field, last);
  return to !== undefined && from <= to ? { from, to, step, isStar: false } : undefined;
}

function readValue(field: CronField, text: string): number | undefined {
  const named = field.names.indexOf(text);
  const value = named === -1 ? Number(text) : field.min + named;
  return value >= field.min && value <= field.max ? value : undefined;
}
