import { once } from 'node:events';
import type { Socket } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { eventText, requestText } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll, readUntil } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

/** A genuine delivery over a connection, and its answer. */
async function answeredOn(socket: Socket): Promise<string> {
  socket.write(requestText(eventText()));
  return await readUntil(socket, /"}$/);
}

describe('a connection', () => {
  it('over the cap is closed, counted, and named once in the log, where no other one is idle', async () => {
    started = await startTestReceiver({}, { maxConnections: 1 });
    const first = started.open();
    first.write(requestText(eventText()).slice(0, -1));
    await expect.poll(() => started?.readMetric('aftermeet_held_bytes'), { interval: 5 }).toBeGreaterThan(0);
    for (let count = 0; count < 2; count += 1) {
      const dropped = started.open();
      dropped.on('error', () => {});
      dropped.resume();
      await once(dropped, 'close');
    }
    first.destroy();
    expect(await started.readMetric('aftermeet_connections_dropped_total')).toBe(2);
    expect(started.lines).toEqual([
      'too many connections: the longest idle are closed {"dropped":1,"maxConnections":1}',
    ]);
  });

  it('over the cap takes the place of the one that has been idle for the longest', async () => {
    started = await startTestReceiver({}, { maxConnections: 3 });
    const sockets = [started.open(), started.open(), started.open()] as const;
    const closed: number[] = [];
    for (const [index, socket] of sockets.entries()) {
      socket.on('close', () => closed.push(index));
      await answeredOn(socket);
    }
    // The first was opened before the others, and used after them.
    await answeredOn(sockets[0]);
    const last = started.open();
    expect(await answeredOn(last)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await answeredOn(sockets[0])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await answeredOn(sockets[2])).toMatch(/^HTTP\/1\.1 200 /);
    expect(closed).toEqual([1]);
    for (const socket of [...sockets, last]) socket.destroy();
  });
});

describe('a delivery that goes away before it is complete', () => {
  it('costs its peer a token, and few lines', async () => {
    started = await startTestReceiver(
      { trustedProxies: ['127.0.0.1'] },
      { refusals: { burst: 3, perSecond: 1 } },
    );
    const readMetric = (series: string) => started?.readMetric(series);
    const forged = { 'x-service-signature': 'sha256=0', 'x-forwarded-for': '203.0.113.9' };
    const leave = async (from: string): Promise<void> => {
      const socket = started?.open();
      socket?.write(requestText(eventText(), { 'x-forwarded-for': from }).slice(0, -1));
      await expect.poll(() => readMetric('aftermeet_held_bytes'), { interval: 2 }).toBeGreaterThan(0);
      socket?.destroy();
      await expect.poll(() => readMetric('aftermeet_held_bytes'), { interval: 2 }).toBe(0);
    };
    for (const from of ['203.0.113.9', '203.0.113.9', '203.0.113.10', '203.0.113.9']) await leave(from);
    const lines = started.lines.filter((line) => line.includes('aborted before'));
    expect(lines).toEqual(['deliveries aborted before the body was complete {"times":1}']);
    const hook = `${started.url}/hooks/default`;
    expect((await postDelivery(hook, eventText(), forged)).status).toBe(429);
    const other = { ...forged, 'x-forwarded-for': '203.0.113.10' };
    expect((await postDelivery(hook, eventText(), other)).status).toBe(401);
  });
});

describe('the bytes that are held', () => {
  it('are one budget over all connections: past it 503, and room again when one leaves', async () => {
    const body = eventText();
    // Bodies that come in pieces may hold three quarters of it.
    started = await startTestReceiver({}, { maxHeldBytes: Math.ceil((body.length * 4) / 3) });
    const slow = started.open();
    // All but the last byte: it arrived when the meter says so.
    slow.write(requestText(body).slice(0, -1));
    await expect
      .poll(() => started?.readMetric('aftermeet_held_bytes'), { interval: 5 })
      .toBe(body.length - 1);

    const refused = started.open(true);
    refused.end(requestText(eventText({ meeting_id: 'm_2' })));
    const answer = await readAll(refused);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 2\r\n/);

    slow.destroy();
    await expect.poll(() => started?.readMetric('aftermeet_held_bytes'), { interval: 5 }).toBe(0);
    const next = started.open(true);
    next.end(requestText(body));
    expect(await readAll(next)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await started.readMetric('aftermeet_held_bytes')).toBe(0);
  });

  it('leave room for a delivery that comes as one piece, however many others are never ended', async () => {
    const body = eventText({ data: { title: 'x'.repeat(100) } });
    started = await startTestReceiver({}, { maxHeldBytes: 4 * body.length });
    const slow = Array.from({ length: 6 }, () => started?.open());
    // Three of them fill what bodies in pieces may hold; the others are answered 503 at once.
    for (const socket of slow) socket?.write(requestText(body).slice(0, -1));
    const held = 3 * (body.length - 1);
    await expect.poll(() => started?.readMetric('aftermeet_held_bytes'), { interval: 5 }).toBe(held);
    await expect
      .poll(() => started?.readMetric('aftermeet_deliveries_total{outcome="unavailable"}'), { interval: 5 })
      .toBe(3);

    const whole = started.open(true);
    whole.end(requestText(body));
    expect(await readAll(whole)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of slow) socket?.destroy();
  });
});
