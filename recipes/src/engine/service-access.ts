import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';

import type { Circuit } from './circuit-breaker.ts';
import type { KeyWatch } from './limits/key-watch.ts';
import type { RetryLimits } from './limits/retry-later.ts';
import type { Outcome } from './outcome.ts';
import type { NotSent } from './prepared-send.ts';

export interface AskingTools {
  readonly keyWatch: KeyWatch;
  readonly gate: ServiceCircuit;
  /** Called once for each time that the service begins to refuse the key. */
  readonly onKeyRefused: (episode: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const minuteMs = 60 * 1000;

/** A meeting that is not known yet may be in a minute: the event can be faster than the service's own copies. */
const unknownLimits: RetryLimits = {
  firstWaitMs: 5000,
  maxWaitMs: 5 * minuteMs,
  patienceMs: 10 * minuteMs,
};

/** What no later try can change. The rest may pass, also when a person has to act first. */
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
): Promise<{ readonly kind: 'answer'; readonly value: Value } | Outcome> {
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
  // If the store is away, the next answer records it; the report is here all the same.
  await keyWatch.accepted(clock()).catch(() => undefined);
  return { kind: 'answer', value };
}

async function explainServiceError(
  error: ServiceError,
  { keyWatch, onKeyRefused, clock }: AskingTools,
): Promise<Outcome> {
  if (error.code === 'unauthorized') {
    const refusal = await keyWatch.refused(clock());
    if (refusal.isFirst) await onKeyRefused(refusal.episode);
    return { kind: 'wait', why: 'key_refused', forMs: refusal.waitMs, cause: keyRefused };
  }
  // The next worker goes on.
  if (error.code === 'aborted') {
    return { kind: 'wait', why: 'stopping', forMs: 1000, cause: 'the worker is stopping' };
  }
  const status = error.status === undefined ? '' : ` (${error.status})`;
  if (error.code === 'not_found') {
    const cause = 'the service does not know this meeting, or has deleted its report (404)';
    return { kind: 'retry', why: 'meeting_unknown', cause, limits: unknownLimits };
  }
  if (hopelessCodes.has(error.code) && !error.retryable) {
    return { kind: 'failed', cause: `the report cannot be fetched: ${error.code}${status}` };
  }
  const forMs = error.retryAfterMs;
  const cause = `the report cannot be fetched now: ${error.code}${status}`;
  return { kind: 'retry', why: 'service', cause, ...(forMs === undefined ? {} : { forMs }) };
}

/** One question to the service. */
export interface Passage {
  readonly kind: 'go';
  /** Whether the service has answered, whatever it said. */
  readonly leave: (hasAnswered: boolean) => void;
}

/**
 * Keeps a service that does not answer from holding every place of every destination for as long as a question may
 * take. For one worker process.
 */
interface ServiceCircuit {
  enter(nowMs: number): Passage | { readonly kind: 'wait'; readonly forMs: number };
}

/** While one question tries whether the service answers again, the others look in again after this. */
const trialMs = 1000;

export function createServiceCircuit(circuit: Circuit, clock: () => number): ServiceCircuit {
  let isTried = false;
  return {
    enter(nowMs) {
      const state = circuit.readState(nowMs);
      if (state.kind === 'open') return { kind: 'wait', forMs: state.forMs };
      const isTrial = state.kind === 'half_open';
      if (isTrial && isTried) return { kind: 'wait', forMs: trialMs };
      isTried = isTrial;
      const mark = circuit.begin(nowMs);
      return {
        kind: 'go',
        leave: (hasAnswered) => {
          if (isTrial) isTried = false;
          if (hasAnswered) circuit.succeeded(mark);
          else circuit.failed(mark, clock());
        },
      };
    },
  };
}

const DEFAULT_PAUSE_MS = 30_000;

/** What no later try changes unless a person acts. */
const HOPELESS_SEND_CODES: ReadonlySet<ServiceErrorCode> = new Set([
  'bad_request',
  'payment_required',
  'forbidden',
  'not_found',
  'redirected',
  'unreadable',
  'unexpected_status',
]);

const SILENT_SEND_CODES: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'aborted',
  'server',
]);

const advice: { readonly [Code in ServiceErrorCode]?: string } = {
  payment_required: 'the minutes of the plan are used up',
  forbidden: 'the plan or the rights of the API key do not allow it',
  unauthorized: 'the service refused the API key',
};

/**
 * What a refusal of the service means for an effect that it surely did not bring about. `what` could not be done:
 * `the export cannot be fetched`. Holds codes alone: what the service answered can be anything. Throws what is no
 * `ServiceError`.
 */
export function explainServiceFault(error: unknown, what: string): NotSent {
  if (!(error instanceof ServiceError)) {
    // oxlint-disable-next-line preserve-caught-error -- its message can repeat what the service answered
    throw new Error(`${what} (${error instanceof Error ? error.name : 'unknown'})`);
  }
  const { code, status, retryAfterMs } = error;
  const hint = advice[code] === undefined ? '' : `; ${advice[code]}`;
  const cause = `${what}: ${code}${status === undefined ? '' : ` (${status})`}${hint}`;
  if (code === 'rate_limited') {
    return { result: 'rate_limited', cause, retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS };
  }
  if (HOPELESS_SEND_CODES.has(code) && !error.retryable) return { result: 'permanent', cause };
  return {
    result: 'not_sent_retry',
    cause,
    contact: SILENT_SEND_CODES.has(code) ? 'silent' : 'answered',
    ...(code === 'unauthorized' ? { isKeyRefused: true } : {}),
  };
}
