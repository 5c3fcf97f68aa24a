import { monitorEventLoopDelay } from 'node:perf_hooks';

import { watchWaiting } from '../processes.mjs';
import { readBodies } from '../stores.mjs';

/** The promise: whatever happens to the store, an answer comes within a second. */
const ANSWER_WITHIN_MS = 1000;

/** Sockets and timers are not exact. What processes waited for a processor is measured, and comes on top. */
const MARGIN_MS = 100;

/**
 * Looks at the answers of one round, and at what its fault found out. `violations` are sentences; `figures` are what a
 * person wants to see.
 */
export function createAssertions(receivers) {
  const answers = [];
  const violations = [];
  const windows = [];
  const breakable = new Map();
  const stops = new Map();
  const took = {};
  const seen = {};
  const limits = [];
  let isCalm = false;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const waiting = watchWaiting(receivers);

  return {
    answers,
    expect(isSo, sentence) {
      if (!isSo) violations.push(sentence);
    },
    /** Between these moments the store was surely away. `canRead`: what it has already it may still tell. */
    away: (window) => void windows.push(window),
    /** Connections to this receiver may break: it is killed. */
    mayBreak: (receiver) => void breakable.set(receiver, { fromMs: performance.now(), untilMs: Infinity }),
    /** It lives again: what is sent to it from now on must be answered. */
    mustHold: (receiver) => void (breakable.get(receiver).untilMs = performance.now()),
    /** From this moment the receiver takes no new connections, but answers what it has. */
    stopped: (receiver, atMs) => void stops.set(receiver, atMs),
    /** Something that was measured, for people. */
    figure(what, value) {
      seen[what] = typeof value === 'number' ? Math.round(value) : value;
    },
    /** Like {@link expect}, for a time: what processes waited for a processor comes on top of the limit. */
    within: (what, ms, limitMs) => void limits.push({ what, ms, limitMs }),
    took(what, ms) {
      took[what] = Math.max(took[what] ?? 0, ms);
    },
    /** Nothing happens to the store: each delivery must be answered 200. */
    calm: () => void (isCalm = true),
    finish() {
      delay.disable();
      const delayMs = delay.max / 1e6 + waiting.finish();
      const limitMs = ANSWER_WITHIN_MS + MARGIN_MS + delayMs;
      for (const { what, ms, limitMs: most } of limits) {
        if (ms > most + MARGIN_MS + delayMs)
          violations.push(`${what} took ${Math.round(ms)} ms: the limit is ${most} ms`);
      }
      for (const [what, ms] of Object.entries(took)) {
        if (what === 'readyz' && ms > limitMs) violations.push(`/readyz took ${Math.round(ms)} ms`);
      }
      const checked = checkAnswers({ answers, windows, breakable, stops, limitMs });
      if (isCalm && checked.figures.unavailable > 0) {
        violations.push(
          `${checked.figures.unavailable} deliveries were refused although the store was there`,
        );
      }
      return {
        violations: [...violations, ...checked.violations],
        figures: { ...checked.figures, took, seen, delayMs, limitMs },
      };
    },
  };
}

