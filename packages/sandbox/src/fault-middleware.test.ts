import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { applyFaults } from './fault-middleware.ts';
import { callFaults, createFaultPlan } from './faults.ts';
import { askRaw } from './testing/receiver.ts';
import { startListening, stopListening } from './web/listen.ts';

const plan = createFaultPlan([callFaults]);
let server: Server;
let url: string;
/** How many calls were handled, and how many bytes of bodies they read. */
let handled: number;
let readBytes: number;

beforeAll(async () => {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(
    applyFaults(
      plan,
      ({ path }) => (path === '/free' ? undefined : path),
      ({ status }, target) => (target === '/text' ? `text ${status}` : { ok: false, error: `e${status}` }),
    ),
  );
  app.use((request, _response, next) => {
    handled += 1;
    request.on('data', (piece: Buffer) => (readBytes += piece.length)).on('end', next);
  });
  app.use('/text', (_request, response) => void response.type('text/plain').send('recording'));
  app.use('/empty', (_request, response) => void response.status(204).end());
  app.use('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    response.write('event: message\n');
    setTimeout(() => response.write('ZGF0YTogMTIz', 'base64', () => response.end('45\n\n')), 1);
  });
  app.use((_request, response) => void response.json({ name: 'Zoë' }));
  server = createServer(app);
  url = `http://${await startListening(server)}`;
});
afterAll(() => stopListening(server));
beforeEach(() => {
  plan.clear();
  [handled, readBytes] = [0, 0];
});

const ask = (path: string) => askRaw(url, [`GET ${path} HTTP/1.1`]);
/** A body that does not fit into any buffer on the way. */
const bigBody = 'x'.repeat(4_000_000);
const post = (path: string) =>
  askRaw(url, [`POST ${path} HTTP/1.1`, `Content-Length: ${bigBody.length}`], bigBody);

