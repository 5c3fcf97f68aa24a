import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Inbox, type Log, StoreUnavailable } from '@aftermeet/queue';
import { type DeliveryHead, findHeadRefusal } from '@aftermeet/webhooks';

import type { DeliveryTally } from './delivery-tally.ts';
import { type DeliveryTrace, traceDelivery } from './delivery-trace.ts';
import {
  acceptsUnsigned,
  type Address,
  type Endpoints,
  findSecrets,
  isJustRemoved,
  parseAddress,
} from './endpoints.ts';
import {
  type DeliveryToExamine,
  examineDelivery,
  receivedHeaderNames,
  refuseByHeaders,
} from './examine-delivery.ts';
import { createLogThrottle, errorName } from './logging.ts';
import type { ReceiverMetrics } from './metrics.ts';
import { answerOf, type Outcome, type Refused, type RefusalKind } from './outcome.ts';
import { createPeerNamer } from './peer-name.ts';
import {
  countRefusal,
  createRateLimiter,
  createUnsignedLimit,
  isCounted,
  type RateLimit,
  type RateLimiter,
} from './rate-limits.ts';
import {
  createBodyBudget,
  createReadingTurns,
  discardBody,
  readBody,
  type UnreadReason,
} from './read-body.ts';
import { askForBody, isAwaited } from './unusual-requests.ts';

export interface DeliveryHandlerOptions {
  readonly endpoints: Endpoints;
  readonly inbox: Inbox;
  readonly log: Log;
  readonly nowMs?: () => number;
  /** The largest age of a timestamp, and the largest lead; specification, "Events", signature rule 4. */
  readonly toleranceSeconds?: number;
  readonly headerPrefix?: string;
  readonly maxBodyBytes?: number;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted; without them the header is ignored. */
  readonly trustedProxies?: readonly string[];
  readonly metrics?: ReceiverMetrics;
  /** What the console shows of answers. */
  readonly tally?: DeliveryTally;
}

/** Limits that operators do not set; tests pass small ones. */
export interface DeliveryLimits {
  /** Refused requests per peer; default {@link DEFAULT_REFUSALS}. */
  readonly refusals: RateLimit;
  /** Unsigned deliveries per address with a key, which is for one meeting or one customer's uploads. */
  readonly unsigned: RateLimit;
  /** Bytes of all bodies that are being received or stored, over all connections. Above it the answer is 503. */
  readonly maxHeldBytes: number;
}

/** What the handler has in common with the server around it. */
interface SharedWithServer {
  /** Counts the refusals of other routes too. */
  readonly refusals?: RateLimiter;
  /** Whether new deliveries are to be answered 503 at once, because each would wait for seconds. */
  readonly isOverloaded?: () => boolean;
}

export const DEFAULT_REFUSALS: RateLimit = { burst: 2000, perSecond: 50 };

const defaultLimits = {
  unsigned: { burst: 200, perSecond: 1 },
  maxHeldBytes: 64 * 1024 * 1024,
};

/** A plain listener: `request.url` is `/<endpoint>[/<key>]`, as `app.use('/hooks', handler)` leaves it. */
export type DeliveryHandler = (request: IncomingMessage, response: ServerResponse) => void;

export const DEFAULT_MAX_BODY_BYTES = 256 * 1024;
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** A burst is over in a second or two. */
const RETRY_AFTER_SECONDS = 2;

/** A delivery that was not answered yet. */
interface PendingDelivery {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When the request arrived, as `performance.now()` returned it. */
  readonly startedMs: number;
  readonly address: Address | undefined;
}

/**
 * Creates the handler of deliveries, which verifies each over its raw bytes, stores it, and only then answers 200. The
 * handler never throws and never answers 500. A delivery that cannot be stored gets 503 with `Retry-After`: the service
 * retries connection errors, timeouts, 408, 429 and 5xx, and drops the event on any other 4xx.
 *
 * `createDeliveryHandler` throws `RangeError` if a `trustedProxies` range is invalid.
 *
 * It uses callbacks instead of `async`, because five promises cost as much time as verifying a signature.
 */
