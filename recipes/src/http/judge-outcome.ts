import { readRetryAfter } from '@aftermeet/client';

import type { SendResult } from '../shipment.ts';
import type { PostOutcome } from './post-once.ts';

const usualPauseMs = 30_000;

/** What each refusal asks of somebody; after "the receiver refuses it (401): ". */
const advice: Readonly<Record<number, string>> = {
  401: 'compare the secret with that of the receiver, and the clocks of both',
  403: 'compare the secret with that of the receiver, and the clocks of both',
  404: 'look at the path of the address',
  405: 'the address does not take POST',
  410: 'it wants no more deliveries; take the recipe out, or give it another address',
  413: 'it is too large; leave out parts, the transcript first',
  415: 'the receiver does not take JSON',
};

/** What asks for the same once more: the receiver had no time, or takes no early data (RFC 8470). */
const passingStatuses: ReadonlySet<number> = new Set([408, 425]);

/**
 * What came of a POST. A receiver that answers with an error says that it did not take the delivery; should it have
 * done so all the same, it knows the next attempt by its `webhook-id`. Only where no answer came nobody can tell. A
 * receiver in trouble says nothing of the others: none of this is held against the destination as a whole.
 *
 * `expected`: what an answer of the receiver itself holds (HttpAddressFacts). A success or a 404 without it comes from
 * something in front of it, or from a program that is only starting.
 */
export function judgeOutcome(
  outcome: PostOutcome,
  reference: string,
  nowMs: number,
  expected = '',
): SendResult {
  if (outcome.kind === 'unsent') {
    const { code } = outcome;
    const hint = /CERT|TLS|SSL|SIGNATURE/.test(code) ? ': its certificate does not hold' : '';
    const cause = `no connection to the receiver came about (${code})${hint}`;
    return { result: 'not_sent_retry', cause, contact: 'none' };
  }
  if (outcome.kind === 'unanswered') {
    const cause = `the receiver was sent it and did not answer (${outcome.code})`;
    return { result: 'unknown', cause, contact: 'none' };
  }
  const { status, retryAfter, text } = outcome;
  const isForeign = (status === 404 || (status >= 200 && status < 300)) && !text.includes(expected);
  if (isForeign && status < 300 && outcome.isCut === true) {
    const cause = `an answer (${status}) broke off before it held what is expected`;
    return { result: 'unknown', cause, contact: 'none' };
  }
  if (isForeign) {
    const cause = `what answers (${status}) is not the receiver: its answer does not hold what is expected`;
    return { result: 'not_sent_retry', cause, contact: 'none' };
  }
  if (status >= 200 && status < 300) return { result: 'sent', reference };
  const isPassing = passingStatuses.has(status) || status >= 500;
  const askedMs = readRetryAfter(retryAfter ?? null, nowMs);
  if (status === 429 || (isPassing && askedMs !== undefined)) {
    const cause = `the receiver asks for a pause (${status})`;
    return { result: 'rate_limited', cause, retryAfterMs: askedMs ?? usualPauseMs };
  }
  if (isPassing) {
    const what = status >= 500 ? 'is in trouble' : 'did not take it';
    return { result: 'not_sent_retry', cause: `the receiver ${what} (${status})`, contact: 'none' };
  }
  if (status >= 300 && status < 400) {
    const cause = `the receiver points elsewhere (${status}), which is not followed: set the address that it means`;
    return { result: 'permanent', cause };
  }
  const hint = advice[status] ?? 'its own log may say why';
  return { result: 'permanent', cause: `the receiver refuses it (${status}): ${hint}` };
}
