import { signDelivery, type DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { SandboxClock } from '../clock.ts';
import { createCollection } from '../collection.ts';
import type { DeliveryFault } from '../faults.ts';
import type { SandboxStep } from '../sandbox-options.ts';
import {
  describeDelivery,
  describeDeliveryDetail,
  listHeaders,
  parseReceiver,
  type Attempt,
  type Delivery,
  type DeliveryDetail,
  type DeliveryView,
  type FirstSigning,
  type Receiver,
  type SignatureValues,
} from './delivery.ts';
import { createPoster, type PostAnswer, type PosterSettings } from './http-poster.ts';

export interface WebhookSenderSettings extends PosterSettings {
  readonly clock: SandboxClock;
  readonly names: DeliveryHeaderNames;
  /** Delays before the second, third, ... attempt, in the time of the sandbox. */
  readonly retryDelaysMs: readonly number[];
  /** False: every attempt carries the timestamp and signature of the first one; see `ageTimestamp`. */
  readonly signsRetries: boolean;
  /** Returns the fault of the next delivery. Called once for each, so that chance does not depend on the receiver. */
  readonly takeFault: () => DeliveryFault | undefined;
  readonly observe: (step: SandboxStep) => void;
}

type NewDelivery = Pick<Delivery, 'id' | 'meetingId' | 'event' | 'url' | 'body'> & {
  readonly secret: string | undefined;
};

export interface WebhookSender {
  /** Makes the first attempt at once and retries in the background. */
  readonly send: (order: NewDelivery) => void;
  /** Starts all attempts anew, with a new signature and without the fault; false for an unknown delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly DeliveryView[];
  readonly find: (deliveryId: string) => DeliveryDetail | undefined;
  /** Aborts every attempt; the deliveries stay as they are. */
  readonly stop: () => void;
  /** Aborts every attempt and removes all deliveries. */
  readonly reset: () => void;
}

/** The attempts of one delivery. A redelivery replaces it. */
interface Run {
  readonly deliveryId: string;
  readonly receiver: Receiver;
  /** Cancels the next attempt; present while that waits for its time. */
  cancel: (() => void) | undefined;
  /** Called when an attempt has ended. */
  readonly onTried: (() => void) | undefined;
}

/** The outcome of one attempt; a duplicate makes two posts. */
interface Outcome {
  readonly attempts: readonly Attempt[];
  readonly stamp: SignatureValues;
  readonly firstSigning: FirstSigning;
  readonly result: 'delivered' | 'retry' | 'final';
}

/** Per delivery. */
const MAX_ATTEMPTS = 50;
/** A held delivery is sent after this sandbox time, if no other one overtakes it. */
const MAX_HOLD_MS = 30_000;

/** Sends deliveries as the service does: at once, then by the retry delays until one is accepted. */
export function createWebhookSender(settings: WebhookSenderSettings): WebhookSender {
  const { clock, names, signsRetries, retryDelaysMs, takeFault, observe } = settings;
  const poster = createPoster(settings);
  const runs = new Map<string, Run>();
  const log = createDeliveryLog();
  /** The delivery that waits to be overtaken, by the origin of its receiver. */
  const heldBack = new Map<string, string>();
  /** Replaced when everything is aborted: the answers of earlier posts are ignored. */
  let epoch = {};

  function start(delivery: Delivery, onTried?: () => void): void {
    const receiver = parseReceiver(delivery.url);
    endRun(delivery.id);
    if (receiver === undefined) {
      const refused = { atMs: clock.now(), error: 'not sent: not an http(s) URL', elapsedMs: 0 };
      log.put({ ...delivery, state: 'given_up', attempts: [...delivery.attempts, refused] });
      return;
    }
    log.put(delivery);
    const run: Run = { deliveryId: delivery.id, receiver, cancel: undefined, onTried };
    runs.set(delivery.id, run);
    const { nextAttemptAtMs = 0 } = delivery;
    if (nextAttemptAtMs > clock.now()) schedule(run, nextAttemptAtMs);
    else attempt(run, clock.now());
  }

  /** With the fault `reorder`, a delivery waits until the next one for the same receiver was tried. */
  function startInOrder(delivery: Delivery): void {
    const origin = parseReceiver(delivery.url)?.origin ?? '';
    const earlierId = heldBack.get(origin);
    heldBack.delete(origin);
    if (earlierId !== undefined && isHeldBack(earlierId)) {
      start(delivery, () => {
        const earlier = runs.get(earlierId);
        if (earlier === undefined || !isHeldBack(earlierId)) return;
        earlier.cancel?.();
        earlier.cancel = undefined;
        attempt(earlier, clock.now());
      });
    } else if (delivery.fault === 'reorder') {
      heldBack.set(origin, delivery.id);
      start({ ...delivery, nextAttemptAtMs: clock.now() + MAX_HOLD_MS });
    } else start(delivery);
  }

  const isPlanned = (deliveryId: string): boolean => runs.get(deliveryId)?.cancel !== undefined;

  function isHeldBack(deliveryId: string): boolean {
    return isPlanned(deliveryId) && log.find(deliveryId)?.attemptsMade === 0;
  }

  function schedule(run: Run, atMs: number): void {
    run.cancel = clock.schedule(atMs, () => {
      run.cancel = undefined;
      attempt(run, clock.now());
    });
  }

  /** Makes one attempt: signs, posts, and decides what is next. */
  function attempt(run: Run, atMs: number): void {
    const delivery = log.find(run.deliveryId);
    if (delivery === undefined) return;
    const body = Buffer.from(delivery.body);
    const { stamp, firstSigning } = sign(delivery, body, atMs - clock.wall());
    const headers = listHeaders(delivery, stamp, names);
    headers.push('Host', run.receiver.host, 'Content-Length', String(body.length));
    const isDoubled = delivery.fault === 'duplicate' && !delivery.isRedelivery;
    const copies = isDoubled && delivery.attempts.length === 0 ? 2 : 1;
    const ownEpoch = epoch;
    const answers: PostAnswer[] = [];
    const attempts: Attempt[] = [];
    for (let copy = 0; copy < copies; copy += 1) {
      const startedMs = performance.now();
      poster.post({ receiver: run.receiver, headers, body: delivery.body }, (answer) => {
        if (epoch !== ownEpoch) return;
        answers.push(answer);
        attempts.push(describeAnswer(atMs, answer, Math.round(performance.now() - startedMs)));
        if (answers.length < copies) return;
        conclude(run, atMs, { attempts, stamp, firstSigning, result: combineAnswers(answers) });
      });
    }
  }

  function conclude(run: Run, atMs: number, outcome: Outcome): void {
    const delivery = log.find(run.deliveryId);
    if (delivery === undefined) return;
    const attempts = [...delivery.attempts, ...outcome.attempts].slice(-MAX_ATTEMPTS);
    const tried = { ...delivery, attempts, lastStamp: outcome.stamp };
    // A redelivery may have taken over: then the state is its affair.
    if (runs.get(run.deliveryId) !== run) log.put(tried);
    else {
      const delayMs = outcome.result === 'retry' ? retryDelaysMs[delivery.attemptsMade] : undefined;
      if (delayMs === undefined) {
        endRun(run.deliveryId);
        const state = outcome.result === 'delivered' ? 'delivered' : 'given_up';
        log.put({ ...tried, state, nextAttemptAtMs: undefined });
      } else {
        const { firstSigning } = outcome;
        const nextAttemptAtMs = atMs + delayMs;
        log.put({ ...tried, attemptsMade: delivery.attemptsMade + 1, nextAttemptAtMs, firstSigning });
        schedule(run, nextAttemptAtMs);
      }
    }
    run.onTried?.();
    for (const { status, error, elapsedMs } of outcome.attempts) {
      const result = status === undefined ? { error: error ?? '' } : { status };
      const { id: deliveryId, meetingId } = delivery;
      observe({ kind: 'delivery_attempted', deliveryId, meetingId, ...result, elapsedMs });
    }
  }

  /** Cancels the next attempt. One that is under way is still noted. */
  function endRun(deliveryId: string): void {
    runs.get(deliveryId)?.cancel?.();
    runs.delete(deliveryId);
  }

  function sign(delivery: Delivery, body: Buffer, aheadMs: number): Pick<Outcome, 'stamp' | 'firstSigning'> {
    const firstSigning =
      signsRetries || delivery.firstSigning === undefined
        ? { timestampSeconds: Math.floor(clock.wall() / 1000), aheadMs }
        : delivery.firstSigning;
    return { stamp: createStamp(delivery, body, ageTimestamp(firstSigning, aheadMs)), firstSigning };
  }

  function stop(): void {
    epoch = {};
    poster.close();
    for (const { cancel } of runs.values()) cancel?.();
    runs.clear();
    heldBack.clear();
  }

  return {
    send(order) {
      const fault = takeFault();
      const delivery: Delivery = {
        ...order,
        state: 'waiting',
        fault: fault?.kind,
        staleSeconds: fault?.kind === 'stale_timestamp' ? fault.seconds : undefined,
        isRedelivery: false,
        attempts: [],
        attemptsMade: 0,
      };
      if (fault?.kind === 'drop') log.put({ ...delivery, state: 'dropped' });
      else startInOrder(delivery);
    },
    redeliver(deliveryId) {
      const delivery = log.find(deliveryId);
      if (delivery === undefined) return false;
      const { nextAttemptAtMs: _next, firstSigning: _signing, ...rest } = delivery;
      start({ ...rest, state: 'waiting', isRedelivery: true, attemptsMade: 0 });
      return true;
    },
    list: () =>
      log
        .list()
        .slice(-MAX_ENDED)
        .map((delivery) => describeDelivery(delivery, isPlanned(delivery.id))),
    find(deliveryId) {
      const delivery = log.find(deliveryId);
      return delivery && describeDeliveryDetail(delivery, isPlanned(deliveryId), names);
    },
    stop,
    reset() {
      stop();
      log.clear();
    },
  };
}

/** Deliveries that ended are removed over about this number, in the order in which they ended. */
const MAX_ENDED = 1000;
/** Removing many at once is faster than one by one. */
const REMOVED_AT_ONCE = 100;
function createDeliveryLog() {
  const deliveries = createCollection<Delivery>({ keyOf: ({ id }) => id });
  const ended = new Set<string>();
  return {
    find: deliveries.find,
    /** Oldest first. */
    list: deliveries.list,
    put(delivery: Delivery): void {
      deliveries.put(delivery);
      ended.delete(delivery.id);
      if (delivery.state === 'waiting') return;
      ended.add(delivery.id);
      if (ended.size < MAX_ENDED + REMOVED_AT_ONCE) return;
      for (const id of ended) {
        if (ended.size <= MAX_ENDED) return;
        ended.delete(id);
        deliveries.remove(id);
      }
    },
    clear(): void {
      ended.clear();
      deliveries.clear();
    },
  };
}

/**
 * The timestamp of an attempt when retries are not signed again: that of the first attempt, as long as the clock of the
 * sandbox was not advanced. A receiver has the time of the machine: after an advance it would find the retry too young,
 * so the timestamp gets older by the same time.
 */
function ageTimestamp({ timestampSeconds, aheadMs: firstAheadMs }: FirstSigning, aheadMs: number): number {
  return timestampSeconds - Math.floor(Math.max(0, aheadMs - firstAheadMs) / 1000);
}

/** The largest that `signDelivery` takes: eleven digits. */
const MAX_TIMESTAMP = 99_999_999_999;
const fakeSignature = `sha256=${'0'.repeat(64)}`;

/** Timestamp and signature of an attempt, with the fault of the delivery. */
function createStamp(delivery: Delivery, body: Uint8Array, timestampSeconds: number): SignatureValues {
  const { secret, staleSeconds = 0 } = delivery;
  const fault = delivery.isRedelivery ? undefined : delivery.fault;
  const sentSeconds = fault === 'stale_timestamp' ? timestampSeconds - staleSeconds : timestampSeconds;
  const bounded = Math.min(Math.max(0, sentSeconds), MAX_TIMESTAMP);
  if (secret === undefined) {
    const timestamp = String(bounded);
    return fault === 'bad_signature' ? { timestamp, signature: fakeSignature } : { timestamp };
  }
  const stamp = signDelivery({ secret, timestampSeconds: bounded, body });
  return fault === 'bad_signature' ? { ...stamp, signature: corruptSignature(stamp.signature) } : stamp;
}

/** Of the right form, with another last digit. */
function corruptSignature(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
}

function describeAnswer(atMs: number, answer: PostAnswer, elapsedMs: number): Attempt {
  if ('status' in answer) return { atMs, status: answer.status, elapsedMs };
  return { atMs, error: 'error' in answer ? answer.error : answer.refusal, elapsedMs };
}

/** The best result of all copies. */
function combineAnswers(answers: readonly PostAnswer[]): Outcome['result'] {
  const results = answers.map(classifyAnswer);
  if (results.includes('delivered')) return 'delivered';
  return results.includes('retry') ? 'retry' : 'final';
}

/** As observed: a 2xx accepts; a connection error, a timeout, a 5xx, 408 and 429 are retried; everything else is final. */
function classifyAnswer(answer: PostAnswer): Outcome['result'] {
  if ('refusal' in answer) return 'final';
  if ('error' in answer) return 'retry';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || status === 408 || status === 429 ? 'retry' : 'final';
}
