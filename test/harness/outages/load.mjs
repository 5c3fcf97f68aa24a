import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

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
      await pause(random.between(0, 2 * thinkMs));
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

const FILLER = 'what was said in the meeting, again and again; '.repeat(1400);

/**
 * What was sent, what its sender was told, and what was found in the queue. Everything is known by the body's meeting
 * id, which no other delivery has.
 */
export function createLedger(label, random) {
  const byId = new Map();
  const acknowledged = [];
  return {
    byId,
    acknowledged,
    /** A new delivery. */
    make() {
      const id = `${label}-${byId.size + 1}`;
      const body = Buffer.from(
        JSON.stringify({
          event: 'meeting.completed',
          meeting_id: id,
          timestamp: new Date().toISOString(),
          data: { title: chooseTitle(random), transcript: FILLER.slice(0, chooseLength(random)) },
        }),
      );
      const counts = { accepted: 0, duplicate: 0, jobs: 0, removedJobs: 0 };
      const delivery = { id, deliveryId: `d-${id}`, body, isGivenUp: false, told: new Set(), ...counts };
      byId.set(id, delivery);
      return delivery;
    },
    /** What a 200 said. */
    acknowledge(delivery, said) {
      if (delivery.accepted + delivery.duplicate === 0) acknowledged.push(delivery);
      if (said === 'accepted') delivery.accepted += 1;
      else delivery.duplicate += 1;
    },
  };
}

function chooseLength(random) {
  const one = random.next();
  if (one < 0.002) return 60_000;
  return one < 0.1 ? 4000 : 600;
}

/** Some titles hold what stores have trouble with: NUL, half a surrogate pair, four-byte characters. */
function chooseTitle(random) {
  const one = random.next();
  if (one < 0.01) return 'a\u0000b\ud83d';
  return one < 0.1 ? '週報 🎉' : 'Weekly';
}

/** The service gives up on an answer after this. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Posts one delivery and says what came of it: `status`, `retryAfter` and what the answer `said`, or, where there was
 * none, `broken` with the error's code. Times are those of `performance.now()`.
 */
export function post(url, { agent, headers, body }) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const sending = request(url, { method: 'POST', agent, headers });
    const finish = (outcome) => {
      clearTimeout(timer);
      resolve({ ...outcome, startedMs, endedMs: performance.now(), isReused: sending.reusedSocket });
    };
    const timer = setTimeout(() => {
      finish({ broken: 'no answer' });
      sending.destroy();
    }, GIVE_UP_AFTER_MS);
    sending.on('error', ({ code }) => finish({ broken: code ?? 'error' }));
    sending.on('response', (response) => {
      const { statusCode: status, headers: answered } = response;
      text(response).then(
        (answer) =>
          finish({ status, retryAfter: answered['retry-after'], said: /"status":"(\w+)"/.exec(answer)?.[1] }),
        () => finish({ broken: 'half an answer' }),
      );
    });
    sending.end(body);
  });
}

export const SECRET = 'whsec_0123456789abcdef';

/**
 * The headers of a delivery that is signed now: by the specification's rule and Node's own HMAC, not by the code
 * under test.
 */
export function signDelivery({ deliveryId, body }) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-service-event': 'meeting.completed',
    'x-service-signature': `sha256=${digest}`,
    'x-service-timestamp': timestamp,
    'x-service-delivery': deliveryId,
  };
}

/** The bytes of a request before its body. */
export function writeHead(headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /hooks/default HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`);
}
