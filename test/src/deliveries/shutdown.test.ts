import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness } from './harness.ts';
import { createListInbox, type GatedInbox, gateInbox } from './inboxes.ts';

const CAP = 20;

let harness: Harness;
let gate: GatedInbox;
beforeEach(async () => {
  gate = gateInbox(createListInbox());
  harness = await openHarness({ inbox: gate }, { maxConnections: CAP });
});
afterEach(() => harness.close());

/** Connections that wait for the store, each with the body that it sent. */
async function deliverOn(count: number, isHalfOpen = false) {
  const before = gate.waiting();
  const deliveries = Array.from({ length: count }, () => ({
    connection: harness.connect(),
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
    const closed = harness.closeReceiver();
    gate.open();
    await expectAnswers(deliveries);
    await closed;
  });

  it('at the cap of connections resets none of them, and takes no other', async () => {
    const deliveries = await deliverOn(CAP);
    expect(await harness.connect().rest()).toEqual([]);
    const closed = harness.closeReceiver();
    expect(await harness.connect().rest()).toEqual([]);
    gate.open();
    await expectAnswers(deliveries);
    await closed;
  });

  it('does not wait for a connection that never said a word, nor for an idle one', async () => {
    const silent = harness.connect();
    const [waiting] = await deliverOn(1);
    gate.open();
    // The word of the one: its answer. The other has none, and the receiver closes both.
    expect((await waiting?.connection.next())?.status).toBe(200);
    await harness.closeReceiver();
    expect([await silent.rest(), await waiting?.connection.rest()]).toEqual([[], []]);
    expect(harness.lines.filter((line) => line.startsWith('request refused'))).toEqual([]);
  });

  it('does not wait for a tunnel, nor for what is no HTTP', async () => {
    for (const start of ['CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n', '\0\0\0\0']) {
      const connection = harness.connect();
      connection.send(start);
      expect((await connection.next())?.status).toBeGreaterThanOrEqual(400);
    }
    await harness.closeReceiver();
  });
});

describe('at the cap of connections', () => {
  it('another one is closed while each has a delivery under way, and takes the place of one that is idle', async () => {
    const connections = Array.from({ length: CAP }, () => harness.connect());
    for (const connection of connections) connection.send(toBytes(genuine()));
    await vi.waitFor(() => expect(gate.waiting()).toBe(CAP), { interval: 2 });
    expect(await harness.connect().rest()).toEqual([]);

    gate.open();
    for (const connection of connections) expect((await connection.next())?.status).toBe(200);
    const next = harness.connect();
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
