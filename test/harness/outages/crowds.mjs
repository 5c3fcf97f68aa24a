import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { forgetPeak, readMemory } from '../processes.mjs';
import { signDelivery, writeHead } from './load.mjs';

const OUTAGE_MS = 3000;

/** Five hundred requests, their sockets and what they wait for, many times over. */
const OUTAGE_MAY_GROW_MB = 100;

/** The store hangs while five hundred connections deliver: memory must not grow with the time that it takes. */
export function outageUnderCrowd(store) {
  const stop = store.faults.find(({ name }) => name === 'store stopped');
  return {
    name: 'store stopped under 500 connections',
    lanes: 500,
    thinkMs: 250,
    async run(round) {
      const checkMemory = watchMemory(round, OUTAGE_MAY_GROW_MB);
      await stop.begin();
      const fromMs = performance.now();
      await pause(OUTAGE_MS);
      round.away({ fromMs, untilMs: performance.now() });
      await stop.end();
      await round.untilRecovered(round.receivers, performance.now());
      checkMemory();
    },
  };
}

/** Notes the memory of each receiver now; the function that it returns compares the peak since then with it. */
function watchMemory(round, mayGrowMb) {
  const before = round.receivers.map(({ name, pid }) => ({ name, pid, beforeMb: readMemory(pid).nowMb }));
  for (const { pid } of before) forgetPeak(pid);
  return () => {
    for (const { name, pid, beforeMb } of before) {
      const { peakMb } = readMemory(pid);
      const grown = `${name} grew from ${beforeMb} to ${peakMb} MB`;
      round.note('memory', grown);
      round.expect(peakMb - beforeMb < mayGrowMb, grown);
    }
  };
}

const HEADERS_WITHIN_MS = 5000;

const REQUEST_WITHIN_MS = 10_000;

/** The receiver looks once a second, and the kernel takes its time. */
const LOOKS_EVERY_MS = 1500;

const SLOW_SENDERS_MAY_GROW_MB = 60;

/**
 * Senders that never finish, and a thousand that send nothing: the receiver ends them by its own limits, and
 * genuine deliveries pass as if they were not there.
 */
export const slowSenders = {
  name: 'slow senders and 1,000 idle connections',
  lanes: 16,
  thinkMs: 50,
  isCalm: true,
  async run(round) {
    const [{ url }] = round.receivers;
    const checkMemory = watchMemory(round, SLOW_SENDERS_MAY_GROW_MB);
    const idle = openRawSenders(url, 1000, {});
    const headers = openRawSenders(url, 50, {
      first: 'POST /hooks/default HTTP/1.1\r\nHost: a\r\n',
      drip: 'X-A: b\r\n',
    });
    const bodies = openRawSenders(url, 50, { first: writeHeadOf(100_000), drip: '{' });
    await Promise.all([headers, bodies].map((each) => each.untilEnded(2 * REQUEST_WITHIN_MS)));

    const check = (what, senders, limitMs) => {
      round.note(`senders of ${what} were answered`, senders.countStatuses());
      const tookMs = senders.slowestEndMs();
      round.within(`the end of a sender that drips ${what}`, tookMs, limitMs + LOOKS_EVERY_MS);
    };
    check('headers', headers, HEADERS_WITHIN_MS);
    check('a body', bodies, REQUEST_WITHIN_MS);
    checkMemory();
    for (const senders of [idle, headers, bodies]) senders.close();
  },
};

/** The head of a request whose body is announced with this length; the signature is right for no body at all. */
function writeHeadOf(length) {
  const headers = signDelivery({ deliveryId: 'slow', body: Buffer.alloc(0) });
  return writeHead({ ...headers, 'content-length': length });
}

const MAX_BODY_BYTES = 256 * 1024;

/** A body in pieces grows by doubling: up to twice the budget of 64 MiB, and what the collector has not taken yet. */
const HELD_BODIES_MAY_GROW_MB = 170;

const ENDED_WITHIN_MS = 20_000;

/**
 * Three hundred senders hold back the last byte of the longest body there may be: more than the receiver is willing to
 * hold. It must say so, stay in its bounds, and take deliveries again once it has ended them.
 */
export const heldBodies = {
  name: '300 bodies of 256 KiB held back',
  lanes: 16,
  thinkMs: 50,
  async run(round) {
    const checkMemory = watchMemory(round, HELD_BODIES_MAY_GROW_MB);
    const first = Buffer.concat([writeHeadOf(MAX_BODY_BYTES), Buffer.alloc(MAX_BODY_BYTES - 1, '{')]);
    const held = openRawSenders(round.receivers[0].url, 300, { first });
    await held.untilEnded(ENDED_WITHIN_MS);
    checkMemory();
    const statuses = held.countStatuses();
    held.close();
    round.note('senders were answered', statuses);
    const { 503: refused = 0 } = statuses;
    round.expect(refused >= 40, `more than 64 MiB are held: only ${refused} of 300 were answered 503`);
    await round.untilRecovered(round.receivers, performance.now());
  },
};

/** Opens raw connections that write `first`, then `drip` every 200 ms, and never end. */
function openRawSenders(url, count, { first, drip }) {
  const senders = Array.from({ length: count }, () => {
    const sender = { startedMs: performance.now(), status: 'none', endedAfterMs: Infinity };
    let timer;
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      sender.startedMs = performance.now();
      if (first !== undefined) socket.write(first);
      if (drip !== undefined) timer = setInterval(() => socket.write(drip), 200);
    });
    const end = () => {
      clearInterval(timer);
      sender.endedAfterMs = Math.min(sender.endedAfterMs, performance.now() - sender.startedMs);
    };
    socket.once('data', (data) => {
      sender.status = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1] ?? 'none';
    });
    // It may be reset, because we never stop writing.
    for (const event of ['error', 'end', 'close']) socket.on(event, end);
    sender.close = () => socket.destroy();
    return sender;
  });
  /** When the receiver ended the last of them, counted from its first byte. */
  const slowestEndMs = () => Math.max(...senders.map(({ endedAfterMs }) => endedAfterMs));
  return {
    slowestEndMs,
    /** Resolves when the receiver has ended all of them, or after this time. */
    async untilEnded(withinMs) {
      const untilMs = performance.now() + withinMs;
      while (performance.now() < untilMs && slowestEndMs() === Infinity) await pause(50);
    },
    /** How often each status came; `none` where there was no answer. */
    countStatuses() {
      const counts = {};
      for (const { status } of senders) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    },
    close() {
      for (const sender of senders) sender.close();
    },
  };
}
