import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { post } from './post.mjs';
import { signDelivery } from './sign.mjs';

/** The service waits for minutes; what matters here is that it comes again, with the same id and body, newly signed. */
const AGAIN_AFTER_MS = 100;
const SETTLE_WITHIN_MS = 10_000;
const isSentAgain = (status) => status >= 500 || status === 408 || status === 429;

/**
 * Senders, each on a keep-alive connection of its own: one delivery after the other, each sent until it is answered
 * 200. Some send an acknowledged one again, some the same at once over two connections, and a few give up.
 * Every answer goes to `answers`.
 */
export function startLoad({ ledger, random, answers, receivers, lanes, thinkMs, failsOver = false }) {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  const stopping = new AbortController();
  let stoppedMs = Infinity;

  async function deliver(delivery, home) {
    for (let attempt = 0; ; attempt += 1) {
      const receiver = failsOver ? receivers[(home + attempt) % receivers.length] : receivers[home];
      const answer = await post(`${receiver.url}/hooks/default`, {
        agent,
        headers: signDelivery(delivery),
        body: delivery.body,
      });
      answers.push({ ...answer, receiver: receiver.name, id: delivery.id });
      if (answer.status === 200) {
        ledger.acknowledge(delivery, answer.said);
        return;
      }
      if (answer.status !== undefined && !isSentAgain(answer.status)) return;
      if (performance.now() - stoppedMs > SETTLE_WITHIN_MS) return;
      if (random.next() < 0.03) {
        delivery.isGivenUp = true;
        return;
      }
      await pause(AGAIN_AFTER_MS);
    }
  }

  async function runLane(index) {
    // Not all in one moment.
    await pause(random.between(0, 50));
    const home = index % receivers.length;
    while (!stopping.signal.aborted) {
      const choice = random.next();
      if (choice < 0.04 && ledger.acknowledged.length > 0) {
        await deliver(random.pick(ledger.acknowledged), home);
      } else if (choice < 0.07) {
        const twin = ledger.make();
        await Promise.all([deliver(twin, home), deliver(twin, (home + 1) % receivers.length)]);
      } else {
        await deliver(ledger.make(), home);
      }
      if (thinkMs > 0) await pause(random.between(0, 2 * thinkMs));
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, (_, index) => runLane(index)));
  return {
    /** Sends nothing new, and resolves when everything has its answer or its time is over. */
    async stop() {
      stoppedMs = performance.now();
      stopping.abort();
      await running;
      agent.destroy();
    },
  };
}
