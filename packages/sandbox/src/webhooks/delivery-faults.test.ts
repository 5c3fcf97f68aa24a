import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { startPickyReceiver, type Arrival } from '../testing/receiver.ts';
import { deliverySecret, startDeliveringSandbox } from '../testing/sandbox.ts';

const minuteMs = 60_000;

function isRightlySigned({ headers, body }: Arrival): boolean {
  const hmac = createHmac('sha256', deliverySecret).update(`${String(headers['x-service-timestamp'])}.`);
  return headers['x-service-signature'] === `sha256=${hmac.update(body).digest('hex')}`;
}

const readIds = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ headers }) => headers['x-service-delivery']);

describe('a duplicate', () => {
  it('is sent twice at once, under one id, and the log shows both', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'duplicate' });
    const id = await deliver(receiver.url);
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([id, id]);
    expect(receiver.arrivals[0]?.headers['x-service-signature']).toBe(
      receiver.arrivals[1]?.headers['x-service-signature'],
    );
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'delivered', fault: 'duplicate', attempts: [{ status: 200 }, { status: 200 }] },
    ]);
  });

  it('is delivered when one of the two is accepted', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 200 : 400));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'duplicate' });
    await deliver(receiver.url);
    await waitForAttempts(2);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('is one again when it is tried again', async () => {
    const receiver = await startPickyReceiver((number) => (number < 3 ? 500 : 200));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'duplicate' });
    await deliver(receiver.url);
    await waitForAttempts(2);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(3);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{}, {}, { status: 200 }] }]);
    expect(receiver.arrivals).toHaveLength(3);
  });

  it('is one delivery when it is requested again before the first answer', async () => {
    const receiver = await startPickyReceiver((number) => (number < 3 ? 'hang' : 200));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'duplicate' });
    const id = await deliver(receiver.url);
    await receiver.waitFor(2);
    sandbox.redeliver(id);
    await waitForAttempts(1);
    for (const { socket } of receiver.arrivals.slice(0, 2)) socket.destroy();
    await waitForAttempts(3);
    expect(receiver.arrivals).toHaveLength(3);
  });
});

describe('a delivery out of order', () => {
  it('comes after the next one of the same receiver', async () => {
    const receiver = await startPickyReceiver();
    const other = await startPickyReceiver();
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'reorder' });
    const first = await deliver(receiver.url);
    await deliver(other.url);
    await waitForAttempts(1);
    expect(sandbox.deliveries()).toMatchObject([
      {
        id: first,
        fault: 'reorder',
        state: 'waiting',
        nextAttemptAt: '2026-07-07T12:00:30.000Z',
        attempts: [],
      },
      { state: 'delivered' },
    ]);
    const second = await deliver(receiver.url);
    await waitForAttempts(3);
    expect(readIds(receiver.arrivals)).toEqual([second, first]);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'delivered' }, {}, { state: 'delivered' }]);
    sandbox.clock.advance(minuteMs);
    expect(receiver.arrivals).toHaveLength(2);
  });

  it('is sent when no other delivery comes within 30 s of sandbox time', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 500 : 200));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'reorder' });
    const first = await deliver(receiver.url);
    sandbox.clock.advance(29_999);
    expect(receiver.arrivals).toEqual([]);
    sandbox.clock.advance(1);
    await waitForAttempts(1);
    // It waits for its retry now, and nothing overtakes it any more.
    const second = await deliver(receiver.url);
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([first, second]);
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'waiting', nextAttemptAt: '2026-07-07T12:01:30.000Z' },
      { state: 'delivered' },
    ]);
  });

  it('is not held for one that another waits for already', async () => {
    const receiver = await startPickyReceiver(() => 'hang');
    const { sandbox, deliver } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'reorder' });
    sandbox.faults.add({ kind: 'reorder', after: 1 });
    await deliver(receiver.url);
    await deliver(receiver.url);
    await deliver(receiver.url);
    const planned = sandbox.deliveries().map(({ nextAttemptAt }) => nextAttemptAt?.slice(11, 19));
    expect(planned).toEqual(['12:00:30', undefined, '12:00:30']);
  });

  it('again and again swaps pairs', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'reorder', times: null });
    const ids: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      ids.push(await deliver(receiver.url));
      if (turn % 2 === 1) await waitForAttempts(turn + 1);
    }
    expect(readIds(receiver.arrivals)).toEqual([ids[1], ids[0], ids[3], ids[2]]);
  });

  it('is sent at once, and once, when it is requested', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'reorder' });
    const first = await deliver(receiver.url);
    sandbox.redeliver(first);
    await waitForAttempts(1);
    const second = await deliver(receiver.url);
    await waitForAttempts(2);
    sandbox.clock.advance(minuteMs);
    expect(readIds(receiver.arrivals)).toEqual([first, second]);
  });
});

describe('a bad signature', () => {
  it('has the right form and stays for every attempt; a requested repetition is right', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 503 : 401));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'bad_signature' });
    const id = await deliver(receiver.url);
    await waitForAttempts(1);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(2);
    sandbox.redeliver(id);
    await waitForAttempts(3);
    expect(receiver.arrivals.map(isRightlySigned)).toEqual([false, false, true]);
    for (const { headers } of receiver.arrivals) {
      expect(headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    }
    expect(sandbox.deliveries()).toMatchObject([{ fault: 'bad_signature' }]);
  });

  it('also applies to unsigned deliveries', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'bad_signature' });
    await deliver(receiver.url, { webhook_secret: undefined });
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-service-signature']).toMatch(/^sha256=0{64}$/);
  });
});

describe('a stale timestamp', () => {
  it.each([
    [{}, '1783425000'],
    [{ seconds: 86_400 }, '1783339200'],
  ])('is signed, and as old as it was told to be: %j', async (more, timestamp) => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'stale_timestamp', seconds: 600, ...more });
    await deliver(receiver.url);
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-service-timestamp']).toBe(timestamp);
    expect(arrival && isRightlySigned(arrival)).toBe(true);
  });
});

describe('a dropped delivery', () => {
  it('is sent only on request', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    sandbox.faults.add({ kind: 'drop' });
    const dropped = await deliver(receiver.url);
    const sent = await deliver(receiver.url);
    await waitForAttempts(1);
    sandbox.clock.advance(24 * 60 * minuteMs);
    expect(readIds(receiver.arrivals)).toEqual([sent]);
    expect(sandbox.deliveries()).toMatchObject([
      { id: dropped, state: 'dropped', fault: 'drop', attempts: [] },
      { id: sent, state: 'delivered' },
    ]);
    sandbox.redeliver(dropped);
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([sent, dropped]);
  });
});

describe('faults by chance', () => {
  it('hit the same deliveries for the same seed, with any answer of the receiver', async () => {
    const hit: (string | undefined)[][] = [];
    for (const status of [200, 500]) {
      const receiver = await startPickyReceiver(() => status);
      const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ seed: 11 });
      sandbox.faults.add({ kind: 'bad_signature', times: null, probability: 0.5 });
      for (let turn = 1; turn <= 12; turn += 1) {
        await deliver(receiver.url);
        await waitForAttempts(turn);
      }
      hit.push(sandbox.deliveries().map(({ fault }) => fault));
    }
    expect(hit[0]).toEqual(hit[1]);
    expect(new Set(hit[0])).toEqual(new Set(['bad_signature', undefined]));
  });
});
