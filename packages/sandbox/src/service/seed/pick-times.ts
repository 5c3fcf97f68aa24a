import type { Chooser } from '../../content/generator/create-chooser.ts';

const halfHourMs = 1_800_000;
const dayMs = 48 * halfHourMs;
/** The first and the last half hour of a working day in which a meeting begins, UTC. */
const firstStart = 16;
const lastStart = 33;

/**
 * Starts of meetings, Unix milliseconds, soonest first: full and half hours of working days (8 to 17, Monday to Friday,
 * UTC) within the last `days` days, half an hour or more ago. Where there is no such hour, as on a Sunday for one day,
 * any hour is taken. Two meetings begin together only when there are more meetings than half hours.
 */
export function pickTimes(nowMs: number, days: number, count: number, choose: Chooser): readonly number[] {
  const all = listHalfHours(nowMs, days);
  const working = all.filter(isWorkingTime);
  const starts = working.length === 0 ? all : working;
  const picked: number[] = [];
  let left: number[] = [];
  while (picked.length < count) {
    if (left.length === 0) left = [...starts];
    picked.push(...left.splice(choose(left.length), 1));
  }
  return picked.toSorted((one, other) => one - other);
}

function listHalfHours(nowMs: number, days: number): readonly number[] {
  const first = Math.ceil((nowMs - days * dayMs) / halfHourMs);
  const last = Math.floor(nowMs / halfHourMs) - 1;
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * halfHourMs);
}

function isWorkingTime(startMs: number): boolean {
  const day = new Date(startMs).getUTCDay();
  const halfHour = (startMs % dayMs) / halfHourMs;
  return day >= 1 && day <= 5 && halfHour >= firstStart && halfHour <= lastStart;
}