export function createDeliveryHandler(
  options: DeliveryHandlerOptions,
  customLimits: Partial<DeliveryLimits> = {},
  {
    refusals = createRateLimiter(customLimits.refusals ?? DEFAULT_REFUSALS),
    isOverloaded = () => false,
  }: SharedWithServer = {},
): DeliveryHandler {
  const { endpoints, inbox, log, metrics, tally, nowMs = Date.now } = options;
  const limits = { ...defaultLimits, ...customLimits };
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const toleranceSeconds = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  const headerNames = receivedHeaderNames(options.headerPrefix);
  const budget = createBodyBudget(limits.maxHeldBytes, (bytes) => metrics?.addHeldBytes(bytes));
  const turns = createReadingTurns();
  const limitUnsigned = createUnsignedLimit(limits.unsigned, nowMs);
  const getPeerName = createPeerNamer(options.trustedProxies ?? []);
  const recordOutcome = createOutcomeRecorder(log, metrics, nowMs);
  const logAborted = createLogThrottle(
    (times) => log.info({ times }, 'deliveries aborted before the body was complete'),
    nowMs,
  );

  function begin(delivery: PendingDelivery): void {
    const { request, response, address } = delivery;
    const secrets = address && findSecrets(endpoints, address);
    if (address === undefined || secrets === undefined) {
      const isGone = address === undefined || !isJustRemoved(endpoints, address, nowMs());
      finish(delivery, isGone ? unknownEndpoint : removedEndpoint);
      return;
    }
    if (isOverloaded()) {
      finish(delivery, overloaded);
      return;
    }
    const signature = request.headers[headerNames.signature];
    const timestamp = request.headers[headerNames.timestamp];
    // With one of the two headers the delivery was signed and damaged on its way.
    const isUnsigned =
      signature === undefined && timestamp === undefined && acceptsUnsigned(endpoints, address);
    const refused =
      refuseByHeaders(request) ??
      (isUnsigned ? limitUnsigned(address) : refuseByHead({ signature, timestamp }));
    if (refused !== undefined) {
      finish(delivery, refused);
      return;
    }
    readBody(request, maxBodyBytes, { budget, turns }, (read) => {
      if (read.ok) decide(delivery, { address, secrets, body: read.body, isUnsigned });
      else if (read.reason !== 'aborted') finish(delivery, toUnreadRefusal(read.reason, maxBodyBytes));
      else {
        // The connection is closed, so there is no answer. The request still counts as a refusal of its peer.
        refusals.take(getPeerName(request), nowMs());
        logAborted();
      }
    });
    askForBody(request, response);
  }

  /** Refuses a delivery whose signature will not be right whatever its body is: that need not be read. */
  function refuseByHead(signed: Pick<DeliveryHead, 'signature' | 'timestamp'>): Refused | undefined {
    const cause = findHeadRefusal({ ...signed, nowSeconds: nowMs() / 1000, toleranceSeconds });
    if (cause === undefined) return undefined;
    metrics?.countRefusedCause(cause);
    return { kind: 'unauthorized', cause };
  }

  function decide(
    delivery: PendingDelivery,
    {
      address,
      secrets,
      body,
      isUnsigned,
    }: Pick<DeliveryToExamine, 'address' | 'secrets' | 'body' | 'isUnsigned'>,
  ): void {
    const size = body.length;
    const releaseAndFinish = (outcome: Outcome): void => {
      budget.release(size);
      finish(delivery, outcome);
    };
    let traced: DeliveryTrace | undefined;
    const fail = (error: unknown): void => {
      traced?.end('unavailable');
      releaseAndFinish(toUnavailable(error));
    };
    const readMs = performance.now();
    try {
      const examined = examineDelivery({
        address,
        headers: delivery.request.headers,
        headerNames,
        body,
        secrets,
        isUnsigned,
        toleranceSeconds,
        nowMs: nowMs(),
      });
      if (examined.kind === 'unverified') {
        metrics?.countRefusedCause(examined.cause);
        releaseAndFinish({ kind: 'unauthorized', cause: examined.cause });
      } else if (examined.kind === 'malformed') {
        const { refusal } = examined;
        inbox
          .recordRefusal(refusal)
          .then(() => releaseAndFinish({ kind: 'malformed', cause: refusal.reason }), fail);
      } else {
        // The callbacks refer only to these values: the event's text would otherwise stay in memory a second time.
        const { accept, secretIndex, mismatches } = examined;
        const { jobId: id, job } = accept;
        const { deliveryId } = job;
        const { traceparent } = delivery.request.headers;
        traced = traceDelivery({
          // Of an unsigned delivery nothing is proved.
          traceparent: typeof traceparent === 'string' && job.isUnsigned !== true ? traceparent : undefined,
          endpoint: address.endpoint,
          startedMs: delivery.startedMs,
          readMs,
        });
        if (traced?.traceparent !== undefined) job.traceparent = traced.traceparent;
        inbox.accept(accept).then(({ kind, isConflict }) => {
          traced?.end(kind);
          releaseAndFinish({ kind, id, isConflict, deliveryId, secretIndex, mismatches });
        }, fail);
      }
    } catch (error) {
      fail(error);
    }
  }

  function finish({ request, response, startedMs, address }: PendingDelivery, outcome: Outcome): void {
    try {
      const limited = isCounted(outcome)
        ? countRefusal(refusals, getPeerName(request), outcome, nowMs())
        : outcome;
      sendAnswer(request, response, limited);
      tally?.note(limited, address?.endpoint);
      recordOutcome(limited, address?.endpoint, startedMs);
    } catch (error) {
      response.destroy();
      log.error({ error: errorName(error) }, 'a delivery could not be answered');
    }
  }

  return function handleDelivery(request, response) {
    const delivery = {
      request,
      response,
      startedMs: performance.now(),
      address: parseAddress(request.url ?? ''),
    };
    try {
      begin(delivery);
    } catch (error) {
      finish(delivery, toUnavailable(error));
    }
  };
}

