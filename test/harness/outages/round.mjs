import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import { watchWaiting } from '../processes.mjs';
import { createFindings } from '../report.mjs';

/** The promise: whatever happens to the store, an answer comes within a second. */
const ANSWER_WITHIN_MS = 1000;

/** Sockets and timers are not exact. What processes waited for a processor is measured, and comes on top. */
const MARGIN_MS = 100;

const RECOVER_WITHIN_MS = 10_000;

/** A fault that is there makes at least so many deliveries fail. */
const MIN_REFUSED = 5;

/** A 503 may come so long after the fault has ended. */
const REFUSED_UNTIL_MS = 900;

/** What a fault uses while it runs, and the judgement of the answers in that time. */
export function watchRound({ receivers, random, isCalm = false }) {
  const answers = [];
  const findings = createFindings();
  const notes = [];
  const windows = [];
  const breakable = new Map();
  const stops = new Map();
  const limits = [];
  const figures = {
    answers: 0,
    unavailable: 0,
    notTaken: 0,
    slowestUnavailableMs: 0,
    slowestOkMs: 0,
    recoveredMs: 0,
  };
  const most = (name, ms) => (figures[name] = Math.max(figures[name] ?? 0, ms));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const waiting = watchWaiting(receivers);

  return {
    answers,
    random,
    receivers,
    expect: findings.expect,
    /** Something that was measured, for people. */
    note: (what, value) => void notes.push(`${what}: ${JSON.stringify(value)}`),
    /** The most of a time, for the table. */
    most,
    /** Like `expect`, for a time: what processes waited for a processor comes on top of the limit. */
    within: (what, ms, limitMs = ANSWER_WITHIN_MS) => void limits.push({ what, ms, limitMs }),
    /** Between these moments the store was surely away. `canRead`: what it has already it may still tell. */
    away: (window) => void windows.push(window),
    /** Connections to this receiver may break: it is killed. */
    mayBreak: ({ name }) => void breakable.set(name, { fromMs: performance.now(), untilMs: Infinity }),
    /** It lives again: what is sent to it from now on must be answered. */
    mustHold: ({ name }) => void (breakable.get(name).untilMs = performance.now()),
    /** From this moment the receiver takes no new connections, but answers what it has. */
    stopped: ({ name }, atMs) => void stops.set(name, atMs),
    /** Waits until each of these receivers has accepted something that was sent after the moment. */
    async untilRecovered(who, sinceMs) {
      for (const { name } of who) {
        const isSign = ({ receiver, said, startedMs }) =>
          receiver === name && said === 'accepted' && startedMs >= sinceMs;
        while (!answers.some(isSign) && performance.now() - sinceMs < RECOVER_WITHIN_MS) await pause(10);
        const sign = answers.find(isSign);
        findings.expect(sign !== undefined, `${name} accepted nothing within ${RECOVER_WITHIN_MS} ms`);
        if (sign !== undefined) most('recoveredMs', sign.endedMs - sinceMs);
      }
    },
    finish() {
      delay.disable();
      const delayMs = delay.max / 1e6 + waiting.finish();
      const excusedMs = MARGIN_MS + delayMs;
      for (const { what, ms, limitMs } of limits) {
        findings.expect(
          ms <= limitMs + excusedMs,
          `${what} took ${Math.round(ms)} ms: the limit is ${limitMs} ms`,
        );
      }
      for (const answer of answers) {
        if (answer.broken === undefined) checkAnswer(answer, ANSWER_WITHIN_MS + excusedMs);
        else checkBroken(answer);
      }
      for (const window of windows) {
        const refused = answers.filter(
          ({ status, endedMs }) =>
            status === 503 && endedMs > window.fromMs && endedMs < window.untilMs + REFUSED_UNTIL_MS,
        );
        findings.expect(
          refused.length >= MIN_REFUSED,
          `the fault did not bite: only ${refused.length} deliveries were refused`,
        );
      }
      return {
        figures: { ...figures, answers: answers.length, delayMs },
        notes,
        violations: findings.list(),
      };
    },
  };

  function checkAnswer({ id, status, said, retryAfter, startedMs, endedMs }, limitMs) {
    const tookMs = endedMs - startedMs;
    if (tookMs > limitMs) findings.add(`a ${status} took longer than ${Math.round(limitMs)} ms`, id);
    if (status === 200) {
      most('slowestOkMs', tookMs);
      const window = windows.find(({ fromMs, untilMs }) => fromMs <= startedMs && endedMs <= untilMs);
      if (window !== undefined && !(window.canRead && said === 'duplicate'))
        findings.add(`answered 200 (${said}) while the store was away`, id);
    } else if (status === 503) {
      figures.unavailable += 1;
      most('slowestUnavailableMs', tookMs);
      if (!/^[1-9]\d*$/.test(retryAfter ?? '')) findings.add('a 503 without Retry-After', id);
      if (isCalm) findings.add('refused although the store was there', id);
    } else findings.add(`a genuine delivery was answered ${status}`, id);
  }

  function checkBroken({ id, receiver, broken, isReused, startedMs, endedMs }) {
    const { fromMs = Infinity, untilMs } = breakable.get(receiver) ?? {};
    if (fromMs <= endedMs && startedMs <= untilMs && broken !== 'no answer') return;
    const isStopping = stops.get(receiver) < endedMs;
    if (isStopping && broken === 'ECONNREFUSED') return;
    // It was never taken: it waited in the kernel's queue when the socket stopped listening.
    if (isStopping && !isReused) figures.notTaken += 1;
    else findings.add(`${receiver} ended a connection without an answer (${broken})`, id);
  }
}
