// A process of its own that floods a server until it is told to stop: flood.mjs KIND PORT. `pipelined` sends 90 requests
// at once over each of 300 connections, `large` forged deliveries of 200 KB. A connection that was closed is opened
// again. Tells how many connections it opened and how many answers it read.
import { connect } from 'node:net';

const CONNECTIONS = 300;
const PIPELINED = 90;
const LARGE_BYTES = 200_000;

const [kind, port] = process.argv.slice(2);

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

const bytes = kinds[kind]();
const perSend = kind === 'pipelined' ? PIPELINED : 1;
const counts = { opened: 0, answers: 0 };
let isOver = false;

function open() {
  if (isOver) return;
  counts.opened += 1;
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
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

process.on('message', (message) => {
  if (message === 'start') for (let one = 0; one < CONNECTIONS; one += 1) open();
  if (message === 'stop') isOver = true;
  process.send(counts);
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
