import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { startDeliveringSandbox } from '../../testing/start-delivering-sandbox.ts';
import { startPickyReceiver, type Arrival } from '../../testing/start-picky-receiver.ts';
import { ageTimestamp } from './sign-attempt.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-07-07T12:00:00Z');

const readStamp = ({ headers }: Arrival) => [headers['x-service-timestamp'], headers['x-service-signature']];

/** Answers 401 to a timestamp that is off by more than 300 s (specification, Events), else 500. The machine's clock stands still. */
const checkAge = (_number: number, { headers }: Arrival): number =>
  Math.abs(startMs / 1000 - Number(headers['x-service-timestamp'])) > 300 ? 401 : 500;

describe('with signing anew', () => {
  it("every attempt carries the machine's time, whatever the sandbox's is", async () => {
    let nowMs = startMs;
    const receiver = await startPickyReceiver(() => 500);
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ clock: () => nowMs });
    await deliver(receiver.url);
    await waitForAttempts(1);
    nowMs += 1000;
    sandbox.clock.advance(6 * minuteMs);
    await waitForAttempts(3);
    expect(receiver.arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
      '1783425600',
      '1783425601',
      '1783425601',
    ]);
  });

  it('is never refused for its age', async () => {
    const receiver = await startPickyReceiver(checkAge);
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ timeScale: 1_000_000 });
    await deliver(receiver.url);
    await waitForAttempts(6);
    expect(sandbox.deliveries()[0]?.attempts.map(({ status }) => status)).toEqual([
      500, 500, 500, 500, 500, 500,
    ]);
  });
});

describe('without signing anew', () => {
  it("repeats the first stamp byte for byte while the sandbox's time runs like the machine's", async () => {
    let nowMs = startMs;
    const receiver = await startPickyReceiver((number) => (number === 3 ? 200 : 500));
    const { deliver, waitForAttempts } = await startDeliveringSandbox({
      clock: () => nowMs,
      resign: false,
      retryDelaysMs: [1, 2],
      // Time that passes for both.
      observe: () => {
        nowMs += 1700;
      },
    });
    await deliver(receiver.url);
    await waitForAttempts(3);
    const [first, ...others] = receiver.arrivals.map(readStamp);
    expect(others).toEqual([first, first]);
  });

  it('looks as old as it would be when the clock was moved on', async () => {
    const receiver = await startPickyReceiver(() => 500);
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ resign: false });
    await deliver(receiver.url);
    await waitForAttempts(1);
    sandbox.clock.advance(24 * 60 * minuteMs);
    await waitForAttempts(6);
    expect(
      receiver.arrivals.map(({ headers }) => 1_783_425_600 - Number(headers['x-service-timestamp'])),
    ).toEqual([0, 60, 360, 1260, 4860, 15_660]);
  });

  it('is refused from the second retry on by a receiver that checks 300 s, at any time scale', async () => {
    const receiver = await startPickyReceiver(checkAge);
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({
      resign: false,
      timeScale: 60_000,
    });
    await deliver(receiver.url);
    await waitForAttempts(3);
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'given_up', attempts: [{ status: 500 }, { status: 500 }, { status: 401 }] },
    ]);
  });

  it('signs anew when somebody asks for the delivery again', async () => {
    const receiver = await startPickyReceiver(() => 500);
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ resign: false });
    const id = await deliver(receiver.url);
    await waitForAttempts(1);
    sandbox.clock.advance(3 * minuteMs);
    await waitForAttempts(2);
    sandbox.redeliver(id);
    await waitForAttempts(3);
    expect(receiver.arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
      '1783425600',
      '1783425540',
      '1783425600',
    ]);
  });

  it('keeps the stamp while the sandbox is less than a second ahead, and is exact to the second beyond it', () => {
    const drift = fc.double({ min: -5000, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.nat(2_000_000_000), drift, (first, aheadMs) => {
        const aged = ageTimestamp({ timestampSeconds: first, driftMs: 500 }, 500 + aheadMs);
        if (aheadMs < 999) expect(aged).toBe(first);
        else expect(Math.abs(first - aheadMs / 1000 - aged)).toBeLessThan(1.001);
      }),
    );
  });
});
