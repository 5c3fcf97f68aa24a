import type { DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { createLanes } from './create-lanes.ts';
import {
  connectionsPerReceiver,
  createPoster,
  type PostAnswer,
  type PosterSettings,
} from './create-poster.ts';
import type { Attempt, Delivery, Origin, Stamp } from './delivery.ts';
import { judgeAnswers, type Verdict } from './judge-answer.ts';
import type { Receiver } from './read-receiver.ts';
import { ageTimestamp, listHeaders, stampAttempt } from './sign-attempt.ts';

export interface CourierSettings extends PosterSettings {
  readonly names: DeliveryHeaderNames;
  /** False: every attempt of a schedule carries the first one's timestamp and signature; see `ageTimestamp`. */
  readonly resign: boolean;
  readonly clock: SandboxClock;
}

interface Errand {
  readonly delivery: Delivery;
  readonly receiver: Receiver;
  /** When the attempt begins, in the sandbox's time. */
  readonly atMs: number;
  /** Asked when its turn has come: there may be many before it. */
  readonly isWanted: () => boolean;
}

export interface Trip {
  /** Two where the delivery was sent twice at once. */
  readonly attempts: readonly Attempt[];
  readonly stamp: Stamp;
  readonly origin: Origin;
  readonly verdict: Verdict;
}

export interface Courier {
  /** Makes one attempt; calls `done` once, later, unless the errand was not wanted any more. */
  readonly carry: (errand: Errand, done: (trip: Trip) => void) => void;
  /** Breaks off everything and forgets what waits. */
  readonly close: () => void;
}

/** Signs deliveries and posts them, to each receiver as many at once as it has connections. */
export function createCourier(settings: CourierSettings): Courier {
  const { names, resign, clock } = settings;
  const poster = createPoster(settings);
  const lanes = createLanes(connectionsPerReceiver);
  /** Another one after every closing: what was under way before reports to nobody. */
  let era = {};

  function sign(delivery: Delivery, body: Buffer, driftMs: number): Pick<Trip, 'stamp' | 'origin'> {
    const origin =
      resign || delivery.origin === undefined
        ? { timestampSeconds: Math.floor(clock.wall() / 1000), driftMs }
        : delivery.origin;
    return { stamp: stampAttempt(delivery, body, ageTimestamp(origin, driftMs)), origin };
  }

  return {
    carry({ delivery, receiver, atMs, isWanted }, done) {
      const driftMs = atMs - clock.wall();
      const body = Buffer.from(delivery.body);
      const isDoubled = delivery.fault === 'duplicate' && !delivery.isRedelivery;
      const copies = isDoubled && delivery.attempts.length === 0 ? 2 : 1;
      const ownEra = era;
      const answers: PostAnswer[] = [];
      const attempts: Attempt[] = [];
      let signed: ReturnType<typeof sign> | undefined;
      let open = copies;

      /** Of two copies, the second may not be wanted any more: the first was sent nevertheless. */
      function endCopy(): void {
        open -= 1;
        if (open > 0 || signed === undefined) return;
        done({ attempts, ...signed, verdict: judgeAnswers(answers) });
      }

      function post(leave: () => void): void {
        if (!isWanted()) {
          leave();
          endCopy();
          return;
        }
        const startedMs = performance.now();
        const { stamp } = (signed ??= sign(delivery, body, driftMs));
        const headers = listHeaders(delivery, stamp, names);
        headers.push('Host', receiver.host, 'Content-Length', String(body.length));
        poster.post({ receiver, headers, body: delivery.body }, (answer) => {
          if (era !== ownEra) return;
          leave();
          answers.push(answer);
          attempts.push(describeAnswer(atMs, answer, Math.round(performance.now() - startedMs)));
          endCopy();
        });
      }

      for (let copy = 0; copy < copies; copy += 1) lanes.enter(receiver.origin, post);
    },
    close() {
      era = {};
      lanes.clear();
      poster.close();
    },
  };
}

function describeAnswer(atMs: number, answer: PostAnswer, elapsedMs: number): Attempt {
  if ('status' in answer) return { atMs, status: answer.status, elapsedMs };
  return { atMs, error: 'error' in answer ? answer.error : answer.refusal, elapsedMs };
}
