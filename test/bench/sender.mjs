// How many deliveries a second the sandbox signs and sends on one core, beside a bare loop that does no more than
// that, in interleaved rounds against one process that accepts everything.
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';

import { interleave, judge, onMachine, summarise } from './figures.mjs';
import { measureUsage, startProcess } from './processes.mjs';

const usual = { rounds: 3, count: 20_000 };
const quick = { rounds: 1, count: 200 };
const leastPerSecond = 5000;
/** As many deliveries under way as there are connections: both ways have the same. */
const atOnce = 64;
const secret = 'a-secret-of-enough-length';

const bare = 'bare loop: node:crypto + node:http';
const ours = 'sandbox: complete, write, sign, send, note';
const contenders = [
  { name: bare, way: 'bareSender' },
  { name: ours, way: 'sandboxSender' },
];

export function sender({ isQuick }) {
  const { rounds, count } = isQuick ? quick : usual;
  return onMachine(async (cores) => {
    const acceptor = await startProcess('sender.mjs', 'sink', {}, { cores: cores.others });
    try {
      const { port } = acceptor.greeting;
      const results = await interleave(rounds, contenders, ({ way }) =>
        measure(way, { port, count }, cores.measured),
      );
      const { arrived } = await acceptor.ask('count');
      // Nothing was counted that did not arrive; as many again were for warming up.
      const expected = rounds * contenders.length * 2 * count;
      if (arrived !== expected) throw new Error(`${arrived} deliveries arrived instead of ${expected}`);
      return present(results, rounds);
    } finally {
      await acceptor.stop();
    }
  });
}

async function measure(way, { port, count }, cores) {
  const child = await startProcess('sender.mjs', way, { port }, { cores });
  try {
    await child.ask('send', { count });
    const { seconds, cpuMicros, peakMb } = await measureUsage(child, () => child.ask('send', { count }));
    return { perSecond: count / seconds, cpuMicros: cpuMicros / count, peakMb };
  } finally {
    await child.stop();
  }
}

function present(results, rounds) {
  const { figures, lines } = summarise(results, [
    { key: 'perSecond', title: 'per s', digits: 0 },
    { key: 'cpuMicros', title: 'µs CPU', digits: 0 },
    { key: 'cpuMicros', title: '× bare', digits: 2, over: bare },
    { key: 'peakMb', title: 'peak MB', digits: 0 },
  ]);
  return {
    figures,
    lines: [
      `deliveries to a local sink, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
      ...lines,
      judge('the sandbox, per second', figures[ours].perSecond.median, { least: leastPerSecond }),
    ],
  };
}

/** Accepts deliveries and does nothing else: it finds where each ends by its Content-Length and answers 200. */
export async function sink() {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const headEnd = Buffer.from('\r\n\r\n');
  let arrived = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    let rest = Buffer.of();
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      for (let end = rest.indexOf(headEnd); end !== -1; end = rest.indexOf(headEnd)) {
        const [, length] = /content-length: (\d+)/i.exec(rest.latin1Slice(0, end));
        const bytes = end + headEnd.length + Number(length);
        if (rest.length < bytes) return;
        rest = rest.subarray(bytes);
        arrived += 1;
        socket.write(answer);
      }
    });
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { greeting: { port: server.address().port }, count: () => ({ arrived }) };
}

/** The least that a delivery can cost here: HMAC from node:crypto, and a post through an Agent of node:http. */
export function bareSender({ port }) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const pump = createPump(() => {
    const reportUrl = `http://127.0.0.1:${port}/api/video/report?meeting_id=${randomUUID()}`;
    const body = JSON.stringify({
      event: 'meeting.completed',
      meeting_id: randomUUID(),
      timestamp: '2026-07-07T12:00:00Z',
      data: { title: 'Планы на осень', is_transcript_empty: false, report_url: reportUrl },
    });
    const bytes = Buffer.from(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex');
    const headers = {
      Host: `127.0.0.1:${port}`,
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      'User-Agent': 'bare',
      'X-Service-Event': 'meeting.completed',
      'X-Service-Delivery': randomUUID(),
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': `sha256=${mac}`,
    };
    const path = '/hooks/default';
    const outgoing = request({
      agent,
      method: 'POST',
      host: '127.0.0.1',
      port,
      path,
      headers: Object.entries(headers).flat(),
    });
    outgoing.on('response', (response) => {
      if (response.statusCode !== 200) throw new Error(`the sink answered ${response.statusCode}`);
      response.resume();
    });
    outgoing.on('close', () => pump.onEnd());
    outgoing.end(body);
  });
  return { send: pump.send };
}

/** The whole way in the sandbox: a meeting is completed, its event written, signed, sent and noted in the log. */
export async function sandboxSender({ port }) {
  const { createSandbox } = await import('../../packages/sandbox/dist/index.js');
  const sandbox = createSandbox({
    observe(step) {
      if (step.kind !== 'delivery_attempted') return;
      if (step.status !== 200) throw new Error(`the sink answered ${step.status ?? step.error}`);
      pump.onEnd();
    },
  });
  const { url } = await sandbox.listen();
  const meetingIds = [];
  for (let index = 0; index < atOnce; index += 1) {
    const response = await fetch(`${url}/api/record-meeting`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        link: `https://zoom.us/j/${index}`,
        title: 'Планы на осень',
        webhook_url: `http://127.0.0.1:${port}/hooks/default`,
        webhook_secret: secret,
      }),
    });
    meetingIds.push((await response.json()).meeting_id);
  }
  let turn = 0;
  const pump = createPump(() => {
    turn += 1;
    sandbox.completeMeeting(meetingIds[turn % atOnce]);
  });
  return { send: pump.send, close: () => sandbox.close() };
}

/** Sends a number of deliveries, so many at once; `onEnd` is called whenever one was answered. */
function createPump(sendOne) {
  let left = 0;
  let underWay = 0;
  let finish;
  const next = () => {
    left -= 1;
    underWay += 1;
    sendOne();
  };
  return {
    onEnd() {
      underWay -= 1;
      if (left > 0) next();
      else if (underWay === 0) finish();
    },
    send: ({ count }) =>
      new Promise((resolve) => {
        finish = () => resolve({});
        left = count;
        for (let one = 0; one < Math.min(atOnce, count); one += 1) next();
      }),
  };
}
