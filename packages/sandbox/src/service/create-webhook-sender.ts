import { attemptDelivery, type AttemptSettings } from './attempt-delivery.ts';
import type { DeliveryAttempt, DeliveryOrder, DeliveryView } from './delivery.ts';
import type { SandboxStep } from './sandbox-step.ts';

export interface WebhookSenderSettings extends AttemptSettings {
  /** How long to wait before the second, third, ... attempt. */
  readonly retryDelaysMs: readonly number[];
  /** False: every attempt carries the first one's timestamp and signature. */
  readonly resign: boolean;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly observe: (step: SandboxStep) => void;
}

export interface WebhookSender {
  /** Sends at once and goes on by the schedule, in the background. */
  readonly send: (order: DeliveryOrder) => void;
  /** Starts the schedule of a delivery anew; false when there is no such delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly DeliveryView[];
  /** Ends every attempt and timer and forgets all deliveries. */
  readonly reset: () => void;
}

interface Entry {
  readonly order: DeliveryOrder;
  readonly firstTimestampSeconds: number;
  state: DeliveryView['state'];
  attempts: readonly DeliveryAttempt[];
  /** Counts the schedules: the attempts of an earlier one plan nothing more. */
  round: number;
  timer?: NodeJS.Timeout | undefined;
  nextAttemptAt?: string | undefined;
}

const keptDeliveries = 1000;

/** Delivers events as the service does: first attempt at once, then by the schedule until one is accepted. */
export function createWebhookSender(settings: WebhookSenderSettings): WebhookSender {
  const entries = new Map<string, Entry>();
  let closing = new AbortController();

  async function attempt(entry: Entry, round: number, number: number): Promise<void> {
    const { signal } = closing;
    const nowMs = settings.clock();
    const timestampSeconds = settings.resign ? toSeconds(nowMs) : entry.firstTimestampSeconds;
    const startedMs = performance.now();
    const { verdict, ...facts } = await attemptDelivery(entry.order, timestampSeconds, settings, signal);
    if (signal.aborted) return;
    const elapsedMs = Math.round(performance.now() - startedMs);
    entry.attempts = [...entry.attempts, { at: new Date(nowMs).toISOString(), ...facts, elapsedMs }];
    if (verdict === 'delivered') finish(entry, 'delivered');
    else if (round === entry.round) {
      const delayMs = verdict === 'again' ? settings.retryDelaysMs[number] : undefined;
      if (delayMs === undefined) finish(entry, 'given_up');
      else plan(entry, round, number + 1, delayMs);
    }
    const { id: deliveryId, meetingId } = entry.order;
    settings.observe({ kind: 'delivery_attempted', deliveryId, meetingId, ...facts, elapsedMs });
  }

  function plan(entry: Entry, round: number, number: number, delayMs: number): void {
    entry.nextAttemptAt = new Date(settings.clock() + delayMs).toISOString();
    entry.timer = setTimeout(() => {
      entry.nextAttemptAt = undefined;
      void attempt(entry, round, number);
    }, delayMs);
  }

  function finish(entry: Entry, state: DeliveryView['state']): void {
    stopWaiting(entry);
    entry.state = state;
  }

  return {
    send(order) {
      const firstTimestampSeconds = toSeconds(settings.clock());
      const entry: Entry = { order, firstTimestampSeconds, state: 'waiting', attempts: [], round: 0 };
      entries.set(order.id, entry);
      forgetOldest(entries);
      void attempt(entry, entry.round, 0);
    },
    redeliver(deliveryId) {
      const entry = entries.get(deliveryId);
      if (entry === undefined) return false;
      finish(entry, 'waiting');
      entry.round += 1;
      void attempt(entry, entry.round, 0);
      return true;
    },
    list: () => [...entries.values()].map(describeEntry),
    reset() {
      closing.abort();
      closing = new AbortController();
      for (const entry of entries.values()) stopWaiting(entry);
      entries.clear();
    },
  };
}

function stopWaiting(entry: Entry): void {
  clearTimeout(entry.timer);
  entry.nextAttemptAt = undefined;
}

function forgetOldest(entries: Map<string, Entry>): void {
  const [oldest] = entries.values();
  if (entries.size <= keptDeliveries || oldest === undefined) return;
  stopWaiting(oldest);
  entries.delete(oldest.order.id);
}

function describeEntry({ order, state, attempts, nextAttemptAt }: Entry): DeliveryView {
  return {
    id: order.id,
    meetingId: order.meetingId,
    event: order.event,
    receiver: new URL(order.url).origin,
    isSigned: order.secret !== undefined,
    state,
    attempts,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
  };
}

function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
