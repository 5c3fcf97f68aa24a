import { once } from 'node:events';
import type { Socket } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { eventText, requestText } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll, readUntil } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let house: TestReceiver | undefined;
afterEach(() => house?.receiver.close());

/** A genuine delivery over a connection, and its answer. */
async function answeredOn(socket: Socket): Promise<string> {
  socket.write(requestText(eventText()));
  return await readUntil(socket, /"}$/);
}

describe('a connection', () => {
  it('of which the sender closed its half still brings the answer', async () => {
    house = await startTestReceiver();
    const socket = house.open(true);
    socket.end(requestText(eventText()));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('with several requests at once has the answers in their order', async () => {
    house = await startTestReceiver();
    const socket = house.open(true);
    const bodies = ['m_1', 'm_2', 'm_1'].map((meetingId) => eventText({ meeting_id: meetingId }));
    socket.end(bodies.map((body) => requestText(body)).join(''));
    const answers = (await readAll(socket)).match(/"status":"\w+"/g);
    expect(answers).toEqual(['"status":"accepted"', '"status":"accepted"', '"status":"duplicate"']);
  });

  it('over the cap is closed, counted, and named once in the log, where no other one is idle', async () => {
    house = await startTestReceiver({ maxConnections: 1 });
    const first = house.open();
    first.write(requestText(eventText()).slice(0, -1));
    await expect.poll(() => house?.receiver.read().heldBytes, { interval: 5 }).toBeGreaterThan(0);
    for (let count = 0; count < 2; count += 1) {
      const dropped = house.open();
      dropped.on('error', () => {});
      dropped.resume();
      await once(dropped, 'close');
    }
    first.destroy();
    expect(house.receiver.read().connectionsDropped).toBe(2);
    expect(house.lines).toEqual([
      'too many connections: the longest idle are closed {"dropped":1,"maxConnections":1}',
    ]);
  });

  it('over the cap takes the place of the one that has been idle for the longest', async () => {
    house = await startTestReceiver({ maxConnections: 3 });
    const sockets = [house.open(), house.open(), house.open()] as const;
    const closed: number[] = [];
    for (const [index, socket] of sockets.entries()) {
      socket.on('close', () => closed.push(index));
      await answeredOn(socket);
    }
    // The first was opened before the others, and used after them.
    await answeredOn(sockets[0]);
    const last = house.open();
    expect(await answeredOn(last)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await answeredOn(sockets[0])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await answeredOn(sockets[2])).toMatch(/^HTTP\/1\.1 200 /);
    expect(closed).toEqual([1]);
    for (const socket of [...sockets, last]) socket.destroy();
  });

  it('whose sender waits for 100 Continue is asked for a body that may come', async () => {
    house = await startTestReceiver();
    const socket = house.open();
    const [head = '', body = ''] = requestText(eventText(), { expect: '100-continue' }).split('\r\n\r\n');
    socket.write(`${head}\r\n\r\n`);
    await readUntil(socket, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    await readUntil(socket, /HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('whose sender waits for 100 Continue with a body over the cap is refused without it', async () => {
    house = await startTestReceiver({ maxBodyBytes: 10 });
    const socket = house.open();
    const [head = ''] = requestText(eventText(), { expect: '100-continue' }).split('\r\n\r\n');
    socket.write(`${head}\r\n\r\n`);
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('Connection: close');
  });

  it('with another expectation is served as if it had none', async () => {
    house = await startTestReceiver();
    const socket = house.open(true);
    socket.end(requestText(eventText(), { expect: 'a-miracle' }));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that asks for a tunnel hears 405, one that offers an upgrade is served and ended', async () => {
    house = await startTestReceiver();
    const tunnel = house.open();
    tunnel.write('CONNECT /hooks/default HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await readAll(tunnel)).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: POST\r\n/);
    const upgrade = house.open(true);
    const offer = requestText(eventText(), { connection: 'upgrade', upgrade: 'h2c' });
    // What is behind it is dropped by Node, so that its sender must not wait for an answer.
    upgrade.write(offer + requestText(eventText({ meeting_id: 'm_2' })));
    const answer = await readAll(upgrade);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(answer).toContain('Connection: close');
  });
});

describe('a delivery that goes away before it is complete', () => {
  it('costs its peer a token, and few lines', async () => {
    house = await startTestReceiver({
      peerLimit: { burst: 3, perSecond: 1 },
      trustedProxies: ['127.0.0.1'],
    });
    const { receiver } = house;
    const forged = { 'x-service-signature': 'sha256=0', 'x-forwarded-for': '203.0.113.9' };
    const leave = async (from: string): Promise<void> => {
      const socket = house?.open();
      socket?.write(requestText(eventText(), { 'x-forwarded-for': from }).slice(0, -1));
      await expect.poll(() => receiver.read().heldBytes, { interval: 2 }).toBeGreaterThan(0);
      socket?.destroy();
      await expect.poll(() => receiver.read().heldBytes, { interval: 2 }).toBe(0);
    };
    for (const from of ['203.0.113.9', '203.0.113.9', '203.0.113.10', '203.0.113.9']) await leave(from);
    const lines = house.lines.filter((line) => line.includes('went away'));
    expect(lines).toEqual(['deliveries went away before they were complete {"times":1}']);
    const hook = `${house.url}/hooks/default`;
    expect((await postDelivery(hook, eventText(), forged)).status).toBe(429);
    const other = { ...forged, 'x-forwarded-for': '203.0.113.10' };
    expect((await postDelivery(hook, eventText(), other)).status).toBe(401);
  });
});

describe('the bytes that are held', () => {
  it('are one budget over all connections: past it 503, and room again when one leaves', async () => {
    const body = eventText();
    // Bodies that come in pieces may hold three quarters of it.
    house = await startTestReceiver({ maxHeldBytes: Math.ceil((body.length * 4) / 3) });
    const slow = house.open();
    // All but the last byte: it arrived when the meter says so.
    slow.write(requestText(body).slice(0, -1));
    await expect.poll(() => house?.receiver.read().heldBytes, { interval: 5 }).toBe(body.length - 1);

    const refused = house.open(true);
    refused.end(requestText(eventText({ meeting_id: 'm_2' })));
    const answer = await readAll(refused);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 2\r\n/);

    slow.destroy();
    await expect.poll(() => house?.receiver.read().heldBytes, { interval: 5 }).toBe(0);
    const next = house.open(true);
    next.end(requestText(body));
    expect(await readAll(next)).toMatch(/^HTTP\/1\.1 200 /);
    expect(house.receiver.read().heldBytes).toBe(0);
  });

  it('leave room for a delivery that comes as one piece, however many others are never ended', async () => {
    const body = eventText({ data: { title: 'x'.repeat(100) } });
    house = await startTestReceiver({ maxHeldBytes: 4 * body.length });
    const slow = Array.from({ length: 6 }, () => house?.open());
    // Three of them fill what bodies in pieces may hold; the others are answered 503 at once.
    for (const socket of slow) socket?.write(requestText(body).slice(0, -1));
    const held = 3 * (body.length - 1);
    await expect.poll(() => house?.receiver.read().heldBytes, { interval: 5 }).toBe(held);
    await expect.poll(() => house?.receiver.read().outcomes['unavailable'], { interval: 5 }).toBe(3);

    const whole = house.open(true);
    whole.end(requestText(body));
    expect(await readAll(whole)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of slow) socket?.destroy();
  });

  it('are whole when they come byte by byte', async () => {
    house = await startTestReceiver();
    const body = eventText({ data: { title: 'ä'.repeat(50) } });
    const chunks = [...Buffer.from(body)].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const head = requestText(body)
      .split('\r\n\r\n')[0]
      ?.replace(/content-length: \d+/, 'transfer-encoding: chunked');
    const socket = house.open(true);
    socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...chunks, Buffer.from('0\r\n\r\n')]));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(house.stored[0]?.job.body).toBe(body);
  });
});
