import type { ScriptTask } from './meeting-script.ts';

const dayMs = 86_400_000;

/** The date by which a task is to be done, `YYYY-MM-DD` in UTC; null where nobody named one. `startMs`: of the meeting, Unix milliseconds. */
export function findDeadline(task: ScriptTask, startMs: number): string | null {
  const days = countDays(task, startMs);
  return days === undefined ? null : new Date(startMs + days * dayMs).toISOString().slice(0, 10);
}

function countDays({ dueInDays, dueOnWeekday }: ScriptTask, startMs: number): number | undefined {
  if (dueInDays === undefined || dueOnWeekday === undefined) return dueInDays;
  if (dueOnWeekday > 7) return dueOnWeekday - readWeekday(startMs);
  return dueInDays + ((dueOnWeekday - readWeekday(startMs + dueInDays * dayMs) + 7) % 7);
}

/** 1 is Monday, 7 is Sunday. */
function readWeekday(ms: number): number {
  return new Date(ms).getUTCDay() || 7;
}
