import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** What was stored of a genuine delivery that calls itself so. */
async function storedAs(id: string | undefined) {
  const body = freshBody();
  const text = change(genuine(body), { 'x-service-delivery': id });
  expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
  return harness.inbox.asked[0];
}

describe('a delivery id', () => {
  it.each(['d', '~!"#$%&/', 'a,b', 'x'.repeat(128)])('%s is kept for people', async (id) => {
    const stored = await storedAs(id);
    expect(stored?.job.deliveryId).toBe(id);
    expect(stored?.deliveryKey).toBe(`default/${id}`);
    expect(stored?.job.receivedAt).toBe('2026-07-07T12:00:00.000Z');
  });

  it.each([undefined, '', 'a b', 'x'.repeat(129), '\u00ff', 'a\u00ff', '\u00ffa', 'a\tb'])(
    '%j is none, and the delivery is taken all the same',
    async (id) => {
      const stored = await storedAs(id);
      for (const name of ['deliveryId', 'key', 'isUnsigned']) expect(stored?.job).not.toHaveProperty(name);
      expect(stored).not.toHaveProperty('deliveryKey');
      await harness.attack(toBytes(change(genuine(Buffer.from('null')), { 'x-service-delivery': id })));
      expect(harness.inbox.refusals[0]).not.toHaveProperty('deliveryId');
    },
  );

  it('decides nothing: the job is the same under any', async () => {
    const body = freshBody();
    const ids = new Set<string | undefined>();
    for (const id of ['d-1', 'd-2', undefined]) {
      await harness.attack(toBytes(change(genuine(body), { 'x-service-delivery': id })), [body]);
      ids.add(harness.inbox.asked[0]?.jobId);
    }
    expect(ids.size).toBe(1);
  });

  it('is another announcement for another id, and the same for the same', async () => {
    const [first, second, third] = [await storedAs('d-1'), await storedAs('d-2'), await storedAs('d-1')];
    expect(first?.deliveryKey).not.toBe(second?.deliveryKey);
    expect(first?.deliveryKey).toBe(third?.deliveryKey);
    expect(first?.keepSeconds).toBe(604_800);
  });
});
