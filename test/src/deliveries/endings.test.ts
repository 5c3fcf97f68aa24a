import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { type GatedInbox, gateInbox } from './gated-inbox.ts';
import { createListInbox } from './list-inbox.ts';
import { acceptedBody, openHouse, type ReceiverHouse } from './receiver-house.ts';

const CAP = 20;

let house: ReceiverHouse;
let gate: GatedInbox;
beforeEach(async () => {
  gate = gateInbox(createListInbox());
  house = await openHouse({ inbox: gate, maxConnections: CAP });
});
afterEach(() => house.close());

/** Connections that wait for the store, each with the body that it sent. */
async function deliverOn(count: number, isHalfOpen = false) {
  const before = gate.waiting();
  const deliveries = Array.from({ length: count }, () => ({
    connection: house.connect(),
    body: freshBody(),
  }));
  for (const { connection, body } of deliveries) {
    connection.send(toBytes(genuine(body)));
    if (isHalfOpen) connection.finish();
  }
  await vi.waitFor(() => expect(gate.waiting()).toBe(before + count), { interval: 2 });
  return deliveries;
}

async function expectAnswers(deliveries: Awaited<ReturnType<typeof deliverOn>>): Promise<void> {
  for (const { connection, body } of deliveries) {
    expect(await connection.rest()).toMatchObject([{ status: 200, body: acceptedBody(body) }]);
  }
}

describe('the end of a receiver', () => {
  it('leaves senders that closed their half their answers', async () => {
    const deliveries = await deliverOn(10, true);
    const closed = house.closeReceiver();
    gate.open();
    await expectAnswers(deliveries);
    await closed;
  });

  it('at the cap of connections resets none of them, and takes no other', async () => {
    const deliveries = await deliverOn(CAP);
    expect(await house.connect().rest()).toEqual([]);
    const closed = house.closeReceiver();
    expect(await house.connect().rest()).toEqual([]);
    gate.open();
    await expectAnswers(deliveries);
    await closed;
  });

  it('does not wait for a connection that never said a word, nor for an idle one', async () => {
    const silent = house.connect();
    const [waiting] = await deliverOn(1);
    gate.open();
    // The word of the one: its answer. The other has none, and the receiver closes both.
    expect((await waiting?.connection.next())?.status).toBe(200);
    await house.closeReceiver();
    expect([await silent.rest(), await waiting?.connection.rest()]).toEqual([[], []]);
    expect(house.lines.filter((line) => line.startsWith('request refused'))).toEqual([]);
  });

  it('does not wait for a tunnel, nor for what is no HTTP', async () => {
    for (const start of ['CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n', '\0\0\0\0']) {
      const connection = house.connect();
      connection.send(start);
      expect((await connection.next())?.status).toBeGreaterThanOrEqual(400);
    }
    await house.closeReceiver();
  });
});

describe('at the cap of connections', () => {
  it('another one is closed while each has a delivery under way, and takes the place of one that is idle', async () => {
    const connections = Array.from({ length: CAP }, () => house.connect());
    for (const connection of connections) connection.send(toBytes(genuine()));
    await vi.waitFor(() => expect(gate.waiting()).toBe(CAP), { interval: 2 });
    expect(await house.connect().rest()).toEqual([]);

    gate.open();
    for (const connection of connections) expect((await connection.next())?.status).toBe(200);
    const next = house.connect();
    next.send(toBytes(genuine()));
    expect((await next.next())?.status).toBe(200);
    // One has left for it, and the others are served as before.
    const answers: (number | undefined)[] = [];
    for (const connection of connections) {
      connection.send(toBytes(genuine()));
      answers.push((await connection.next())?.status);
    }
    expect(answers.filter((status) => status !== 200)).toEqual([undefined]);
  });
});