const unknownEndpoint: Refused = { kind: 'unknown_endpoint', cause: 'no endpoint of this name' };
const overloaded: Refused = {
  kind: 'overloaded',
  cause: 'the event loop lags',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};
const removedEndpoint: Refused = {
  kind: 'removed',
  cause: 'the endpoint was removed',
  retryAfterSeconds: 600,
};

/** The refusal of a request whose body could not be read. */
function toUnreadRefusal(reason: Exclude<UnreadReason, 'aborted'>, maxBodyBytes: number): Refused {
  if (reason === 'too_large') return { kind: 'too_large', cause: `body over ${maxBodyBytes} bytes` };
  return unavailable(
    reason === 'no_room'
      ? 'memory budget for request bodies is full'
      : 'the body was consumed before the handler: mount it before express.json()',
  );
}

/** Turns any unexpected error into a 503, which the service retries. */
function toUnavailable(error: unknown): Refused {
  return unavailable(
    error instanceof StoreUnavailable
      ? `the queue cannot store it now${error.code === undefined ? '' : `: ${error.code}`}`
      : `unexpected error: ${errorName(error)}`,
  );
}

function unavailable(cause: string): Refused {
  return { kind: 'unavailable', cause, retryAfterSeconds: RETRY_AFTER_SECONDS };
}

/** Sends the answer. A sender that closed the connection before it gets `duplicate` at its next attempt. */
function sendAnswer(request: IncomingMessage, response: ServerResponse, outcome: Outcome): void {
  if (response.destroyed) return;
  const { status, headers, body } = answerOf(outcome);
  // The sender waits for `100 Continue` and may still send the body, so the next request needs a new connection.
  if (isAwaited(request)) response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  response.end(body);
  if (!request.complete) discardBody(request);
}

/** `startedMs` comes from `performance.now()`, which is never set back and has fractions of a millisecond. */
type RecordOutcome = (outcome: Outcome, endpoint: string | undefined, startedMs: number) => void;

/**
 * Counts and logs each outcome. Lines hold ids and never content; a conflict gets a second line. Refusals of which a
 * stranger can cause any number share a throttled line for each kind.
 */
function createOutcomeRecorder(
  log: Log,
  metrics: ReceiverMetrics | undefined,
  nowMs: () => number,
): RecordOutcome {
  const quietKinds = new Map(
    (['too_many', 'removed', 'overloaded'] as const).map((kind) => [kind as string, createQuietLine(kind)]),
  );
  function createQuietLine(refused: RefusalKind): (fields: object) => void {
    let last: object = {};
    const write = createLogThrottle(
      (times) => log.warn({ ...last, refused, times }, `deliveries refused: ${refused}`),
      nowMs,
    );
    return (fields) => {
      last = fields;
      write();
    };
  }
  return (outcome, endpoint, startedMs) => {
    const elapsedMs = performance.now() - startedMs;
    const ms = Math.round(elapsedMs * 100) / 100;
    metrics?.countAnswer(outcome.kind, elapsedMs / 1000);
    if (!('id' in outcome)) {
      const { kind, cause } = outcome;
      const writeQuietly = quietKinds.get(kind);
      if (writeQuietly === undefined) log.warn({ endpoint, ms, refused: kind, cause }, 'delivery refused');
      else writeQuietly({ endpoint, cause });
      return;
    }
    const { kind, id, isConflict, deliveryId, secretIndex, mismatches } = outcome;
    // Most deliveries use the first secret, which is not logged. Another index shows the progress of a rotation.
    const signed =
      secretIndex === 0 ? undefined : secretIndex === undefined ? { unsigned: true } : { secretIndex };
    log.info({ endpoint, ms, id, ...signed }, `delivery ${kind}`);
    if (mismatches.length > 0) {
      for (const header of mismatches) metrics?.countMismatch(header);
      log.warn({ endpoint, id, headers: mismatches }, 'headers of this delivery do not fit its body');
    }
    if (isConflict) {
      metrics?.countConflict();
      log.warn({ endpoint, id, deliveryId }, 'this delivery id was used before with a different body');
    }
  };
}
