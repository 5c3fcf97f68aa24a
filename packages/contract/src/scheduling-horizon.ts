import { limits } from './limits.ts';

/**
 * The latest planned start that the service takes, in Unix milliseconds: three calendar months after `nowMs`
 * in UTC, at the same time of day. Where that month is too short, its last day counts: from 30 November it
 * is the end of February. The specification says "up to 3 months ahead" (Limits) and no more than that.
 */
export function latestStartMs(nowMs: number): number {
  const now = new Date(nowMs);
  const latest = new Date(nowMs);
  // Day 1 first: a month that lacks the day would otherwise run over into the next one.
  latest.setUTCDate(1);
  latest.setUTCMonth(now.getUTCMonth() + limits.schedulingHorizonMonths);
  latest.setUTCDate(Math.min(now.getUTCDate(), countDays(latest)));
  return latest.getTime();
}

function countDays(month: Date): number {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
}
