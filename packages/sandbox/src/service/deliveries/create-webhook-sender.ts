import type { DeliveryFault } from '../../faults/fault.ts';
import type { SandboxStep } from '../sandbox-step.ts';
import type { Journal } from '../state/journal.ts';
import { createCourier, type CourierSettings } from './create-courier.ts';
import { createDeliveryLog, keptDeliveries } from './create-delivery-log.ts';
import { createDeliverySchedule } from './create-delivery-schedule.ts';
import type { Delivery, DeliveryDetail, DeliveryOrder, DeliveryView } from './delivery.ts';
import { describeDelivery, describeWhole } from './describe-delivery.ts';
import { readReceiver } from './read-receiver.ts';

export interface WebhookSenderSettings extends CourierSettings {
  readonly journal: Journal;
  /** How long to wait before the second, third, ... attempt, in the sandbox's time. */
  readonly retryDelaysMs: readonly number[];
  /** The fault that hits the next delivery: asked once for each, so that chance does not depend on the receiver's answers. */
  readonly takeFault: () => DeliveryFault | undefined;
  readonly observe: (step: SandboxStep) => void;
}

export interface WebhookSender {
  /** Sends at once and goes on by the schedule, in the background. Throws `DataFolderError` where it cannot be kept. */
  readonly send: (order: DeliveryOrder) => void;
  /** Starts the schedule of a delivery anew, newly signed and without its fault; false when there is no such delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** Oldest first, the newest 1000. */
  readonly list: () => readonly DeliveryView[];
  readonly find: (deliveryId: string) => DeliveryDetail | undefined;
  /** Goes on with what an earlier process left waiting; what became due meanwhile is due now. */
  readonly resume: () => void;
  /** Ends every attempt and timer and forgets all deliveries. */
  readonly reset: () => void;
}

/** A delivery that is held back goes out after this much of the sandbox's time, should no other overtake it. */
const longestHoldMs = 30_000;

/** Delivers events as the service does: first attempt at once, then by the schedule until one is accepted. */
export function createWebhookSender(settings: WebhookSenderSettings): WebhookSender {
  const { clock, names, takeFault } = settings;
  const courier = createCourier(settings);
  const log = createDeliveryLog(settings.journal, (deliveryId) => {
    schedule.end(deliveryId);
  });
  const schedule = createDeliverySchedule({ ...settings, courier, log });
  /** The delivery that waits to be overtaken, by the origin of its receiver. */
  const held = new Map<string, string>();

  function begin(delivery: Delivery): void {
    const receiver = readReceiver(delivery.url);
    if (receiver === undefined) giveUp(delivery);
    else schedule.begin(delivery, receiver);
  }

  /** The next delivery of the same receiver goes first; where one waits for that already, this is the next. */
  function beginInTurn(delivery: Delivery): void {
    const receiver = readReceiver(delivery.url);
    if (receiver === undefined) {
      giveUp(delivery);
      return;
    }
    const { origin } = receiver;
    const earlierId = held.get(origin);
    held.delete(origin);
    if (earlierId !== undefined && schedule.isHeldBack(earlierId)) {
      schedule.begin(delivery, receiver, () => {
        if (schedule.isHeldBack(earlierId)) schedule.hasten(earlierId);
      });
    } else if (delivery.fault === 'reorder') {
      held.set(origin, delivery.id);
      schedule.begin({ ...delivery, nextAttemptAtMs: clock.now() + longestHoldMs }, receiver);
    } else schedule.begin(delivery, receiver);
  }

  function giveUp(delivery: Delivery): void {
    const attempt = { atMs: clock.now(), error: 'not sent: no address of http or https', elapsedMs: 0 };
    log.put({ ...delivery, state: 'given_up', attempts: [...delivery.attempts, attempt] });
  }

  return {
    send({ id, meetingId, event, url, secret, body }) {
      const fault = takeFault();
      const delivery: Delivery = {
        id,
        meetingId,
        event,
        url,
        secret,
        body,
        state: 'waiting',
        fault: fault?.kind,
        staleSeconds: fault?.kind === 'stale_timestamp' ? fault.seconds : undefined,
        isRedelivery: false,
        attempts: [],
        attemptsMade: 0,
        nextAttemptAtMs: undefined,
        origin: undefined,
        lastStamp: undefined,
      };
      if (fault?.kind === 'drop') log.put({ ...delivery, state: 'dropped' });
      else beginInTurn(delivery);
    },
    redeliver(deliveryId) {
      const delivery = log.find(deliveryId);
      if (delivery === undefined) return false;
      begin({
        ...delivery,
        state: 'waiting',
        isRedelivery: true,
        attemptsMade: 0,
        nextAttemptAtMs: undefined,
        origin: undefined,
      });
      return true;
    },
    list: () =>
      log
        .list()
        .slice(-keptDeliveries)
        .map((delivery) => describeDelivery(delivery, schedule.isPlanned(delivery.id))),
    find(deliveryId) {
      const delivery = log.find(deliveryId);
      return delivery && describeWhole(delivery, schedule.isPlanned(deliveryId), names);
    },
    resume() {
      for (const delivery of log.list()) if (delivery.state === 'waiting') begin(delivery);
    },
    reset() {
      courier.close();
      schedule.clear();
      held.clear();
      log.clear();
    },
  };
}
