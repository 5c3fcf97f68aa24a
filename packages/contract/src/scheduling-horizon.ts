import type { Problem } from './build-request.ts';
import { localDateTime } from './fields.ts';
import { latestStartMs } from './latest-start.ts';
import { limits } from './limits.ts';

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
