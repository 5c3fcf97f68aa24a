import { setTimeout as pause } from 'node:timers/promises';

import { createJudge } from './judge.mjs';
import { startLoad } from './load/load.mjs';
import { createReceiver } from './processes/receiver.mjs';
import { createRandom } from './random.mjs';
import { reconcile } from './reconcile.mjs';

const LANES = 64;
const THINK_MS = 40;
const RECOVER_WITHIN_MS = 10_000;

/** Plays one fault under load, lets everything settle, and compares the queue with what was sent. */
export async function playRound(fault, { store, ledger, seed, receivers: all, receiverOptions }) {
  // What the fault draws must not depend on how much the senders draw.
  const random = createRandom(seed);
  const receivers = [...all];
  if (fault.words !== undefined) {
    const name = `group-${random.between(0, 1e9)}`;
    receivers[1] = await createReceiver({ ...receiverOptions, name, words: fault.words });
  }
  const judge = createJudge(receivers);
  const { answers } = judge;
  let recoveredMs = 0;

  /** Waits until each of these receivers has accepted something that was sent after the moment. */
  async function untilRecovered(who, sinceMs) {
    for (const { name } of who) {
      let first;
      while (first === undefined && performance.now() - sinceMs < RECOVER_WITHIN_MS) {
        await pause(10);
        first = answers.find(
          ({ receiver, said, startedMs }) => receiver === name && said === 'accepted' && startedMs >= sinceMs,
        );
      }
      judge.expect(
        first !== undefined,
        `${name} accepted nothing within ${RECOVER_WITHIN_MS} ms after the fault`,
      );
      if (first !== undefined) recoveredMs = Math.max(recoveredMs, first.endedMs - sinceMs);
    }
  }

  const { failsOver, lanes = LANES, thinkMs = THINK_MS } = fault;
  if (fault.isCalm === true) judge.calm();
  const load = startLoad({
    ledger,
    random: createRandom(seed + 1),
    answers,
    receivers,
    lanes,
    thinkMs,
    failsOver,
  });
  await pause(random.between(250, 500));
  await fault.play({ random, receivers, judge, untilRecovered });
  await pause(random.between(100, 200));
  await load.stop();

  const queue = await reconcile(store, ledger);
  const { violations, figures } = judge.finish();
  return {
    fault: fault.name,
    recoveredMs,
    queue,
    figures,
    violations: [...violations, ...describeQueue(queue)],
  };
}

function describeQueue({ lost, doubled, foreign, acceptedTwice, unanswered }) {
  return [
    ['acknowledged but not in the queue', lost],
    ['in the queue more than once', doubled],
    ['in the queue but never sent', foreign],
    ['answered `accepted` more than once', acceptedTwice],
    ['never answered 200, however often it was sent again', unanswered],
  ]
    .filter(([, list]) => list.length > 0)
    .map(([what, list]) => `${what}: ${list.length} deliveries, ${list.slice(0, 3).join(', ')}`);
}
