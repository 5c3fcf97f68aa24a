import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startDeliveringSandbox } from '../../testing/start-delivering-sandbox.ts';
import { startPickyReceiver } from '../../testing/start-picky-receiver.ts';

const minuteMs = 60_000;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-deliveries-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

describe('after a restart', () => {
  it('what waited goes on by its schedule, and what was done stays', async () => {
    const data = makeFolder();
    const receiver = await startPickyReceiver((number) => (number === 2 ? 200 : 500));
    const first = await startDeliveringSandbox({ data });
    const waiting = await first.deliver(receiver.url);
    await first.waitForAttempts(1);
    const done = await first.deliver(receiver.url);
    await first.waitForAttempts(2);
    const before = first.sandbox.deliveries();
    await first.sandbox.close();

    const second = await startDeliveringSandbox({ data });
    expect(second.sandbox.deliveries()).toEqual(before);
    expect(before).toMatchObject([
      { id: waiting, state: 'waiting', nextAttemptAt: '2026-07-07T12:01:00.000Z' },
      { id: done, state: 'delivered' },
    ]);
    second.sandbox.clock.advance(minuteMs);
    await second.waitForAttempts(1);
    expect(second.sandbox.deliveries()).toMatchObject([
      { attempts: [{ status: 500 }, { status: 500 }], nextAttemptAt: '2026-07-07T12:06:00.000Z' },
      {},
    ]);
    expect(receiver.arrivals.map(({ headers }) => headers['x-service-delivery'])).toEqual([
      waiting,
      done,
      waiting,
    ]);
    second.sandbox.redeliver(done);
    await receiver.waitFor(4);
  });

  it('what was under way is sent again, and what became due meanwhile is due now', async () => {
    const data = makeFolder();
    const receiver = await startPickyReceiver((number) => (number === 1 ? 'hang' : 500));
    const first = await startDeliveringSandbox({ data });
    const id = await first.deliver(receiver.url);
    await receiver.waitFor(1);
    await first.sandbox.close();

    const later = Date.parse('2026-07-09T08:00:00Z');
    const second = await startDeliveringSandbox({ data, clock: () => later });
    await second.waitForAttempts(1);
    expect(second.sandbox.deliveries()).toMatchObject([
      { id, attempts: [{ at: '2026-07-09T08:00:00.000Z' }], nextAttemptAt: '2026-07-09T08:01:00.000Z' },
    ]);
  });

  it('retries that are not signed anew keep the first stamp, and a reset leaves nothing', async () => {
    const data = makeFolder();
    const receiver = await startPickyReceiver(() => 500);
    const first = await startDeliveringSandbox({ data, resign: false });
    await first.deliver(receiver.url);
    await first.waitForAttempts(1);
    await first.sandbox.close();

    const later = Date.parse('2026-07-07T12:30:00Z');
    const second = await startDeliveringSandbox({ data, resign: false, clock: () => later });
    await second.waitForAttempts(1);
    const stamps = receiver.arrivals.map(({ headers }) => headers['x-service-signature']);
    expect(stamps[0]).toBe(stamps[1]);
    second.sandbox.reset();
    await second.sandbox.close();
    const third = await startDeliveringSandbox({ data });
    expect(third.sandbox.deliveries()).toEqual([]);
  });
});