function checkAnswers({ answers, windows, breakable, stops, limitMs }) {
  const found = new Map();
  const violate = (sentence, { id }) => found.set(sentence, [...(found.get(sentence) ?? []), id]);
  const figures = {
    answers: answers.length,
    unavailable: 0,
    slowestUnavailableMs: 0,
    slowestOkMs: 0,
    broken: 0,
    fresh: 0,
  };
  for (const answer of answers) {
    const { status, broken, receiver, said } = answer;
    const tookMs = answer.endedMs - answer.startedMs;
    if (broken !== undefined) {
      figures.broken += 1;
      const { fromMs = Infinity, untilMs } = breakable.get(receiver) ?? {};
      if (fromMs <= answer.endedMs && answer.startedMs <= untilMs && broken !== 'no answer') continue;
      const isStopping = stops.get(receiver) < answer.endedMs;
      if (isStopping && broken === 'ECONNREFUSED') continue;
      // It was never taken: it waited in the kernel's queue when the socket stopped listening.
      if (isStopping && !answer.isReused) figures.fresh += 1;
      else violate(`${receiver} ended a connection without an answer (${broken})`, answer);
      continue;
    }
    if (tookMs > limitMs) violate(`a ${status} took longer than ${Math.round(limitMs)} ms`, answer);
    if (status === 200) {
      figures.slowestOkMs = Math.max(figures.slowestOkMs, tookMs);
      const window = windows.find(
        ({ fromMs, untilMs }) => fromMs <= answer.startedMs && answer.endedMs <= untilMs,
      );
      if (window !== undefined && !(window.canRead && said === 'duplicate')) {
        violate(`answered 200 (${said}) while the store was away`, answer);
      }
    } else if (status === 503) {
      figures.unavailable += 1;
      figures.slowestUnavailableMs = Math.max(figures.slowestUnavailableMs, tookMs);
      if (!/^[1-9]\d*$/.test(answer.retryAfter ?? '')) violate('a 503 without Retry-After', answer);
    } else {
      violate(`a genuine delivery was answered ${status}`, answer);
    }
  }
  const violations = [...found].map(
    ([sentence, ids]) => `${sentence}: ${ids.length} times, ${ids.slice(0, 3).join(', ')}`,
  );
  for (const { fromMs, untilMs } of windows) {
    const bites = answers.filter(
      ({ status, endedMs }) => status === 503 && endedMs > fromMs && endedMs < untilMs + 900,
    );
    if (bites.length < 5)
      violations.push(`the fault did not bite: only ${bites.length} deliveries were refused`);
  }
  return { violations, figures };
}

/** More jobs than this are taken out once they are counted, so that reading stays quick; their marks stay. */
const REMOVE_ABOVE = 5000;

/**
 * Compares the queue with what was sent. Each acknowledged delivery must be there once, each other at most once, and
 * nothing that was not sent.
 */
export async function reconcile(store, ledger) {
  const unexpected = [];
  const total = await store.withQueue(async (queue) => {
    const { total: found, bodies } = await readBodies(queue);
    for (const delivery of ledger.byId.values()) delivery.jobs = delivery.removedJobs;
    for (const body of bodies) {
      const delivery = findSent(ledger, body);
      if (delivery === undefined) unexpected.push(body.slice(0, 80));
      else delivery.jobs += 1;
    }
    if (bodies.length !== found)
      throw new Error(`the queue counts ${found} jobs and showed ${bodies.length}`);
    if (found > REMOVE_ABOVE) {
      await queue.drain(true);
      for (const delivery of ledger.byId.values()) delivery.removedJobs = delivery.jobs;
    }
    return found;
  });

  // Each wrong is told once, in the round that did it.
  const told = (list, delivery, what) => {
    if (delivery.told.has(what)) return;
    delivery.told.add(what);
    list.push(delivery.id);
  };
  const lost = [];
  const doubled = [];
  const acceptedTwice = [];
  const unanswered = [];
  for (const delivery of ledger.byId.values()) {
    const isAcknowledged = delivery.accepted + delivery.duplicate > 0;
    if (isAcknowledged && delivery.jobs === 0) told(lost, delivery, 'lost');
    if (delivery.jobs > 1) told(doubled, delivery, 'doubled');
    if (delivery.accepted > 1) told(acceptedTwice, delivery, 'accepted twice');
    if (!isAcknowledged && !delivery.isGivenUp) told(unanswered, delivery, 'unanswered');
  }
  return { total, lost, doubled, unexpected, acceptedTwice, unanswered };
}

/** The delivery with exactly these bytes. */
function findSent({ byId }, body) {
  try {
    const delivery = byId.get(JSON.parse(body).meeting_id);
    return delivery?.body.equals(Buffer.from(body)) === true ? delivery : undefined;
  } catch {
    // Not even JSON.
    return undefined;
  }
}
