import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Inbox, type Log, StoreUnavailable } from '@aftermeet/queue';
import { deliveryHeaderNames } from '@aftermeet/webhooks';

import { discardRest } from './discard-rest.ts';
import { type Address, type Endpoints, findSecrets, readAddress } from './endpoints.ts';
import { errorName } from './error-name.ts';
import { examineDelivery } from './examine-delivery.ts';
import { answerOf, type Outcome } from './outcome.ts';
import { createPeerLimit, type PeerLimitOptions } from './peer-limit.ts';
import { readBody } from './read-body.ts';
import { refuseByHead } from './refuse-by-head.ts';

export interface DeliveryHandlerOptions {
  readonly endpoints: Endpoints;
  readonly inbox: Inbox;
  readonly log: Log;
  readonly nowMs?: () => number;
  /** Both directions; specification, "Events", signature rule 4. */
  readonly toleranceSeconds?: number;
  readonly headerPrefix?: string;
  readonly maxBodyBytes?: number;
  readonly peerLimit?: PeerLimitOptions;
}

/** A plain listener: `request.url` is `/<endpoint>[/<key>]`, as `app.use('/hooks', handler)` leaves it. */
export type DeliveryHandler = (request: IncomingMessage, response: ServerResponse) => void;

export const DEFAULT_MAX_BODY_BYTES = 256 * 1024;
export const DEFAULT_TOLERANCE_SECONDS = 300;
const DEFAULT_PEER_LIMIT: PeerLimitOptions = { burst: 2000, perSecond: 50 };
const RETRY_AFTER_SECONDS = 10;

/**
 * Receives deliveries: verifies each over its raw bytes, stores it, and only then answers 200.
 * It never throws and never answers 500: what can't be stored now is 503 with `Retry-After`, because the
 * service repeats a 5xx and forgets any other 4xx for ever.
 */
export function createDeliveryHandler(options: DeliveryHandlerOptions): DeliveryHandler {
  const { endpoints, inbox, log, nowMs = Date.now } = options;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const toleranceSeconds = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  const names = deliveryHeaderNames(options.headerPrefix);
  const headerNames = {
    event: names.event.toLowerCase(),
    signature: names.signature.toLowerCase(),
    timestamp: names.timestamp.toLowerCase(),
    delivery: names.delivery.toLowerCase(),
  };
  const peerLimit = createPeerLimit(options.peerLimit ?? DEFAULT_PEER_LIMIT);

  async function receive(
    request: IncomingMessage,
    address: Address | undefined,
  ): Promise<Outcome | undefined> {
    const secrets = address && findSecrets(endpoints, address);
    if (address === undefined || secrets === undefined) {
      return { kind: 'unknown_endpoint', cause: 'no endpoint of this name' };
    }
    const head = refuseByHead(request);
    if (head !== undefined) return head;

    const read = await readBody(request, maxBodyBytes);
    if (!read.ok) {
      switch (read.reason) {
        case 'aborted':
          return undefined;
        case 'too_large':
          return { kind: 'too_large', cause: `body over ${maxBodyBytes} bytes` };
        case 'already_read':
          return {
            kind: 'unavailable',
            cause: 'the body was consumed before the handler: mount it before express.json()',
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          };
      }
    }
    const examined = examineDelivery({
      address,
      headers: request.headers,
      headerNames,
      body: read.body,
      secrets,
      toleranceSeconds,
      nowMs: nowMs(),
    });
    if (examined.verdict === 'forged') {
      // Only here: behind a proxy everybody is one peer, and a genuine delivery must never pay for a forger.
      const turn = peerLimit.take(request.socket.remoteAddress ?? 'unknown', nowMs());
      return turn.ok
        ? { kind: 'unauthorized', cause: examined.cause }
        : { kind: 'too_many', cause: examined.cause, retryAfterSeconds: turn.retryAfterSeconds };
    }
    if (examined.verdict === 'malformed') {
      await inbox.recordRefusal(examined.refusal);
      return { kind: 'malformed', cause: examined.refusal.reason };
    }
    return { kind: await inbox.accept(examined.accept), id: examined.accept.jobId };
  }

  return function handleDelivery(request, response) {
    const startedMs = nowMs();
    const address = readAddress(request.url ?? '');
    receive(request, address)
      .catch((error: unknown): Outcome => describeFailure(error))
      .then((outcome) => {
        if (outcome === undefined) {
          log.info({ endpoint: address?.endpoint }, 'delivery went away before it was complete');
          return;
        }
        logOutcome(log, outcome, { endpoint: address?.endpoint, ms: nowMs() - startedMs });
        // Whoever left without waiting for the answer gets it at the next attempt, as a duplicate.
        if (response.destroyed) return;
        const answer = answerOf(outcome);
        response.writeHead(answer.status, answer.headers);
        response.end(answer.body);
        discardRest(request);
      })
      .catch((error: unknown) => {
        log.error({ error: errorName(error) }, 'a delivery could not be answered');
        response.destroy();
      });
  };
}

function describeFailure(error: unknown): Outcome {
  const cause =
    error instanceof StoreUnavailable ? 'the queue can not store it now' : `fault: ${errorName(error)}`;
  return { kind: 'unavailable', cause, retryAfterSeconds: RETRY_AFTER_SECONDS };
}

function logOutcome(log: Log, outcome: Outcome, fields: { endpoint: string | undefined; ms: number }): void {
  if ('id' in outcome) log.info({ ...fields, id: outcome.id }, `delivery ${outcome.kind}`);
  else log.warn({ ...fields, refused: outcome.kind, cause: outcome.cause }, 'delivery refused');
}
