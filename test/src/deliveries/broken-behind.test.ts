import { type Inbox, StoreUnavailable } from '@aftermeet/queue';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { add, change, freshBody, genuine, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness, refusedBody } from './harness.ts';
import { createListInbox, type GatedInbox, gateInbox } from './inboxes.ts';

// A delivery is answered before whatever is wrong with the bytes behind it, and that answer is never another one's.

let harness: Harness | undefined;
afterEach(() => harness?.close());

async function openGated(inbox: Inbox = createListInbox()): Promise<{ harness: Harness; gate: GatedInbox }> {
  const gate = gateInbox(inbox);
  harness = await openHarness({ inbox: gate });
  return { harness, gate };
}

/** Resolves when the receiver has seen that something is broken, which must be before the store answers. */
async function untilSeen({ lines }: Harness, gate: GatedInbox, waiting = 1): Promise<void> {
  const isRefused = (line: string): boolean => line.startsWith('request refused before it could be read');
  await vi.waitFor(() => expect([lines.some(isRefused), gate.waiting()]).toEqual([true, waiting]), {
    interval: 2,
  });
}

const garbage = Buffer.from('\0\0\0\0');

describe('garbage behind a delivery that waits for the store', () => {
  it.each([
    ['in its packet', false],
    ['in packets of its own', true],
  ])('%s leaves its answer alone, and ends the connection', async (_where, isApart) => {
    const opened = await openGated();
    const body = freshBody();
    const connection = opened.harness.connect();
    const bytes = toBytes(genuine(body));
    connection.send(isApart ? bytes : Buffer.concat([bytes, garbage]));
    if (isApart) {
      await vi.waitFor(() => expect(opened.gate.waiting()).toBe(1), { interval: 2 });
      for (let count = 0; count < 5; count += 1) connection.send(garbage);
    }
    await untilSeen(opened.harness, opened.gate);
    connection.send(garbage);
    opened.gate.open();
    const answers = await connection.rest();
    expect(answers).toMatchObject([{ status: 200, body: acceptedBody(body) }]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it('leaves it a 503 that the service repeats', async () => {
    const away = new StoreUnavailable('accepting a delivery', new Error('gone'));
    const opened = await openGated({ ...createListInbox(), accept: () => Promise.reject(away) });
    const connection = opened.harness.connect();
    connection.send(Buffer.concat([toBytes(genuine()), garbage]));
    await untilSeen(opened.harness, opened.gate);
    opened.gate.open();
    expect(await connection.rest()).toMatchObject([{ status: 503, body: refusedBody('unavailable') }]);
  });

  it('leaves three pipelined ones their answers', async () => {
    const opened = await openGated();
    const bodies = [freshBody(), freshBody(), freshBody()];
    const connection = opened.harness.connect();
    connection.send(Buffer.concat([...bodies.map((body) => toBytes(genuine(body))), garbage]));
    await untilSeen(opened.harness, opened.gate, 3);
    opened.gate.open();
    expect(await connection.rest()).toMatchObject(
      bodies.map((body) => ({ status: 200, body: acceptedBody(body) })),
    );
  });

  it('does no harm when its sender goes away too', async () => {
    const inbox = createListInbox();
    const opened = await openGated(inbox);
    const body = freshBody();
    const connection = opened.harness.connect();
    connection.send(Buffer.concat([toBytes(genuine(body)), garbage]));
    await untilSeen(opened.harness, opened.gate);
    connection.destroy();
    opened.gate.open();
    await vi.waitFor(() => expect(inbox.bodies()).toEqual([body.toString()]), { interval: 2 });
  });
});

describe('a delivery that breaks within its body', () => {
  const brokenChunk = () =>
    toBytes(
      add(change(genuine(), { 'content-length': undefined }), ['Transfer-Encoding', 'chunked']),
      'xyz\r\n',
    );

  it('is 400, behind the answers of those before it', async () => {
    const opened = await openGated();
    const body = freshBody();
    const connection = opened.harness.connect();
    connection.send(Buffer.concat([toBytes(genuine(body)), brokenChunk()]));
    await untilSeen(opened.harness, opened.gate);
    opened.gate.open();
    expect(await connection.rest()).toMatchObject([
      { status: 200, body: acceptedBody(body) },
      { status: 400, body: '' },
    ]);
  });

  it('holds no bytes afterwards', async () => {
    harness = await openHarness({}, { maxHeldBytes: 1000 });
    for (let count = 0; count < 20; count += 1) {
      const connection = harness.connect();
      connection.send(toBytes(genuine(freshBody({ data: { title: 'x'.repeat(500) } }))).subarray(0, -1));
      connection.finish();
      expect((await connection.rest()).map(({ status }) => status)).toEqual([400]);
    }
  });

  it('is answered once, where it was refused by its head', async () => {
    harness = await openHarness();
    const connection = harness.connect();
    const text = change(genuine(), { 'content-length': undefined, 'content-encoding': 'gzip' });
    connection.send(toBytes(add(text, ['Transfer-Encoding', 'chunked']), ''));
    expect((await connection.next())?.status).toBe(415);
    connection.send('xyz\r\n');
    expect(await connection.rest()).toEqual([]);
  });
});

describe('garbage in place of a request', () => {
  it('is 400, also behind a delivery that has its answer', async () => {
    harness = await openHarness();
    const connection = harness.connect();
    connection.send(toBytes(genuine()));
    expect((await connection.next())?.status).toBe(200);
    connection.send(garbage);
    expect((await connection.rest()).map(({ status }) => status)).toEqual([400]);
  });

  it('is 400 behind a delivery whose body was read after its answer', async () => {
    harness = await openHarness();
    const connection = harness.connect();
    const refused = toBytes(genuine(freshBody(), '/hooks/other'));
    connection.send(refused.subarray(0, -10));
    expect((await connection.next())?.status).toBe(404);
    connection.send(Buffer.concat([refused.subarray(-10), garbage]));
    expect((await connection.rest()).map(({ status }) => status)).toEqual([400]);
  });

  it('ends the connection of a peer that goes on sending and never closes', async () => {
    harness = await openHarness();
    const connection = harness.connect();
    for (let count = 0; count < 20; count += 1) connection.send(Buffer.alloc(10_000));
    expect((await connection.rest()).map(({ status }) => status)).toEqual([400]);
  });
});