describe('instead of the call', () => {
  it('reset: the connection is reset', async () => {
    plan.add({ kind: 'reset' });
    expect(await ask('/')).toEqual({ bytes: '', isReset: true });
    expect(handled).toBe(0);
  });

  it('empty: the connection ends without a byte, after a long request too', async () => {
    plan.add({ kind: 'empty', times: 2 });
    expect([await ask('/'), await post('/')]).toEqual([
      { bytes: '', isReset: false },
      { bytes: '', isReset: false },
    ]);
    expect(handled).toBe(0);
  });

  it('garbage: the answer is not HTTP', async () => {
    plan.add({ kind: 'garbage', times: 2 });
    const garbage = { bytes: '\u0015\u0003\u0001\u0000\u0002\u0002 this is no HTTP\r\n\r\n', isReset: false };
    expect([await ask('/'), await post('/')]).toEqual([garbage, garbage]);
    expect(handled).toBe(0);
  });

  it('status: is answered as the caller of the middleware says, in JSON or text', async () => {
    plan.add({ kind: 'status', status: 429, retry_after_seconds: 7 });
    const { bytes } = await ask('/');
    expect(bytes).toMatch(
      /^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Type: application\/json/,
    );
    expect(bytes).toMatch(/\r\n\r\n\{"ok":false,"error":"e429"\}$/);
    plan.add({ kind: 'status', status: 503 });
    const second = await ask('/text');
    expect(second.bytes).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nContent-Type: text\/plain/);
    expect(second.bytes).not.toContain('Retry-After');
    expect(second.bytes).toMatch(/\r\n\r\ntext 503$/);
  });

  it('status: reaches a client that is still sending, and the connection serves the next request', async () => {
    plan.add({ kind: 'status', status: 500 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answers: string[] = [];
    socket.setEncoding('utf8').on('data', (piece: string) => answers.push(piece));
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bigBody.length}\r\n\r\n`;
    socket.write(head + bigBody);
    await once(socket, 'data');
    expect(handled).toBe(0);
    socket.write(`${head.replace('Content', 'Connection: close\r\nContent')}${bigBody}`);
    await once(socket, 'close');
    expect(answers.join('').match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 500', 'HTTP/1.1 200']);
    expect([handled, readBytes]).toEqual([1, bigBody.length]);
  });

  it('hang: never answers, and keeps nothing of a client that disconnects', async () => {
    plan.add({ kind: 'hang', times: 2 });
    for (const body of ['', bigBody]) {
      const socket = await openSocket();
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      await once(server, 'request');
      expect(await countConnections()).toBe(1);
      await leave(socket);
    }
    expect(handled).toBe(0);
  });
});

describe('latency', () => {
  it('handles the call later, with its whole body', async () => {
    plan.add({ kind: 'latency', ms: 20 });
    const startedMs = performance.now();
    expect((await post('/')).bytes).toMatch(/^HTTP\/1\.1 200/);
    expect(performance.now() - startedMs).toBeGreaterThan(18);
    expect([handled, readBytes]).toEqual([1, bigBody.length]);
  });

  it('does not handle the call of a client that disconnected', async () => {
    plan.add({ kind: 'latency', ms: 400 });
    const socket = await openSocket();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const closed = once(response, 'close');
    await leave(socket);
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(handled).toBe(0);
  });
});

describe('after the call', () => {
  it('drop_after: the connection ends without a byte', async () => {
    for (const path of ['/', '/text', '/empty', '/stream']) {
      plan.add({ kind: 'drop_after' });
      expect(await ask(path)).toEqual({ bytes: '', isReset: false });
    }
    expect(handled).toBe(4);
  });

  it('cut: the head announces the whole body, of which the first half comes', async () => {
    plan.add({ kind: 'cut', times: 2 });
    const json = await ask('/');
    expect(json.bytes).toMatch(/\r\nContent-Length: 15\r\n/);
    expect(json.bytes).toMatch(/\r\n\r\n\{"name"$/);
    const text = await ask('/text');
    expect(text.bytes).toMatch(/\r\nContent-Length: 9\r\n/);
    expect(text.bytes).toMatch(/\r\n\r\nreco$/);
    expect(handled).toBe(2);
  });

  it('drip: the same answer comes slowly', async () => {
    for (const [path, body] of [
      ['/', '{"name":"Zo\u00c3\u00ab"}'],
      ['/text', 'recording'],
      ['/empty', ''],
    ] as const) {
      plan.add({ kind: 'drip', ms: 1 });
      expect((await ask(path)).bytes.split('\r\n\r\n')[1]).toBe(body);
    }
    plan.add({ kind: 'drip', ms: 1 });
    const { bytes } = await ask('/stream');
    expect(bytes.match(/\r\n1\r\n./gs)).toHaveLength('event: message\ndata: 12345\n\n'.length);
    expect(bytes).toMatch(/\r\n0\r\n\r\n$/);
  });

  it('drip: ends when the client leaves', async () => {
    plan.add({ kind: 'drip', ms: 600_000 });
    const socket = await openSocket();
    socket.write('GET /text HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server, 'request');
    await leave(socket);
    expect(handled).toBe(1);
  });
});

it.each([
  ['stopping the server', stopListening],
  ['resetting the plan', async () => plan.reset()],
])('%s ends what hangs, waits and drips', async (_what, end) => {
  const own = createServer(
    express()
      .use(applyFaults(plan, () => 'x'))
      .use((_request, response) => void response.send('x')),
  );
  const address = await startListening(own);
  for (const order of [
    { kind: 'hang' },
    { kind: 'latency', ms: 60_000 },
    { kind: 'drip', ms: 60_000 },
  ] as const) {
    plan.add(order);
  }
  let requests = 0;
  const arrived = new Promise<void>((resolve) => {
    own.on('request', () => {
      requests += 1;
      if (requests === 3) resolve();
    });
  });
  const asking = [1, 2, 3].map(() => askRaw(`http://${address}`, ['GET / HTTP/1.1']));
  await arrived;
  await end(own);
  for (const { bytes } of await Promise.all(asking)) expect(bytes).toBe('');
  await stopListening(own);
});

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the server has noticed it too. */
async function leave(socket: Socket): Promise<void> {
  socket.destroy();
  while ((await countConnections()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}
