import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { change, freshBody, genuine, sign, toBytes, toChunkedBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness } from './harness.ts';
import { createListInbox, gateInbox } from './inboxes.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterEach(() => harness.inbox.forget());
afterAll(() => harness.close());

describe('pipelining', () => {
  it('of 8 deliveries is answered in their order', async () => {
    const bodies = Array.from({ length: 8 }, () => freshBody());
    const connection = harness.connect();
    connection.send(Buffer.concat(bodies.map((body) => toBytes(genuine(body)))));
    for (const body of bodies) {
      expect(await connection.next()).toMatchObject({ status: 200, body: acceptedBody(body) });
    }
    expect(harness.inbox.bodies()).toEqual(bodies.map(String));
  });

  it('of 500 ends behind the eighth: those before it are answered, those behind it not even looked at', async () => {
    const inbox = createListInbox();
    const gate = gateInbox(inbox);
    const gated = await openHarness({ inbox: gate });
    const bodies = Array.from({ length: 500 }, () => freshBody());
    const connection = gated.connect();
    connection.send(Buffer.concat(bodies.map((body) => toBytes(genuine(body)))));
    await vi.waitFor(() => expect(gate.waiting()).toBe(8), { interval: 2 });
    // Others are served meanwhile, and what is sent on changes nothing.
    const other = gated.connect();
    other.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await other.next())?.status).toBe(200);
    connection.send(toBytes(genuine()));
    gate.open();
    const answered: (string | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) answered.push((await connection.next())?.body);
    expect(answered).toEqual(bodies.slice(0, 8).map((body) => acceptedBody(body)));
    expect(await connection.next()).toBeUndefined();
    expect(inbox.asked).toHaveLength(8);
    await gated.close();
  });

  it('of 20,000 is answered to the eighth also where the answers are there at once', async () => {
    const connection = harness.connect();
    connection.send('GET /hooks/default HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000));
    const answers = await connection.rest();
    expect(answers).toHaveLength(8);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([405]));
  });

  it('keeps the order when the store answers the last one first', async () => {
    const inbox = createListInbox();
    const waiting: (() => void)[] = [];
    const backwards = await openHarness({
      inbox: {
        ...inbox,
        accept: async (acceptance) => {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
          return await inbox.accept(acceptance);
        },
      },
    });
    const bodies = Array.from({ length: 5 }, () => freshBody());
    const connection = backwards.connect();
    connection.send(Buffer.concat(bodies.map((body) => toBytes(genuine(body)))));
    await vi.waitFor(() => expect(waiting).toHaveLength(5), { interval: 2 });
    for (const release of waiting.toReversed()) release();
    for (const body of bodies) {
      expect(await connection.next()).toMatchObject({ status: 200, body: acceptedBody(body) });
    }
    await backwards.close();
  });

  it('of every refusal between genuine deliveries is answered one by one', async () => {
    const text = () => genuine();
    const mixed = [
      [toBytes(text()), 200],
      [toBytes(change(text(), { 'x-service-signature': undefined })), 401],
      [toBytes(text()), 200],
      [toBytes(genuine(Buffer.from('null'))), 400],
      [toBytes(text()), 200],
      [toBytes(genuine(freshBody(), '/hooks/other')), 404],
      [toBytes(text()), 200],
      [toBytes({ ...text(), requestLine: 'PUT /hooks/default HTTP/1.1' }), 405],
      [toBytes(text()), 200],
      [toBytes(change(text(), { 'content-encoding': 'gzip' })), 415],
      [toChunkedBytes(text(), 1, 2, 3), 200],
      [toBytes(genuine(freshBody({ data: { title: 'x'.repeat(300_000) } }))), 413],
      [toBytes(text()), 200],
    ] as const;
    const connection = harness.connect();
    const statuses: (number | undefined)[] = [];
    for (const part of [mixed.slice(0, 7), mixed.slice(7)]) {
      connection.send(Buffer.concat(part.map(([bytes]) => bytes)));
      for (let count = 0; count < part.length; count += 1) statuses.push((await connection.next())?.status);
    }
    expect(statuses).toEqual(mixed.map(([, status]) => status));
    expect(harness.inbox.bodies()).toHaveLength(7);
  });

  it('of a broken request behind a genuine one loses nothing and ends the connection', async () => {
    const body = freshBody();
    const connection = harness.connect();
    connection.send(Buffer.concat([toBytes(genuine(body)), Buffer.from('\0\0\0\0')]));
    const answers = await connection.rest();
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect(harness.inbox.bodies()).toEqual([body.toString()]);
  });
});

