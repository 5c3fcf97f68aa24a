import { signDelivery, type DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { SandboxClock } from '../clock.ts';
import type { DeliveryFault } from '../faults.ts';
import type { SandboxStep } from '../sandbox-options.ts';
import {
  describeDelivery,
  listHeaders,
  parseReceiver,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryOrder,
  type DeliveryView,
  type SignatureValues,
} from './delivery.ts';
import { createPoster, type PostAnswer, type PosterSettings } from './http-poster.ts';

export interface WebhookSenderSettings extends PosterSettings {
  readonly clock: SandboxClock;
  readonly names: DeliveryHeaderNames;
  /** Delays before the second, third, ... attempt, in the time of the sandbox. */
  readonly retryDelaysMs: readonly number[];
  /** Returns the fault of the next delivery. Called once for each, so that chance does not depend on the receiver. */
  readonly takeFault: () => DeliveryFault | undefined;
  readonly observe: (step: SandboxStep) => void;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

const MAX_DELIVERIES = 1000;
/** Per delivery. */
const MAX_ATTEMPTS = 50;
/** How long the fault `reorder` holds a delivery, in the time of the sandbox. */
const REORDER_MS = 30_000;

/** Sends deliveries as the service does: at once, then by the retry delays until one is accepted. */
export function createWebhookSender(settings: WebhookSenderSettings) {
  const { clock, names, retryDelaysMs, takeFault, observe } = settings;
  const poster = createPoster(settings);
  /** By id, oldest first. */
  const deliveries = new Map<string, Delivery>();
  let isStopped = false;

  function plan(delivery: Delivery, atMs: number, number: number): void {
    const cancel = clock.schedule(atMs, () => {
      delivery.next = undefined;
      attempt(delivery, number);
    });
    delivery.next = { atMs, cancel };
  }

  /** `number` counts from 0. */
  function attempt(delivery: Delivery, number: number): void {
    const { receiver, run } = delivery;
    const atMs = clock.now();
    if (receiver === undefined) {
      delivery.state = 'given_up';
      note(delivery, [{ at: toIso(atMs), error: 'not sent: not an http(s) URL', elapsedMs: 0 }]);
      return;
    }
    // A receiver has the time of the machine.
    const stamp = createStamp(delivery, Math.floor(clock.wall() / 1000));
    const isDoubled = number === 0 && run === 0 && delivery.fault?.kind === 'duplicate';
    void post(delivery, receiver, stamp, isDoubled ? 2 : 1).then((answers) => {
      if (isStopped || deliveries.get(delivery.order.id) !== delivery) return;
      delivery.lastStamp = stamp;
      // A redelivery may have taken over: then the state is its affair.
      if (run === delivery.run) {
        const result = combineAnswers(answers);
        const delayMs = result === 'retry' ? retryDelaysMs[number] : undefined;
        if (delayMs !== undefined) plan(delivery, atMs + delayMs, number + 1);
        else delivery.state = result === 'delivered' ? 'delivered' : 'given_up';
      }
      const at = toIso(atMs);
      note(
        delivery,
        answers.map(({ elapsedMs, ...answer }) => ({ at, ...describeAnswer(answer), elapsedMs })),
      );
    });
  }

  function post(delivery: Delivery, receiver: URL, stamp: SignatureValues, copies: number) {
    const { body } = delivery.order;
    const headers = [
      ...Object.entries(listHeaders(delivery.order, stamp, names)).flat(),
      'Host',
      receiver.host,
      'Content-Length',
      String(Buffer.byteLength(body)),
    ];
    const startedMs = performance.now();
    const send = () =>
      new Promise<PostAnswer & { readonly elapsedMs: number }>((resolve) => {
        poster.post({ receiver, headers, body }, (answer) =>
          resolve({ ...answer, elapsedMs: Math.round(performance.now() - startedMs) }),
        );
      });
    return Promise.all(Array.from({ length: copies }, send));
  }

  function note(delivery: Delivery, attempts: readonly DeliveryAttempt[]): void {
    delivery.attempts = [...delivery.attempts, ...attempts].slice(-MAX_ATTEMPTS);
    const { id: deliveryId, meetingId } = delivery.order;
    for (const { at: _at, ...outcome } of attempts) {
      observe({ kind: 'delivery_attempted', deliveryId, meetingId, ...outcome });
    }
  }

  function abortAll(): void {
    poster.close();
    for (const { next } of deliveries.values()) next?.cancel();
  }

  return {
    /** Makes the first attempt at once and retries in the background. */
    send(order: DeliveryOrder): void {
      const fault = takeFault();
      const receiver = parseReceiver(order.url);
      const delivery: Delivery = {
        order,
        receiver,
        fault,
        state: fault?.kind === 'drop' ? 'dropped' : 'waiting',
        attempts: [],
        next: undefined,
        run: 0,
        lastStamp: undefined,
      };
      deliveries.set(order.id, delivery);
      // One that still waits has to arrive, however many there are.
      const oldest = deliveries.size > MAX_DELIVERIES ? findEnded(deliveries.values()) : undefined;
      if (oldest !== undefined) deliveries.delete(oldest.order.id);
      if (fault?.kind === 'reorder') plan(delivery, clock.now() + REORDER_MS, 0);
      else if (fault?.kind !== 'drop') attempt(delivery, 0);
    },
    /** Starts all attempts anew, with a new signature and without the fault; false for an unknown delivery. */
    redeliver: (deliveryId: string): boolean => {
      const delivery = deliveries.get(deliveryId);
      if (delivery === undefined) return false;
      delivery.next?.cancel();
      delivery.next = undefined;
      delivery.state = 'waiting';
      delivery.run += 1;
      attempt(delivery, 0);
      return true;
    },
    /** Newest first, the last 1000. */
    list: (): readonly DeliveryView[] => [...deliveries.values()].toReversed().map(describeDelivery),
    find(deliveryId: string): DeliveryDetail | undefined {
      const delivery = deliveries.get(deliveryId);
      if (delivery === undefined) return undefined;
      const { order, lastStamp } = delivery;
      const headers = lastStamp === undefined ? {} : listHeaders(order, lastStamp, names);
      return { ...describeDelivery(delivery), body: order.body, headers };
    },
    /** Aborts every attempt for good; the deliveries stay as they are. */
    stop(): void {
      isStopped = true;
      abortAll();
    },
    /** Aborts every attempt and removes all deliveries. */
    reset(): void {
      abortAll();
      deliveries.clear();
    },
  };
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** The largest that `signDelivery` takes: eleven digits. */
const MAX_TIMESTAMP = 99_999_999_999;

/** Timestamp and signature of an attempt, with the fault of the delivery. */
function createStamp({ order, fault: planned, run }: Delivery, timestampSeconds: number): SignatureValues {
  const fault = run === 0 ? planned : undefined;
  const sentSeconds = timestampSeconds - (fault?.kind === 'stale_timestamp' ? fault.seconds : 0);
  const bounded = Math.min(Math.max(0, sentSeconds), MAX_TIMESTAMP);
  const isBad = fault?.kind === 'bad_signature';
  const { secret } = order;
  if (secret === undefined) {
    return { timestamp: String(bounded), ...(isBad && { signature: `sha256=${'0'.repeat(64)}` }) };
  }
  const stamp = signDelivery({ secret, timestampSeconds: bounded, body: Buffer.from(order.body) });
  return isBad ? { ...stamp, signature: corruptSignature(stamp.signature) } : stamp;
}

/** Of the right form, with another last digit. */
function corruptSignature(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
}

function describeAnswer(answer: PostAnswer): Pick<DeliveryAttempt, 'status' | 'error'> {
  if ('status' in answer) return { status: answer.status };
  return { error: 'error' in answer ? answer.error : answer.refusal };
}

/** The best result of all copies. */
function combineAnswers(answers: readonly PostAnswer[]): 'delivered' | 'retry' | 'final' {
  const results = answers.map(classifyAnswer);
  return (
    results.find((result) => result === 'delivered') ??
    results.find((result) => result === 'retry') ??
    'final'
  );
}

/** As observed: a 2xx accepts; a connection error, a timeout, a 5xx, 408 and 429 are retried; everything else is final. */
function classifyAnswer(answer: PostAnswer): 'delivered' | 'retry' | 'final' {
  if ('refusal' in answer) return 'final';
  if ('error' in answer) return 'retry';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || status === 408 || status === 429 ? 'retry' : 'final';
}

/** The oldest that has ended. */
function findEnded(deliveries: Iterable<Delivery>): Delivery | undefined {
  for (const delivery of deliveries) if (delivery.state !== 'waiting') return delivery;
  return undefined;
}
