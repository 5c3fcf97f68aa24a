import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness } from './harness.ts';
import { createListInbox, gateInbox } from './inboxes.ts';

// Node takes the socket of a CONNECT out of the server's hands: nothing but the receiver ends it.

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => {
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    deadline = setTimeout(() => resolve(false), 5000);
  });
  const isClosed = await Promise.race([harness.closeReceiver().then(() => true), late]);
  clearTimeout(deadline);
  if (!isClosed) throw new Error('the receiver does not close');
});

describe('CONNECT', () => {
  it.each(['/hooks/default', '127.0.0.1:80', '/hooks/other'])(
    '%s is 405 and opens nothing',
    async (target) => {
      const text = { ...genuine(freshBody()), requestLine: `CONNECT ${target} HTTP/1.1` };
      const { answer, connection } = await harness.attack(toBytes(text));
      expect([answer?.status, answer?.headers.get('allow'), connection]).toEqual([405, 'POST', 'closed']);
    },
  );

  it('behind a delivery that waits for the store has no answer, which could be taken for that one’s', async () => {
    const gate = gateInbox(createListInbox());
    const gated = await openHarness({ inbox: gate });
    const bodies = [freshBody(), freshBody()];
    const connection = gated.connect();
    const tunnel = Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    connection.send(Buffer.concat([...bodies.map((body) => toBytes(genuine(body))), tunnel]));
    await vi.waitFor(() => expect(gate.waiting()).toBe(2), { interval: 2 });
    gate.open();
    expect(await connection.rest()).toMatchObject(
      bodies.map((body) => ({ status: 200, body: acceptedBody(body) })),
    );
    await gated.close();
  });

  it('behind a delivery that waits for the store is not in the way of a peer that goes away', async () => {
    const inbox = createListInbox();
    const gate = gateInbox(inbox);
    const gated = await openHarness({ inbox: gate });
    const connection = gated.connect();
    connection.send(
      Buffer.concat([toBytes(genuine()), Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')]),
    );
    await vi.waitFor(() => expect(gate.waiting()).toBe(1), { interval: 2 });
    connection.destroy();
    gate.open();
    await vi.waitFor(() => expect(inbox.bodies()).toHaveLength(1), { interval: 2 });
    await gated.close();
  });

  it('of a peer that goes on sending leaves nothing that stands in the way of the end', async () => {
    const connection = harness.connect();
    connection.send(`CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(200_000)}`);
    expect((await connection.next())?.status).toBe(405);
    connection.send('x'.repeat(200_000));
  });
});
