import { ServiceError } from '@aftermeet/client';
import type { Digest } from './digest.ts';
import type { DigestSource } from './digest-source.ts';
import type { MeetingEvent } from './recipe.ts';
import type { ServicePause } from './service-pause.ts';

/** The digest, or why there is none. A failure that may pass by itself is thrown instead. */
export type DigestReading =
  | { readonly kind: 'digest'; readonly digest: Digest }
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string };

export interface ReadingTools {
  readonly digests: DigestSource;
  readonly pause: ServicePause;
  readonly clock: () => number;
}

const firstWaitMs = 5000;
const longestWaitMs = 300_000;
/** A report that is not there by then does not come. */
const patienceMs = 24 * 60 * 60 * 1000;

/** Reads an event's digest and says what each way of not getting it means for the effect. */
export async function readDigest(
  event: MeetingEvent,
  startedTimes: number,
  { digests, pause, clock }: ReadingTools,
): Promise<DigestReading> {
  const pausedMs = pause.leftMs();
  if (pausedMs > 0) return { kind: 'wait', forMs: pausedMs, cause: keyRefused };
  try {
    const answer = await digests.read(event);
    if (answer.ready) return { kind: 'digest', digest: answer.digest };
    if (clock() - Date.parse(event.receivedAt) > patienceMs) {
      return { kind: 'failed', cause: 'the service had no report of this meeting for 24 hours' };
    }
    return { kind: 'wait', forMs: growWait(startedTimes), cause: 'the report is not ready' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return explainServiceError(error, startedTimes, pause);
  }
}

const keyRefused = 'the service refused the API key (401)';

function explainServiceError(
  error: ServiceError,
  startedTimes: number,
  pause: ServicePause,
): Exclude<DigestReading, { kind: 'digest' }> {
  if (error.code === 'unauthorized') return { kind: 'wait', forMs: pause.start(), cause: keyRefused };
  if (error.code === 'rate_limited' || (error.retryable && error.retryAfterMs !== undefined)) {
    const forMs = error.retryAfterMs ?? growWait(startedTimes);
    return { kind: 'wait', forMs, cause: 'the service asked to come back later' };
  }
  if (error.code === 'not_found') {
    return {
      kind: 'failed',
      cause: 'the service does not know this meeting, or has deleted its report (404)',
    };
  }
  // Aborted: the process is stopping, the next one goes on.
  if (error.retryable || error.code === 'aborted') throw error;
  const status = error.status === undefined ? '' : ` (${error.status})`;
  return { kind: 'failed', cause: `the report cannot be fetched: ${error.code}${status}` };
}

/** 5 seconds, then twice as long each time, at most 5 minutes. */
export function growWait(startedTimes: number): number {
  return Math.min(firstWaitMs * 2 ** Math.min(Math.max(startedTimes - 1, 0), 16), longestWaitMs);
}
