import { clampWait } from './clamp-wait.ts';
import { growWait } from './grow-wait.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Long enough for an outage that begins on a Friday evening and is mended on Monday. */
const patienceMs = 3 * dayMs;
const longestWaitMs = 15 * 60 * 1000;
const longestToldMs = 60 * 1000;
/** An event that is old when it is first tried, because the worker was away, is still tried this often. */
const fewestStarts = 12;

/** What stands in the way, and for how long if somebody said. */
export interface Obstacle {
  readonly cause: string;
  readonly forMs?: number;
}

/** The job that met it. */
interface HinderedJob {
  readonly startedTimes: number;
  /** ISO 8601: when its event was received. */
  readonly receivedAt: string;
}

/**
 * What becomes of an effect that surely was not sent and may be sent later: put aside, which burns no
 * attempt, until its event is three days old. Pure.
 */
export function retryLater(
  { cause, forMs }: Obstacle,
  { startedTimes, receivedAt }: HinderedJob,
  nowMs: number,
):
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string } {
  const isRecent = nowMs - Date.parse(receivedAt) <= patienceMs;
  if (!isRecent && startedTimes >= fewestStarts) {
    return {
      kind: 'failed',
      cause: `${cause}; it was tried until the event was ${patienceMs / dayMs} days old`,
    };
  }
  if (forMs === undefined) return { kind: 'wait', forMs: growWait(startedTimes, longestWaitMs), cause };
  // Whoever says "at once" again and again is asked less and less often all the same.
  return { kind: 'wait', forMs: Math.max(clampWait(forMs), growWait(startedTimes, longestToldMs)), cause };
}
