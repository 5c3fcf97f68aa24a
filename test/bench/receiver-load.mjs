// What delivers to a receiver: signed requests made in advance, connections that send them, and a flood beside them.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { signDelivery, writeHead } from '../harness/outages/load.mjs';
import { writeBody } from './effects-samples.mjs';
import { describeTimes } from './figures.mjs';

export const BODY_BYTES = 900;

/** A flood has so many connections, with so many requests at once or bodies of this length. */
const FLOOD_CONNECTIONS = 300;
const PIPELINED = 90;
const LARGE_BYTES = 200_000;

/** The process that delivers: `prepare` makes requests, `deliver` sends some of them. */
export function load() {
  let requests;
  return {
    prepare({ count }) {
      requests = prepareDeliveries(count);
    },
    deliver: (order) => deliver(order, requests),
  };
}

/** `count` requests, each with a meeting of its own; the title makes its body up to the length. */
export function prepareDeliveries(count) {
  const tag = randomBytes(4).toString('hex');
  const filler = 'Weekly sales sync with the team of the north '.repeat(40);
  return Array.from({ length: count }, (_unused, index) => {
    const serial = String(index).padStart(8, '0');
    const write = (title) => writeBody(`m_${tag}_${serial}`, title);
    const body = Buffer.from(write(filler.slice(0, BODY_BYTES - write('').length)));
    // 64 hexadecimal digits, as the service has them.
    const headers = signDelivery({ deliveryId: `${tag}${'0'.repeat(48)}${serial}`, body });
    return Buffer.concat([writeHead({ ...headers, 'user-agent': 'Service-Webhooks/1.0' }), body]);
  });
}

/**
 * Sends the requests from `from` to `to`: every connection sends its next one when it has the answer to the last. With
 * `sendsAgain`, one that is answered 503 is sent again when its `Retry-After` is over, a lost connection is opened again,
 * and every time is counted from the start of all, when everything was due at once.
 */
async function deliver({ port, connections, from, to, sendsAgain = false }, requests) {
  const count = to - from;
  const timesMs = [];
  const statuses = {};
  const again = [];
  let next = from;
  let retried = 0;
  let resets = 0;
  let endedMs = 0;
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const cpu = process.cpuUsage();
  const startedMs = performance.now();

  async function runLane(first) {
    let connection = first;
    while (timesMs.length < count) {
      if (connection.isLost) connection = await openConnection(port);
      const index = again.shift() ?? (next < to ? next++ : undefined);
      if (index === undefined) {
        await pause(10);
        continue;
      }
      const sentMs = performance.now();
      const answer = await connection.send(requests[index]);
      if (answer === undefined) {
        if (!sendsAgain) throw new Error('the server closed a connection');
        resets += 1;
        again.push(index);
      } else if (sendsAgain && answer.status === 503) {
        retried += 1;
        const [, seconds = '1'] = /\r\nretry-after: *(\d+)/i.exec(answer.head) ?? [];
        setTimeout(() => again.push(index), Number(seconds) * 1000);
      } else {
        endedMs = performance.now();
        timesMs.push(endedMs - (sendsAgain ? startedMs : sentMs));
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      }
    }
    connection.close();
  }

  await Promise.all(opened.map(runLane));
  const seconds = (endedMs - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const busy = (user + system) / 1e6 / seconds;
  return { seconds, perSecond: count / seconds, statuses, retried, resets, ...describeTimes(timesMs), busy };
}

/**
 * One keep-alive connection with at most one request under way. `send` resolves with the answer's status and head, once it
 * is whole, or with nothing when the connection is lost.
 */
export function openConnection(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let rest = Buffer.alloc(0);
    let onAnswer = () => {};
    const connection = {
      isLost: false,
      send: (bytes) =>
        new Promise((done) => {
          onAnswer = done;
          socket.write(bytes);
        }),
      close: () => socket.destroy(),
    };
    socket.once('connect', () => resolve(connection));
    socket.on('error', reject);
    socket.on('close', () => {
      connection.isLost = true;
      onAnswer();
    });
    socket.on('data', (piece) => {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = rest.latin1Slice(0, end);
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? ['', '0'];
      if (rest.length < end + 4 + Number(length)) return;
      rest = Buffer.alloc(0);
      onAnswer({ status: Number(head.slice(9, 12)), head });
    });
  });
}

/**
 * The process that floods a server until it is stopped: `pipelined` sends 90 requests at once over each of 300 connections,
 * `large` forged deliveries of 200 KB: well formed and fresh, so that only the body shows it. A connection that was closed
 * is opened again.
 */
export function flood({ kind, port }) {
  const [perSend, bytes] = kind === 'pipelined' ? [PIPELINED, pipeline()] : [1, forge()];
  const counts = { opened: 0, answers: 0 };
  let isOver = false;

  function open() {
    if (isOver) return;
    counts.opened += 1;
    const socket = connect({ port, host: '127.0.0.1' });
    let waiting = perSend;
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (piece) => {
      const answers = piece.toString('latin1').split('HTTP/1.1 ').length - 1;
      counts.answers += answers;
      waiting -= answers;
      if (waiting > 0) return;
      waiting = perSend;
      socket.write(bytes);
    });
    socket.on('error', () => {});
    // Not at once: a server that refuses connections would make this a loop without end.
    socket.on('close', () => setTimeout(open, 5));
  }

  return {
    start() {
      for (let one = 0; one < FLOOD_CONNECTIONS; one += 1) open();
    },
    stop() {
      isOver = true;
      return counts;
    },
  };
}

function pipeline() {
  return Buffer.from('GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(PIPELINED));
}

function forge() {
  const headers = signDelivery({ deliveryId: 'forged', body: Buffer.alloc(0) });
  return Buffer.concat([
    writeHead({ ...headers, 'content-length': LARGE_BYTES }),
    Buffer.alloc(LARGE_BYTES, 'x'),
  ]);
}
