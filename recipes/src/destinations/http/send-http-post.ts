import { createHash } from 'node:crypto';

import { readRetryAfter } from '@aftermeet/client';
import { signStandardWebhook } from '@aftermeet/webhooks';

import {
  type Connector,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
} from '../../engine/prepared-send.ts';
import { guardAddress, resolveHost, type ResolveHost } from './guard-address.ts';
import { type HttpMethod, postOnce, type PostOutcome } from './post-once.ts';

/**
 * Opens the HTTP connector. Each attempt of an effect has the same `webhook-id` (the effect's key) and is signed when it is
 * sent, so that a receiver takes it once and never finds it too old. A changed report is a new effect with an id of its own;
 * both bodies name the meeting.
 */
export function openHttp(
  clock: () => number,
  timeoutMs = sendTimeoutMs,
  resolve: ResolveHost = resolveHost,
): Connector<HttpPost> {
  return {
    prepare: async ({ body, to }, { effectKey }) => {
      const { method = 'POST', url, keys, headers, isPrivateAllowed, expected } = to.reveal();
      const guarded = await guardAddress(url, { isPrivateAllowed, resolve, timeoutMs });
      if (guarded.result !== 'allowed') return guarded;
      const { addresses } = guarded;
      const send = async (): Promise<SendResult> => {
        const signed =
          keys.length === 0
            ? { 'webhook-id': effectKey }
            : signStandardWebhook({ id: effectKey, sentAtMs: clock(), body }, keys);
        const own = { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'aftermeet' };
        const outcome = await postOnce({
          method,
          url,
          addresses,
          headers: { ...own, ...headers, ...signed },
          body,
          timeoutMs,
        });
        return classifyOutcome(outcome, effectKey, clock(), expected);
      };
      return {
        result: 'ready',
        prepared: { timeoutMs, send, probe: probeUntraceable, sendsChangesAsNew: true },
      };
    },
    close: async () => {},
  };
}

/** The receiver alone knows which ids it took, and cannot be asked. */
async function probeUntraceable(): Promise<ProbeResult> {
  return { result: 'untraceable' };
}

/** One request to an address of the user's. */
export interface HttpPost {
  /** JSON text, exactly as it is signed. */
  readonly body: string;
  /** Where it goes and how it is signed. Not part of its content: a new secret sends nothing again. */
  readonly to: HttpAddress;
}

/** What a request to an address needs. */
export interface HttpAddressFacts {
  /** Default: POST. */
  readonly method?: HttpMethod | undefined;
  /** May carry a token, so it is never shown. */
  readonly url: URL;
  /** Signing keys; a request carries one signature for each. None: it is not signed. */
  readonly keys: readonly Buffer[];
  /** Sent as they are, beside the toolkit's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Addresses of this machine and of its network are allowed. */
  readonly isPrivateAllowed: boolean;
  /** Text that every answer of this receiver holds; an answer without it comes from something else. Absent: the status alone counts. */
  readonly expected?: string | undefined;
}

/**
 * An address of the user's with its secrets. Printing, storing and hashing it gives its host alone, because messages are
 * hashed to see whether they changed, and previewed.
 */
export class HttpAddress {
  readonly #facts: HttpAddressFacts;

  constructor(facts: HttpAddressFacts) {
    this.#facts = facts;
  }

  /** With the port, where it is not the usual one. */
  get host(): string {
    return this.#facts.url.host;
  }

  /** Tells two addresses of one host apart, without their paths: `hooks.example.com#1f0c9a2b`. */
  get label(): string {
    const { host, href } = this.#facts.url;
    return `${host}#${createHash('sha256').update(href, 'utf8').digest('hex').slice(0, 8)}`;
  }

  reveal(): HttpAddressFacts {
    return this.#facts;
  }

  toJSON(): { readonly host: string } {
    return { host: this.host };
  }
}

const DEFAULT_PAUSE_MS = 30_000;

/** Advice by status; follows "the receiver refuses it (401): ". */
const advice: Readonly<Record<number, string>> = {
  401: 'compare the secret with that of the receiver, and the clocks of both',
  403: 'compare the secret with that of the receiver, and the clocks of both',
  404: 'look at the path of the address',
  405: 'the address does not take this method',
  410: 'it wants no more deliveries; take the recipe out, or give it another address',
  413: 'it is too large; leave out parts, the transcript first',
  415: 'the receiver does not take JSON',
};

/** 4xx statuses that ask for a repeat: the receiver had no time, or takes no early data (RFC 8470). */
const retryableStatuses: ReadonlySet<number> = new Set([408, 425]);

/**
 * What a POST means for its effect. An error answer means that the receiver did not take the delivery; if it did, it knows
 * the next attempt by its `webhook-id`. Without an answer the result is unknown. One receiver's trouble says nothing about
 * the others, so errors carry no contact with the destination as a whole.
 *
 * `expected`: text that the receiver's own answers hold. A success or a 404 without it comes from a proxy in front of the
 * receiver, or from a program that is still starting.
 */
export function classifyOutcome(
  outcome: PostOutcome,
  reference: string,
  nowMs: number,
  expected = '',
): SendResult {
  if (outcome.kind === 'unsent') {
    const { code } = outcome;
    const hint = /CERT|TLS|SSL|SIGNATURE/.test(code) ? ': its certificate does not hold' : '';
    const cause = `no connection to the receiver (${code})${hint}`;
    return { result: 'not_sent_retry', cause, contact: 'none' };
  }
  if (outcome.kind === 'unanswered') {
    const cause = `the receiver did not answer (${outcome.code})`;
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
  const isRetryable = retryableStatuses.has(status) || status >= 500;
  const askedMs = readRetryAfter(retryAfter ?? null, nowMs);
  if (status === 429 || (isRetryable && askedMs !== undefined)) {
    const cause = `the receiver asks for a pause (${status})`;
    return { result: 'rate_limited', cause, retryAfterMs: askedMs ?? DEFAULT_PAUSE_MS };
  }
  if (isRetryable) {
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
