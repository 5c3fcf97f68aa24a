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

/**
 * Whether the text is a five-field cron expression as in crontab(5): `*`, numbers, ranges, steps, lists, and
 * names of months and weekdays, parted by single blanks. Whether it ever fires is not looked at.
 */
export function isCronExpression(text: string): boolean {
  const parts = text.split(' ');
  return (
    parts.length === cronFields.length &&
    cronFields.every((field, index) => isField(field, parts[index] ?? ''))
  );
}

function isField(field: CronField, text: string): boolean {
  return text
    .toLowerCase()
    .split(',')
    .every((part) => isPart(field, part));
}

function isPart(field: CronField, part: string): boolean {
  const match = partPattern.exec(part);
  if (match === null) return false;
  const [, first, last, step] = match;
  if (step !== undefined && Number(step) === 0) return false;
  if (first === undefined) return true;
  const from = readValue(field, first);
  if (last === undefined) return from !== undefined;
  const to = readValue(field, last);
  return from !== undefined && to !== undefined && from <= to;
}

function readValue(field: CronField, text: string): number | undefined {
  const named = field.names.indexOf(text);
  const value = named === -1 ? Number(text) : field.min + named;
  return value >= field.min && value <= field.max ? value : undefined;
}
