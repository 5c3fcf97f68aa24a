import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Arrival } from '../testing/receiver.ts';
import { deliverySecret, startDelivery } from '../testing/sandbox.ts';

const minuteMs = 60_000;

function isRightlySigned({ headers, body }: Arrival): boolean {
  const hmac = createHmac('sha256', deliverySecret).update(`${String(headers['x-service-timestamp'])}.`);
  return headers['x-service-signature'] === `sha256=${hmac.update(body).digest('hex')}`;
}

const readIds = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ headers }) => headers['x-service-delivery']);

describe('a duplicate', () => {
  it('is sent twice at once, under one id, and the log shows both', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery();
    sandbox.faults.add({ kind: 'duplicate' });
    const id = await deliver();
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([id, id]);
    expect(receiver.arrivals[0]?.headers['x-service-signature']).toBe(
      receiver.arrivals[1]?.headers['x-service-signature'],
    );
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'delivered', fault: 'duplicate', attempts: [{ status: 200 }, { status: 200 }] },
    ]);
  });

  it('is one again when it is tried again', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery((number) =>
      number < 3 ? 500 : 200,
    );
    sandbox.faults.add({ kind: 'duplicate' });
    await deliver();
    await waitForAttempts(2);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(3);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{}, {}, { status: 200 }] }]);
    expect(receiver.arrivals).toHaveLength(3);
  });
});

describe('a delivery out of order', () => {
  it('is held for 30 s of sandbox time, and what is sent meanwhile comes first', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery();
    sandbox.faults.add({ kind: 'reorder' });
    const first = await deliver();
    const second = await deliver();
    await waitForAttempts(1);
    expect(sandbox.deliveries()).toMatchObject([
      { id: second, state: 'delivered' },
      {
        id: first,
        fault: 'reorder',
        state: 'waiting',
        nextAttemptAt: '2026-07-07T12:00:30.000Z',
        attempts: [],
      },
    ]);
    sandbox.clock.advance(30_000);
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([second, first]);
  });
});

describe('a bad signature', () => {
  it('has the right form and stays for every attempt; a requested repetition is right', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery((number) =>
      number === 1 ? 503 : 401,
    );
    sandbox.faults.add({ kind: 'bad_signature' });
    const id = await deliver();
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
});

describe('a stale timestamp', () => {
  it.each([
    [{}, '1783425000'],
    [{ seconds: 86_400 }, '1783339200'],
  ])('is signed, and as old as it was told to be: %j', async (more, timestamp) => {
    const { receiver, sandbox, deliver } = await startDelivery();
    sandbox.faults.add({ kind: 'stale_timestamp', seconds: 600, ...more });
    await deliver();
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-service-timestamp']).toBe(timestamp);
    expect(arrival && isRightlySigned(arrival)).toBe(true);
  });
});

describe('a dropped delivery', () => {
  it('is sent only on request', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery();
    sandbox.faults.add({ kind: 'drop' });
    const dropped = await deliver();
    const sent = await deliver();
    await waitForAttempts(1);
    sandbox.clock.advance(24 * 60 * minuteMs);
    expect(readIds(receiver.arrivals)).toEqual([sent]);
    expect(sandbox.deliveries()).toMatchObject([
      { id: sent, state: 'delivered' },
      { id: dropped, state: 'dropped', fault: 'drop', attempts: [] },
    ]);
    sandbox.redeliver(dropped);
    await waitForAttempts(2);
    expect(readIds(receiver.arrivals)).toEqual([sent, dropped]);
  });
});
