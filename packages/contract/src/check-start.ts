import { limits } from './limits.ts';
import { describeValue, type Problem } from './problem.ts';
import { startTime } from './rules.ts';
import { latestStartMs } from './scheduling-horizon.ts';

/** For a clock that is wrong, and for the minutes between writing a time and sending it. */
const MAX_START_AGE_MS = 5 * 60_000;

/**
 * What is wrong with a planned start at the time `nowMs` (Unix milliseconds): it lies too far ahead, or, unless
 * `allowPast`, in the past. Needs a clock, so no rule of a field holds it; text that is no date and time is for that
 * rule to refuse.
 */
export function checkStart(
  start: string | undefined,
  nowMs: number,
  { allowPast = false }: { readonly allowPast?: boolean | undefined } = {},
): Problem | undefined {
  if (startTime.check(start).length > 0) return undefined;
  const latestMs = latestStartMs(nowMs);
  const startMs = Date.parse(String(start));
  const refuse = (expected: string): Problem => ({
    path: ['localDateTime'],
    code: 'invalid',
    expected,
    received: describeValue(start),
  });
  if (startMs > latestMs) {
    return refuse(
      `at most ${limits.schedulingHorizonMonths} months ahead: ${new Date(latestMs).toISOString()} at the latest`,
    );
  }
  if (allowPast || startMs >= nowMs - MAX_START_AGE_MS) return undefined;
  return {
    ...refuse(`a time to come: it is ${new Date(nowMs).toISOString()} now`),
    override: 'allowPast',
  };
}
