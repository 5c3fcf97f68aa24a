import { z } from 'zod';

import { parseDuration } from '../parse-duration.ts';
import { formatDuration } from '../terminal/format-duration.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A length of time in the settings file, as the command line takes it; the result is milliseconds. */
export function durationSetting(leastMs: number, mostMs: number) {
  const error = `a time such as 400ms, 90s, 15m or 2d, from ${describeMs(leastMs)} to ${describeMs(mostMs)}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value) => readMs(String(value)))
    .refine((ms) => ms >= leastMs && ms <= mostMs, { error });
}

/** A whole number in the settings file; a variable that is filled in is a text. */
export function wholeSetting(least: number, most: number) {
  const error = `a whole number from ${least} to ${most}`;
  return z
    .union([z.string().regex(/^\d{1,9}$/), z.number().int()], { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

function readMs(text: string): number {
  try {
    return Math.round(parseDuration(text) * 1000);
  } catch {
    return Number.NaN;
  }
}

function describeMs(ms: number): string {
  if (ms % DAY_MS === 0 && ms > 0) return `${ms / DAY_MS}d`;
  return ms > 0 && ms < 1000 ? `${ms} ms` : formatDuration(ms / 1000);
}
