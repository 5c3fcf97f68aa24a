import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { SandboxStep } from '../sandbox-step.ts';
import { DataFolderError } from '../state/data-folder-error.ts';
import type { Courier, Trip } from './create-courier.ts';
import type { DeliveryLog } from './create-delivery-log.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Receiver } from './read-receiver.ts';

export interface DeliveryScheduleSettings {
  readonly log: DeliveryLog;
  readonly courier: Courier;
  readonly clock: SandboxClock;
  /** How long to wait before the second, third, ... attempt, in the sandbox's time. */
  readonly retryDelaysMs: readonly number[];
  readonly observe: (step: SandboxStep) => void;
}

export interface DeliverySchedule {
  /**
   * Notes the delivery and attempts it, again and again, from its `nextAttemptAtMs` on or now. An earlier schedule of
   * it ends. `onTried` is called whenever an attempt has ended. Throws `DataFolderError` where the delivery cannot be
   * noted; then nothing is sent.
   */
  readonly begin: (delivery: Delivery, receiver: Receiver, onTried?: () => void) => void;
  /** Whether the next attempt waits for its time. */
  readonly isPlanned: (deliveryId: string) => boolean;
  /** Whether even the first attempt waits for its time. */
  readonly isHeldBack: (deliveryId: string) => boolean;
  /** Makes the attempt now that waits for its time. */
  readonly hasten: (deliveryId: string) => void;
  /** Plans nothing more for it; an attempt that is under way is still noted. */
  readonly end: (deliveryId: string) => void;
  readonly clear: () => void;
}

/** One schedule of a delivery: another one takes its place when somebody asks for the delivery again. */
interface Run {
  readonly deliveryId: string;
  readonly receiver: Receiver;
  /** Takes back the next attempt; present while that waits for its time. */
  cancelPlan: (() => void) | undefined;
  readonly onTried: (() => void) | undefined;
}

/** Of one delivery. */
const keptAttempts = 50;

/** Attempts deliveries until they are accepted, refused for good, or the waits are used up. */
export function createDeliverySchedule(settings: DeliveryScheduleSettings): DeliverySchedule {
  const { log, courier, clock, retryDelaysMs, observe } = settings;
  const runs = new Map<string, Run>();

  function attempt(run: Run, atMs: number): void {
    const delivery = log.find(run.deliveryId);
    if (delivery === undefined) return;
    const isWanted = (): boolean => runs.get(run.deliveryId) === run;
    courier.carry({ delivery, receiver: run.receiver, atMs, isWanted }, (trip) => {
      conclude(run, atMs, trip);
    });
  }

  /** Where the clock was moved on beyond it already, the attempt is made soon, and for the clock at its time. */
  function plan(run: Run, atMs: number): void {
    run.cancelPlan = clock.schedule(atMs, () => {
      run.cancelPlan = undefined;
      attempt(run, clock.now());
    });
  }

  function conclude(run: Run, atMs: number, trip: Trip): void {
    const delivery = log.find(run.deliveryId);
    if (delivery === undefined) return;
    const isCurrent = runs.get(run.deliveryId) === run;
    const delayMs = trip.verdict === 'again' ? retryDelaysMs[delivery.attemptsMade] : undefined;
    const nextAtMs = isCurrent && delayMs !== undefined ? atMs + delayMs : undefined;
    const noted = isCurrent ? noteTrip(delivery, trip, nextAtMs) : noteLateTrip(delivery, trip);
    if (isCurrent && noted.state !== 'waiting') end(noted.id);
    keep(noted);
    if (nextAtMs !== undefined) plan(run, nextAtMs);
    run.onTried?.();
    report(delivery, trip);
  }

  function report({ id: deliveryId, meetingId }: Delivery, { attempts }: Trip): void {
    for (const { status, error, elapsedMs } of attempts) {
      const outcome = status === undefined ? { error: error ?? '' } : { status };
      observe({ kind: 'delivery_attempted', deliveryId, meetingId, ...outcome, elapsedMs });
    }
  }

  function end(deliveryId: string): void {
    const run = runs.get(deliveryId);
    if (run === undefined) return;
    runs.delete(deliveryId);
    run.cancelPlan?.();
    run.cancelPlan = undefined;
  }

  /** Nobody could be told here that the disk is full: the schedule goes on, and the log stays behind. */
  function keep(delivery: Delivery): void {
    try {
      log.put(delivery);
    } catch (error) {
      if (!(error instanceof DataFolderError)) throw error;
    }
  }

  const isPlanned = (deliveryId: string): boolean => runs.get(deliveryId)?.cancelPlan !== undefined;

  return {
    begin(delivery, receiver, onTried) {
      log.put(delivery);
      end(delivery.id);
      const run: Run = { deliveryId: delivery.id, receiver, cancelPlan: undefined, onTried };
      runs.set(delivery.id, run);
      const { nextAttemptAtMs = 0 } = delivery;
      if (nextAttemptAtMs > clock.now()) plan(run, nextAttemptAtMs);
      else attempt(run, clock.now());
    },
    isPlanned,
    isHeldBack: (deliveryId) => isPlanned(deliveryId) && log.find(deliveryId)?.attemptsMade === 0,
    hasten(deliveryId) {
      const run = runs.get(deliveryId);
      if (run?.cancelPlan === undefined) return;
      run.cancelPlan();
      run.cancelPlan = undefined;
      attempt(run, clock.now());
    },
    end,
    clear() {
      for (const { cancelPlan } of runs.values()) cancelPlan?.();
      runs.clear();
    },
  };
}

function noteTrip(delivery: Delivery, trip: Trip, nextAttemptAtMs: number | undefined): Delivery {
  const { stamp: lastStamp, origin, verdict } = trip;
  const attempts = addAttempts(delivery, trip);
  if (nextAttemptAtMs !== undefined) {
    const attemptsMade = delivery.attemptsMade + 1;
    return { ...delivery, attempts, attemptsMade, nextAttemptAtMs, origin, lastStamp };
  }
  const state = verdict === 'delivered' ? 'delivered' : 'given_up';
  return { ...delivery, state, attempts, nextAttemptAtMs, lastStamp };
}

/** Of a schedule whose place another one has taken: what becomes of the delivery is that one's matter. */
function noteLateTrip(delivery: Delivery, trip: Trip): Delivery {
  return { ...delivery, attempts: addAttempts(delivery, trip), lastStamp: trip.stamp };
}

function addAttempts({ attempts }: Delivery, trip: Trip): readonly Attempt[] {
  if (attempts.length === 0) return trip.attempts;
  return [...attempts, ...trip.attempts].slice(-keptAttempts);
}
