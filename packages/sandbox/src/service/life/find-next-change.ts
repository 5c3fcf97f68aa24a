import type { Meeting } from '../meeting.ts';
import { findLastRun, findNextRun } from './cron-runs.ts';
import { measureRecordingMs, processingMs } from './life-times.ts';
import type { Transitions } from './transitions.ts';

/**
 * When a meeting moves on by the clock, in the sandbox's time (Unix milliseconds); undefined when it does not. It
 * follows from the meeting alone, so that another process goes on where this one ended. `runningSinceMs`: since when
 * the clock has run without a break.
 */
export function findNextChange(
  meeting: Meeting,
  transitions: Transitions,
  runningSinceMs: number,
): number | undefined {
  const { status, statusSinceMs, cron } = meeting;
  if (transitions === 'manual') return undefined;
  if (!isUnderWay(meeting)) {
    // Occurrences that came due while one was recorded or processed are left out: its bot was at work (assumed).
    const nextMs = cron === undefined ? undefined : findNextRun(cron, statusSinceMs);
    return nextMs === undefined ? undefined : leaveOutMissed(cron, nextMs, runningSinceMs);
  }
  if (typeof transitions === 'object') return undefined;
  if (status === 'queued') return leaveOutMissed(cron, Date.parse(meeting.localDateTime), runningSinceMs);
  if (transitions === 'immediate') return statusSinceMs;
  return statusSinceMs + (status === 'recording' ? measureRecordingMs(meeting) : processingMs);
}

/** Of the occurrences that a series missed while the sandbox was not there, only the last is made up for (assumed): after a weekend off, a series of every minute would have thousands. */
function leaveOutMissed(cron: string | undefined, nextMs: number, runningSinceMs: number): number {
  if (cron === undefined || nextMs >= runningSinceMs) return nextMs;
  return Math.max(nextMs, findLastRun(cron, runningSinceMs) ?? nextMs);
}

/** Neither ready nor failed. */
export function isUnderWay({ status }: Meeting): boolean {
  return status === 'queued' || status === 'recording' || status === 'processing';
}
