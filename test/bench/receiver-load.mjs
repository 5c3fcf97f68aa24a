// What delivers to a receiver: signed requests made in advance, connections that send them, and a flood beside them.
import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';

import { describeTimes } from './figures.mjs';

export const SECRET = 'bench-secret-0123456789abcdef0123456789abcdef';
export const BODY_BYTES = 900;

/** The process that delivers: `prepare` makes requests, the others send those from `from` to `to`. */
export function load() {
  let requests;
  return {
    prepare({ count }) {
      requests = undefined;
      requests = prepareDeliveries(count);
    },
    closed: (order) => runClosedLoop(order, requests),
    burst: (order) => runClosedLoop(order, requests, { retries: true }),
  };
}

const serialMark = '########';
const signatureMark = '@'.repeat(64);

/** `count` requests in one buffer: number `index` is `bytes.subarray(index * size, (index + 1) * size)`. */
export function prepareDeliveries(count) {
  const tag = randomBytes(4).toString('hex');
  const seconds = Math.floor(Date.now() / 1000);
  const head = [
    'POST /hooks/bench HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    'User-Agent: Service-Webhooks/1.0',
    'X-Service-Event: meeting.completed',
    // 64 hexadecimal digits: what fills a store with copies knows an identifier by that.
    `X-Service-Delivery: ${tag}${'0'.repeat(48)}${serialMark}`,
    `X-Service-Timestamp: ${seconds}`,
    `X-Service-Signature: sha256=${signatureMark}`,
    '',
    '',
  ].join('\r\n');
  const template = Buffer.from(head + writeBody(tag), 'latin1');
  const serialsAt = findAll(template, serialMark);
  const signatureAt = template.indexOf(signatureMark);
  const size = template.length;
  const bytes = Buffer.allocUnsafe(count * size);
  for (let index = 0; index < count; index += 1) {
    const start = index * size;
    template.copy(bytes, start);
    const serial = String(index).padStart(serialMark.length, '0');
    for (const at of serialsAt) bytes.latin1Write(serial, start + at);
    const body = bytes.subarray(start + size - BODY_BYTES, start + size);
    const signature = createHmac('sha256', SECRET).update(`${seconds}.`).update(body).digest('hex');
    bytes.latin1Write(signature, start + signatureAt);
  }
  return { bytes, size, count };
}

/** As the service sends them; the title makes it up to the length. */
function writeBody(tag) {
  const id = `m_${tag}_${serialMark}`;
  const write = (title) =>
    JSON.stringify({
      event: 'meeting.completed',
      meeting_id: id,
      timestamp: '2026-07-07T12:00:00Z',
      data: {
        title,
        is_transcript_empty: false,
        report_url: `https://service.example/api/video/report?meeting_id=${id}`,
      },
    });
  const words = 'Weekly sales sync with the team of the north '.repeat(40);
  return write(words.slice(0, BODY_BYTES - write('').length));
}

function findAll(buffer, text) {
  const found = [];
  for (let at = buffer.indexOf(text); at !== -1; at = buffer.indexOf(text, at + 1)) found.push(at);
  return found;
}

/**
 * Every connection sends its next request when it has the answer to the last one. With `retries`, one that is answered 503 is sent again when its `Retry-After`
 * is over, a lost connection is opened again, and every time is counted from the start of all, when everything was due
 * at once.
 */
