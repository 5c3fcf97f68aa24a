import { readParts, readText } from '../../web/read-parts.ts';

const dayMs = 86_400_000;

/** Days from today that Notion's words mean; a month has 30. */
const relativeDays: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['one_week_ago', -7],
  ['one_week_from_now', 7],
  ['one_month_ago', -30],
  ['one_month_from_now', 30],
]);

/** Spans in days from now: https://developers.notion.com/reference/filter-data-source-entries#date */
const spans: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['past_week', [-7, 0]],
  ['past_month', [-30, 0]],
  ['past_year', [-365, 0]],
  ['next_week', [0, 7]],
  ['next_month', [0, 30]],
  ['next_year', [0, 365]],
]);

/** Compares the start of a date, or a moment; a date without a time of day means the whole day in UTC. */
export function matchDate(value: unknown, operator: string, operand: unknown, nowMs: number): boolean {
  const text = typeof value === 'string' ? value : readText(readParts(value)['start']);
  const startMs = Date.parse(text);
  if (Number.isNaN(startMs)) return false;
  const today = toDay(nowMs);
  const span = spans.get(operator);
  if (span !== undefined) return isBetween(toDay(startMs), today + span[0], today + span[1]);
  if (operator === 'this_week') {
    const sunday = today - new Date(nowMs).getUTCDay();
    return isBetween(toDay(startMs), sunday, sunday + 6);
  }
  const wanted = readText(operand);
  const relative = relativeDays.get(wanted);
  const isWholeDay = relative !== undefined || /^\d{4}-\d\d-\d\d$/.test(wanted);
  const wantedMs = relative === undefined ? Date.parse(wanted) : (today + relative) * dayMs;
  const difference = isWholeDay ? toDay(startMs) - toDay(wantedMs) : startMs - wantedMs;
  return compare(operator, difference);
}

function compare(operator: string, difference: number): boolean {
  switch (operator) {
    case 'equals':
      return difference === 0;
    case 'before':
      return difference < 0;
    case 'after':
      return difference > 0;
    case 'on_or_before':
      return difference <= 0;
    default:
      return difference >= 0;
  }
}

function toDay(ms: number): number {
  return Math.floor(ms / dayMs);
}

function isBetween(day: number, from: number, to: number): boolean {
  return day >= from && day <= to;
}
