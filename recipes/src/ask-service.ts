import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';

import type { Ending } from './ending.ts';
import type { KeyWatch } from './pace/key-watch.ts';
import type { RetryLimits } from './pace/retry-later.ts';
import type { ServiceGate } from './service-gate.ts';

export interface AskingTools {
  readonly keyWatch: KeyWatch;
  readonly gate: ServiceGate;
  /** Called once for each time that the service begins to refuse the key. */
  readonly onKeyRefused: (episode: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const minuteMs = 60 * 1000;

/** A meeting that is not known yet may be in a minute: the event can be faster than the service's own copies. */
const unknownLimits: RetryLimits = {
  firstWaitMs: 5000,
  longestWaitMs: 5 * minuteMs,
  patienceMs: 10 * minuteMs,
};

/** What no later try can change. The rest may pass, also when somebody has to do something about it first. */
const hopelessCodes: ReadonlySet<ServiceErrorCode> = new Set(['bad_request', 'unreadable']);

/** It has not answered at all. */
const silentCodes: ReadonlySet<ServiceErrorCode> = new Set(['connection', 'timeout']);

const keyRefused = 'the service refused the API key (401)';

/**
 * Asks the service for what an effect needs, and says what each way of not getting it means for the effect. Its causes
 * hold codes only: what the service answered can be anything.
 */
export async function askService<Value>(
  ask: () => Promise<Value>,
  tools: AskingTools,
): Promise<{ readonly kind: 'answer'; readonly value: Value } | Ending> {
  const { keyWatch, gate, clock } = tools;
  const refusedMs = keyWatch.waitMs(clock());
  if (refusedMs > 0) return { kind: 'wait', why: 'key_refused', forMs: refusedMs, cause: keyRefused };
  const passage = gate.enter(clock());
  if (passage.kind === 'wait') {
    const cause = 'the service does not answer';
    return { kind: 'retry', why: 'service', forMs: passage.forMs, cause };
  }
  let value: Value;
  try {
    value = await ask();
    passage.leave(true);
  } catch (error) {
    passage.leave(!(error instanceof ServiceError) || !silentCodes.has(error.code));
    if (error instanceof ServiceError) return await explainServiceError(error, tools);
    const name = error instanceof Error ? error.name : 'unknown';
    // oxlint-disable-next-line preserve-caught-error -- its message can repeat what the service answered
    throw new Error(`the report cannot be read (${name})`);
  }
  // Where the store is away, the next answer tells it; the report is here all the same.
  await keyWatch.accepted(clock()).catch(() => undefined);
  return { kind: 'answer', value };
}

async function explainServiceError(
  error: ServiceError,
  { keyWatch, onKeyRefused, clock }: AskingTools,
): Promise<Ending> {
  if (error.code === 'unauthorized') {
    const refusal = await keyWatch.refused(clock());
    if (refusal.isFirst) await onKeyRefused(refusal.episode);
    return { kind: 'wait', why: 'key_refused', forMs: refusal.waitMs, cause: keyRefused };
  }
  // Whoever takes the job next goes on.
  if (error.code === 'aborted') {
    return { kind: 'wait', why: 'stopping', forMs: 1000, cause: 'the worker is stopping' };
  }
  const status = error.status === undefined ? '' : ` (${error.status})`;
  if (error.code === 'not_found') {
    const cause = 'the service does not know this meeting, or has deleted its report (404)';
    return { kind: 'retry', why: 'meeting_unknown', cause, limits: unknownLimits };
  }
  if (hopelessCodes.has(error.code)) {
    return { kind: 'failed', cause: `the report cannot be fetched: ${error.code}${status}` };
  }
  const forMs = error.retryAfterMs;
  const cause = `the report cannot be fetched now: ${error.code}${status}`;
  return { kind: 'retry', why: 'service', cause, ...(forMs === undefined ? {} : { forMs }) };
}
