import { type CronRange, readCronFields } from './cron-shape.ts';

/** The longest each month gets: 29 February comes, if seldom. */
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a five-field cron expression can ever fire: `0 9 31 2 *` cannot. As in crontab(5), a restricted day of
 * the week is enough, whatever the day of the month. Where readings of cron differ, as they do about a step in
 * the day of the week, the answer is true: the service has the last word.
 */
export function canCronFire(expression: string): boolean {
  const [, , days = [], months = [], weekdays = []] = readCronFields(expression) ?? [];
  if (isRestricted(weekdays)) return true;
  return longestMonths.some(
    (length, index) => isAllowed(months, index + 1, index + 1) && isAllowed(days, 1, length),
  );
}

/** A star alone, be it with a step of one, restricts nothing in any reading of cron. */
function isRestricted(ranges: readonly CronRange[]): boolean {
  return ranges.length !== 1 || ranges.some(({ isStar, step }) => !isStar || step !== 1);
}

/** Whether any value from `min` to `max` is in one of the ranges. */
function isAllowed(ranges: readonly CronRange[], min: number, max: number): boolean {
  return ranges.some(({ from, to, step }) => {
    const next = from + Math.max(0, Math.ceil((min - from) / step)) * step;
    return next <= Math.min(to, max);
  });
}