describe('a connection', () => {
  it('takes a delivery byte by byte', async () => {
    const body = freshBody();
    const connection = harness.connect();
    for (const byte of toBytes(genuine(body))) connection.send(Buffer.from([byte]));
    expect(await connection.next()).toMatchObject({ status: 200, body: acceptedBody(body) });
  });

  it('is used again after each delivery, 200 times', async () => {
    const connection = harness.connect();
    for (let count = 0; count < 200; count += 1) {
      const isForged = count % 3 === 0;
      const text = genuine();
      connection.send(toBytes(isForged ? change(text, { 'x-service-signature': sign(freshBody()) }) : text));
      expect((await connection.next())?.status).toBe(isForged ? 401 : 200);
    }
  });

  it('ends when its sender says so', async () => {
    const connection = harness.connect();
    connection.send(toBytes(change(genuine(), { connection: 'close' })));
    expect((await connection.rest()).map(({ status }) => status)).toEqual([200]);
  });

  it('that is closed for sending behind a delivery still gets the answer', async () => {
    const body = freshBody();
    const connection = harness.connect();
    connection.send(toBytes(genuine(body)));
    connection.finish();
    expect(await connection.rest()).toMatchObject([{ status: 200, body: acceptedBody(body) }]);
  });

  it('that is closed for sending behind three deliveries still gets three answers', async () => {
    const connection = harness.connect();
    const bodies = [freshBody(), freshBody(), freshBody()];
    connection.send(Buffer.concat(bodies.map((body) => toBytes(genuine(body)))));
    connection.finish();
    expect((await connection.rest()).map(({ body }) => body)).toEqual(
      bodies.map((body) => acceptedBody(body)),
    );
  });

  it.each([
    ['in the request line', 10],
    ['in the head', 100],
    ['before the body', -85],
    ['in the body', -10],
    ['before the last byte', -1],
  ])('that is closed for sending %s stores nothing', async (_where, cut) => {
    const connection = harness.connect();
    connection.send(toBytes(genuine()).subarray(0, cut));
    connection.finish();
    for (const { status } of await connection.rest()) expect(status).toBe(400);
    expect(harness.inbox.asked).toEqual([]);
  });

  it('that is closed for sending within a chunked body stores nothing', async () => {
    const bytes = toChunkedBytes(genuine(), 20, 20);
    for (const left of [1, 3, 5, 7, 30]) {
      const connection = harness.connect();
      connection.send(bytes.subarray(0, -left));
      connection.finish();
      for (const { status } of await connection.rest()) expect(status).toBe(400);
    }
    expect(harness.inbox.asked).toEqual([]);
  });

  it('that goes away within a delivery stores nothing, and others are served', async () => {
    for (const cut of [0, 1, 50, 200, -50, -1]) {
      const connection = harness.connect();
      connection.send(toBytes(genuine()).subarray(0, cut));
      connection.destroy();
    }
    expect((await harness.attack(toBytes(change(genuine(), { 'x-service-timestamp': '1' })))).status).toBe(
      401,
    );
    expect(harness.inbox.bodies()).toHaveLength(2);
  });

  it('that goes away behind a delivery has delivered it', async () => {
    const body = freshBody();
    const connection = harness.connect();
    connection.send(toBytes(genuine(body)));
    connection.finish();
    connection.destroy();
    const again = harness.connect();
    again.send(toBytes(genuine(body)));
    expect((await again.next())?.status).toBe(200);
    expect(harness.inbox.bodies()).toEqual([body.toString()]);
  });

  it('that sends nothing delays no other', async () => {
    const silent = Array.from({ length: 200 }, () => harness.connect());
    const body = freshBody();
    const connection = harness.connect();
    connection.send(toBytes(genuine(body)));
    expect((await connection.next())?.status).toBe(200);
    for (const each of silent) each.destroy();
  });

  it('that goes away while the store is busy leaves what it brought', async () => {
    const inbox = createListInbox();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const slow = await openHarness({
      inbox: {
        ...inbox,
        accept: async (acceptance) => {
          isAsked();
          await released;
          return await inbox.accept(acceptance);
        },
      },
    });
    const body = freshBody();
    const connection = slow.connect();
    connection.send(toBytes(genuine(body)));
    await asked;
    connection.destroy();
    release();
    const again = slow.connect();
    again.send(toBytes(genuine(body)));
    expect((await again.next())?.body).toContain('duplicate');
    await slow.close();
  });
});