async function runClosedLoop({ port, connections, from, to }, requests, { retries = false } = {}) {
  const count = to - from;
  const timesMs = new Float64Array(count);
  const sentMs = new Float64Array(count);
  const statuses = {};
  const again = [];
  const idle = [];
  let next = from;
  let ended = 0;
  let retried = 0;
  let resets = 0;
  let startedMs = 0;
  let finish;
  let fail;
  const finished = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });

  function sendNext(connection) {
    const index = again.length > 0 ? again.shift() : next < to ? next++ : -1;
    if (index === -1) {
      idle.push(connection);
      return;
    }
    connection.index = index;
    sentMs[index - from] = performance.now();
    connection.send(requests.bytes.subarray(index * requests.size, (index + 1) * requests.size));
  }

  function onAnswer(connection, status, head) {
    const { index } = connection;
    connection.index = -1;
    if (retries && status === 503) {
      retried += 1;
      const [, seconds = '1'] = /\r\nretry-after: *(\d+)/i.exec(head) ?? [];
      setTimeout(
        () => {
          again.push(index);
          const free = idle.pop();
          if (free !== undefined) sendNext(free);
        },
        Number(seconds) * 1000,
      );
    } else {
      timesMs[index - from] = performance.now() - (retries ? startedMs : sentMs[index - from]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      ended += 1;
      if (ended === count) {
        finish();
        return;
      }
    }
    sendNext(connection);
  }

  /** A sender connects again; what was under way is due again at once. */
  async function onLost(connection) {
    if (!retries) {
      fail(new Error('the server closed a connection'));
      return;
    }
    opened.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    if (connection.index !== -1) {
      resets += 1;
      again.push(connection.index);
    }
    const [fresh] = await openConnections(1, port, onAnswer, reconnect);
    opened.add(fresh);
    sendNext(fresh);
  }
  const reconnect = (connection) => void onLost(connection).catch(fail);

  const opened = new Set(await openConnections(connections, port, onAnswer, reconnect));
  const cpu = process.cpuUsage();
  startedMs = performance.now();
  for (const connection of opened) sendNext(connection);
  await finished;
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of opened) connection.close();
  return {
    seconds,
    perSecond: count / seconds,
    statuses,
    retried,
    resets,
    ...describeTimes(timesMs),
    busy: (user + system) / 1e6 / seconds,
  };
}

const CONNECTIONS = 300;
const PIPELINED = 90;
const LARGE_BYTES = 200_000;

const kinds = {
  pipelined: () => Buffer.from('GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(PIPELINED)),
  /** Well formed and fresh, so that only the body shows that it is forged. */
  large: () => {
    const head = [
      'POST /hooks/bench HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      `Content-Length: ${LARGE_BYTES}`,
      'X-Service-Event: meeting.completed',
      `X-Service-Timestamp: ${Math.floor(Date.now() / 1000)}`,
      `X-Service-Signature: sha256=${'0'.repeat(64)}`,
      '',
      '',
    ];
    return Buffer.from(head.join('\r\n') + 'x'.repeat(LARGE_BYTES));
  },
};

/**
 * The process that floods a server until it is stopped: `pipelined` sends 90 requests at once over each of 300 connections,
 * `large` forged deliveries of 200 KB. A connection that was closed is opened again.
 */
export function flood({ kind, port }) {
  const bytes = kinds[kind]();
  const perSend = kind === 'pipelined' ? PIPELINED : 1;
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
      for (let one = 0; one < CONNECTIONS; one += 1) open();
    },
    stop() {
      isOver = true;
      return counts;
    },
  };
}

// One keep-alive connection with at most one request under way. Reads no more of an answer than its status and its end.

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/** Resolves with a connection; `onAnswer(connection, status, head)` is called for each whole answer. */
export function openConnection(port, onAnswer, onLost) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let rest;
    const connection = {
      /** What the caller knows the request under way by. */
      index: -1,
      send(bytes) {
        socket.write(bytes);
      },
      close() {
        socket.removeAllListeners('close');
        socket.destroy();
      },
    };
    socket.once('connect', () => resolve(connection));
    socket.on('error', (error) => reject(error));
    socket.on('close', () => onLost(connection));
    socket.on('data', (piece) => {
      const bytes = rest === undefined ? piece : Buffer.concat([rest, piece]);
      const end = bytes.indexOf(headEnd);
      const head = end === -1 ? '' : bytes.latin1Slice(0, end);
      if (end === -1 || !isWhole(bytes, head, end + headEnd.length)) {
        rest = bytes;
        return;
      }
      rest = undefined;
      onAnswer(connection, Number(head.slice(9, 12)), head);
    });
  });
}

function openConnections(count, port, onAnswer, onLost) {
  return Promise.all(Array.from({ length: count }, () => openConnection(port, onAnswer, onLost)));
}

function isWhole(bytes, head, bodyAt) {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  return length === undefined
    ? bytes.latin1Slice(bytes.length - lastChunk.length) === lastChunk ||
        bytes.latin1Slice(bodyAt) === '0\r\n\r\n'
    : bytes.length >= bodyAt + Number(length);
}
