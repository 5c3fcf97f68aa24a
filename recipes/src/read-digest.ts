import { ServiceError } from '@aftermeet/client';

import type { DigestSource } from './digest-source.ts';
import type { Digest } from './digest.ts';
import { growWait } from './grow-wait.ts';
import type { MeetingEvent } from './recipe.ts';
import type { Obstacle } from './retry-later.ts';
import type { ServicePause } from './service-pause.ts';

/** The digest, or why there is none. */
export type DigestReading =
  | { readonly kind: 'digest'; readonly digest: Digest }
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string }
  /** It may pass by itself. */
  | ({ readonly kind: 'retry' } & Obstacle)
  | { readonly kind: 'failed'; readonly cause: string };

export interface ReadingTools {
  readonly digests: DigestSource;
  readonly pause: ServicePause;
  readonly clock: () => number;
}

/** A report that is not there by then does not come. */
const patienceMs = 24 * 60 * 60 * 1000;

const keyRefused = 'the service refused the API key (401)';

/**
 * Reads an event's digest and says what each way of not getting it means for the effect. Its causes
 * hold codes only: what the service answered can be anything.
 */
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
    if (error instanceof ServiceError) return explainServiceError(error, pause);
    const name = error instanceof Error ? error.name : 'unknown';
    // oxlint-disable-next-line preserve-caught-error -- its message can repeat what the service answered
    throw new Error(`the report cannot be read (${name})`);
  }
}

function explainServiceError(
  error: ServiceError,
  pause: ServicePause,
): Exclude<DigestReading, { kind: 'digest' }> {
  if (error.code === 'unauthorized') return { kind: 'wait', forMs: pause.start(), cause: keyRefused };
  // Whoever takes the job next goes on.
  if (error.code === 'aborted') return { kind: 'wait', forMs: 1000, cause: 'the worker is stopping' };
  if (error.code === 'not_found') {
    return {
      kind: 'failed',
      cause: 'the service does not know this meeting, or has deleted its report (404)',
    };
  }
  const status = error.status === undefined ? '' : ` (${error.status})`;
  if (!error.retryable) {
    return { kind: 'failed', cause: `the report cannot be fetched: ${error.code}${status}` };
  }
  const forMs = error.retryAfterMs;
  const cause = `the report cannot be fetched now: ${error.code}${status}`;
  return { kind: 'retry', cause, ...(forMs === undefined ? {} : { forMs }) };
}
