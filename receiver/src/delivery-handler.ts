import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Inbox, Log } from '@aftermeet/queue';

import { askForBody } from './awaited-bodies.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { type Address, type Endpoints, findSecrets, readAddress, takesHints } from './endpoints.ts';
import { errorName } from './error-name.ts';
import { examineDelivery, receivedHeaderNames } from './examine-delivery.ts';
import { explainFailure, explainUnread } from './explain-unavailable.ts';
import { createHeldBytes } from './held-bytes.ts';
import type { Outcome } from './outcome.ts';
import { charge, createPeerLimit, isPaid, type PeerLimitOptions } from './peer-limit.ts';
import { createPeerNamer } from './peer-name.ts';
import { createRareLine } from './rare-line.ts';
import { readBody } from './read-body.ts';
import { refuseByHead } from './refuse-by-head.ts';
import { createHintLimit } from './refuse-hint.ts';
import { createReport } from './report-outcome.ts';
import { sendAnswer } from './send-answer.ts';

export interface DeliveryHandlerOptions {
  readonly endpoints: Endpoints;
  readonly inbox: Inbox;
  readonly log: Log;
  readonly nowMs?: () => number;
  /** Both directions; specification, "Events", signature rule 4. */
  readonly toleranceSeconds?: number;
  readonly headerPrefix?: string;
  readonly maxBodyBytes?: number;
  /** Refused requests of one peer. */
  readonly peerLimit?: PeerLimitOptions;
  /** Unsigned deliveries at one capability address. */
  readonly hintLimit?: PeerLimitOptions;
  /** Bytes of bodies under way or waiting for the store, over all connections; past it 503. 64 MiB. */
  readonly maxHeldBytes?: number;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed; the header is ignored without them. */
  readonly trustedProxies?: readonly string[];
  readonly meter?: DeliveryMeter;
}

/** A plain listener: `request.url` is `/<endpoint>[/<key>]`, as `app.use('/hooks', handler)` leaves it. */
export type DeliveryHandler = (request: IncomingMessage, response: ServerResponse) => void;

export const DEFAULT_MAX_BODY_BYTES = 256 * 1024;
export const DEFAULT_TOLERANCE_SECONDS = 300;
const DEFAULT_MAX_HELD_BYTES = 64 * 1024 * 1024;
const DEFAULT_PEER_LIMIT: PeerLimitOptions = { burst: 2000, perSecond: 50 };

/** One delivery, from its head to its answer. */
interface UnderWay {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of `performance.now()`. */
  readonly startedMs: number;
  readonly address: Address | undefined;
}

/**
 * Receives deliveries: verifies each over its raw bytes, stores it, and only then answers 200.
 * It never throws and never answers 500: what can't be stored now is 503 with `Retry-After`, because the
 * service repeats a 5xx and forgets any other 4xx for ever. Making it throws `RangeError` on a proxy range that is none.
 *
 * Callbacks stand where `async` would read better: five promises cost as much as the check of a signature.
 */
export function createDeliveryHandler(options: DeliveryHandlerOptions): DeliveryHandler {
  const { endpoints, inbox, log, meter, nowMs = Date.now } = options;
  const report = createReport(log, meter, nowMs);
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const toleranceSeconds = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  const headerNames = receivedHeaderNames(options.headerPrefix);
  const held = createHeldBytes(options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES, (bytes) =>
    meter?.addHeldBytes(bytes),
  );
  const limit = createPeerLimit(options.peerLimit ?? DEFAULT_PEER_LIMIT);
  const refuseHint = createHintLimit({ endpoints, headerNames, limit: options.hintLimit, nowMs });
  const tellAborted = createRareLine(
    (times) => log.info({ times }, 'deliveries went away before they were complete'),
    nowMs,
  );
  const namePeer = createPeerNamer(options.trustedProxies ?? []);

  function finish({ request, response, startedMs, address }: UnderWay, reached: Outcome): void {
    try {
      const outcome = isPaid(reached) ? charge(limit, namePeer(request), reached, nowMs()) : reached;
      sendAnswer(request, response, outcome);
      report(outcome, address?.endpoint, startedMs);
    } catch (error) {
      response.destroy();
      log.error({ error: errorName(error) }, 'a delivery could not be answered');
    }
  }

  /** Nobody is there to be told, so all it costs is a token of those that refusals are answered for. */
  function leave(request: IncomingMessage): void {
    limit.take(namePeer(request), nowMs());
    tellAborted();
  }

  function begin(delivery: UnderWay): void {
    const { request, response, address } = delivery;
    const secrets = address && findSecrets(endpoints, address);
    if (address === undefined || secrets === undefined) {
      finish(delivery, { kind: 'unknown_endpoint', cause: 'no endpoint of this name' });
      return;
    }
    const refused = refuseByHead(request) ?? refuseHint(request.headers, address);
    if (refused !== undefined) {
      finish(delivery, refused);
      return;
    }
    readBody(request, maxBodyBytes, held, (read) => {
      if (read.ok) decide(delivery, address, secrets, read.body);
      else if (read.reason !== 'aborted') finish(delivery, explainUnread(read.reason, maxBodyBytes));
      else leave(request);
    });
    askForBody(request, response);
  }

  function decide(delivery: UnderWay, address: Address, secrets: readonly string[], body: Buffer): void {
    const size = body.length;
    const settle = (outcome: Outcome): void => {
      held.release(size);
      finish(delivery, outcome);
    };
    const fail = (error: unknown): void => settle(explainFailure(error));
    try {
      const examined = examineDelivery({
        address,
        headers: delivery.request.headers,
        headerNames,
        body,
        secrets,
        takesHints: () => takesHints(endpoints, address),
        toleranceSeconds,
        nowMs: nowMs(),
      });
      if (examined.verdict === 'forged') {
        meter?.countRefusedCause(examined.cause);
        settle({ kind: 'unauthorized', cause: examined.cause });
      } else if (examined.verdict === 'malformed') {
        const { refusal } = examined;
        inbox.recordRefusal(refusal).then(() => settle({ kind: 'malformed', cause: refusal.reason }), fail);
      } else {
        // Only names stay here while the store writes: the text of the event would be held a second time.
        const { accept, secretIndex } = examined;
        const { jobId: id, job } = accept;
        const { deliveryId } = job;
        inbox
          .accept(accept)
          .then(({ kind, isConflict }) => settle({ kind, id, isConflict, deliveryId, secretIndex }), fail);
      }
    } catch (error) {
      fail(error);
    }
  }

  return function handleDelivery(request, response) {
    const delivery = {
      request,
      response,
      startedMs: performance.now(),
      address: readAddress(request.url ?? ''),
    };
    try {
      begin(delivery);
    } catch (error) {
      finish(delivery, explainFailure(error));
    }
  };
}
