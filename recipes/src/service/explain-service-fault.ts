import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';

import type { NotSent } from '../shipment.ts';

const usualPauseMs = 30_000;

/** What no later try changes before somebody has done something. */
const hopelessCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'bad_request',
  'payment_required',
  'forbidden',
  'not_found',
  'redirected',
  'unreadable',
  'unexpected_status',
]);

const silentCodes: ReadonlySet<ServiceErrorCode> = new Set(['connection', 'timeout', 'aborted', 'server']);

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
    return { result: 'rate_limited', cause, retryAfterMs: retryAfterMs ?? usualPauseMs };
  }
  if (hopelessCodes.has(code) && !error.retryable) return { result: 'permanent', cause };
  return { result: 'not_sent_retry', cause, contact: silentCodes.has(code) ? 'silent' : 'answered' };
}
