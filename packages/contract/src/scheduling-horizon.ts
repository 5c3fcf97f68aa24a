import type { Problem } from './build-request.ts';
import { localDateTime } from './fields.ts';
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

/**
 * What is wrong with a planned start at the time `nowMs` (Unix milliseconds): it lies too far ahead, or
 * nothing. Needs a clock, so no schema holds it; text that is no date and time is for the schema to refuse.
 */
export function checkStart(start: string | undefined, nowMs: number): Problem | undefined {
  if (!localDateTime.safeParse(start).success) return undefined;
  const latestMs = latestStartMs(nowMs);
  if (Date.parse(String(start)) <= latestMs) return undefined;
  return {
    field: 'local_date_time',
    message: `must be at most ${limits.schedulingHorizonMonths} months ahead: ${new Date(latestMs).toISOString()} at the latest`,
  };
}

function countDays(month: Date): number {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
}
