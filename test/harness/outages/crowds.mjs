import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { forgetPeak, readMemory } from '../processes.mjs';
import { signDelivery } from './load.mjs';

const OUTAGE_MS = 3000;

/** Five hundred requests, their sockets and what they wait for, many times over. */
const MAY_GROW_MB = 100;

/** The store hangs while five hundred connections deliver: memory must not grow with the time that it takes. */
export function outageUnderCrowd(store) {
  const stop = store.faults.find(({ name }) => name === 'store stopped');
  return {
    name: 'store stopped under 500 connections',
    lanes: 500,
    thinkMs: 250,
    async run({ receivers, assertions, untilRecovered }) {
      const memory = receivers.map(({ name, pid }) => ({ name, pid, beforeMb: readMemory(pid).nowMb }));
      for (const { pid } of memory) forgetPeak(pid);
      await stop.begin();
      const fromMs = performance.now();
      await pause(OUTAGE_MS);
      assertions.away({ fromMs, untilMs: performance.now() });
      await stop.end();
      await untilRecovered(receivers, performance.now());
      for (const { name, pid, beforeMb } of memory) {
        const { peakMb } = readMemory(pid);
        assertions.figure(`${name} MB before`, beforeMb);
        assertions.figure(`${name} MB at most`, peakMb);
        assertions.expect(
          peakMb - beforeMb < MAY_GROW_MB,
          `${name} grew from ${beforeMb} to ${peakMb} MB while the store was away`,
        );
      }
    },
  };
}

const HEADERS_WITHIN_MS = 5000;

const REQUEST_WITHIN_MS = 10_000;

/** The receiver looks once a second, and the kernel takes its time. */
const LOOKS_EVERY_MS = 1500;

const SLOW_SENDERS_MAX_GROWTH_MB = 60;

/**
 * Senders that never finish, and a thousand that send nothing: the receiver ends them by its own limits, and
 * genuine deliveries pass as if they were not there.
 */
export const slowSenders = {
  name: 'slow senders and 1,000 idle connections',
  lanes: 16,
  thinkMs: 50,
  isCalm: true,
  async run({ receivers: [receiver], assertions }) {
    const beforeMb = readMemory(receiver.pid).nowMb;
    forgetPeak(receiver.pid);
    const idle = openRawSenders(receiver.url, 1000, {});
    const headers = openRawSenders(receiver.url, 50, {
      first: 'POST /hooks/default HTTP/1.1\r\nHost: a\r\n',
      drip: 'X-A: b\r\n',
    });
    const bodies = openRawSenders(receiver.url, 50, { first: writeHead(100_000), drip: '{' });
    await Promise.all([headers, bodies].map((each) => each.untilEnded(2 * REQUEST_WITHIN_MS)));

    expectEnded(assertions, 'headers', headers.senders, HEADERS_WITHIN_MS);
    expectEnded(assertions, 'a body', bodies.senders, REQUEST_WITHIN_MS);
    const { peakMb } = readMemory(receiver.pid);
    assertions.figure('MB before', beforeMb);
    assertions.figure('MB at most', peakMb);
    assertions.expect(
      peakMb - beforeMb < SLOW_SENDERS_MAX_GROWTH_MB,
      `the receiver grew from ${beforeMb} to ${peakMb} MB by slow senders`,
    );
    for (const opened of [idle, headers, bodies]) opened.close();
  },
};

/** The head of a request whose body is announced with this length; the signature is right for no body at all. */
function writeHead(length) {
  const headers = {
    ...signDelivery({ deliveryId: 'slow', body: Buffer.alloc(0) }),
    'content-length': length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /hooks/default HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`;
}

function expectEnded(assertions, what, senders, limitMs) {
  const slowestMs = Math.max(...senders.map(({ endedAfterMs = Infinity }) => endedAfterMs));
  assertions.figure(`senders of ${what} ended after at most, ms`, slowestMs);
  assertions.figure(`senders of ${what} were answered`, countStatuses(senders));
  assertions.within(`the end of a sender that drips ${what}`, slowestMs, limitMs + LOOKS_EVERY_MS);
}

const LONGEST_BODY = 256 * 1024;

// A body in pieces grows by doubling: up to twice the budget of 64 MiB, and what the collector has not taken yet.
const HELD_BODIES_MAX_GROWTH_MB = 170;

const ENDED_WITHIN_MS = 20_000;

/**
 * Three hundred senders hold back the last byte of the longest body there may be: more than the receiver is willing to
 * hold. It must say so, stay in its bounds, and take deliveries again once it has ended them.
 */
export const heldBodies = {
  name: '300 bodies of 256 KiB held back',
  lanes: 16,
  thinkMs: 50,
  async run({ receivers: [receiver], assertions, untilRecovered }) {
    const beforeMb = readMemory(receiver.pid).nowMb;
    forgetPeak(receiver.pid);
    const first = Buffer.concat([Buffer.from(writeHead(LONGEST_BODY)), Buffer.alloc(LONGEST_BODY - 1, '{')]);
    const held = openRawSenders(receiver.url, 300, { first });
    await held.untilEnded(ENDED_WITHIN_MS);
    const { peakMb } = readMemory(receiver.pid);
    const statuses = countStatuses(held.senders);
    held.close();
    assertions.figure('MB before', beforeMb);
    assertions.figure('MB at most', peakMb);
    assertions.figure('senders were answered', statuses);
    assertions.expect(
      peakMb - beforeMb < HELD_BODIES_MAX_GROWTH_MB,
      `the receiver grew from ${beforeMb} to ${peakMb} MB by held bodies`,
    );
    assertions.expect(
      (statuses[503] ?? 0) >= 40,
      `more than 64 MiB are held: only ${statuses[503] ?? 0} of 300 were answered 503`,
    );
    await untilRecovered([receiver], performance.now());
  },
};

/**
 * Opens raw connections that write `first` and then one of `rest` every 200 ms, and never end. For each: whether and
 * when the receiver ended it, counted from its first byte, and the status that it was answered.
 */
function openRawSenders(url, count, { first, drip }) {
  const { port } = new URL(url);
  const senders = Array.from({ length: count }, () => {
    const sender = { startedMs: performance.now(), status: undefined, endedAfterMs: undefined };
    const socket = connect(Number(port), '127.0.0.1', () => {
      sender.startedMs = performance.now();
      if (first !== undefined) socket.write(first);
      if (drip !== undefined) timer = setInterval(() => socket.write(drip), 200);
    });
    let timer;
    const end = () => {
      clearInterval(timer);
      sender.endedAfterMs ??= performance.now() - sender.startedMs;
    };
    socket.on('data', (data) => {
      sender.status ??= /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1];
      sender.answeredAfterMs ??= performance.now() - sender.startedMs;
    });
    // It may be reset, because we never stop writing.
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
    sender.close = () => socket.destroy();
    return sender;
  });
  return {
    senders,
    /** Resolves when the receiver has ended all of them, or after this time. */
    async untilEnded(withinMs) {
      const untilMs = performance.now() + withinMs;
      while (performance.now() < untilMs && senders.some(({ endedAfterMs }) => endedAfterMs === undefined)) {
        await pause(50);
      }
    },
    close() {
      for (const sender of senders) sender.close();
    },
  };
}

/** How often each status came; `none` where there was no answer. */
function countStatuses(senders) {
  const counts = {};
  for (const { status = 'none' } of senders) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
