import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type SimulatedEffect, simulateRateLimit } from '../../testing/simulate-rate-limit.ts';
import { type SlotCommand, type RateLimitState, moveSlot, startRateLimit } from './move-slot.ts';

const gapMs = 1000;

/** A rateLimit that was new at 100,000. */
function useLane() {
  let state: RateLimitState = startRateLimit(100_000);
  const take = (command: SlotCommand, nowMs: number) => {
    const move = moveSlot(state, command, { nowMs, gapMs });
    state = move.state;
    return move.answer;
  };
  return {
    reserve: (nowMs: number) => take({ kind: 'reserve' }, nowMs),
    enter: (slotMs: number | undefined, nowMs: number, isReturning = false) =>
      take({ kind: 'enter', slotMs, isReturning }, nowMs),
    leave: (slotMs: number, nowMs: number) => take({ kind: 'leave', slotMs }, nowMs),
    pause: (untilMs: number, nowMs: number) => take({ kind: 'pause', untilMs }, nowMs),
  };
}

const waitAt = (atMs: number) => expect.objectContaining({ kind: 'wait', atMs }) as unknown;

/** Effects that are all planned at once and looked at on time. */
function planMany(count: number, change: (index: number) => Partial<SimulatedEffect> = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({
    plannedMs: 0,
    firstDelayMs: 0,
    laterDelayMs: 0,
    ...change(index),
  }));
}

function smallestSpacing(goes: readonly { readonly atMs: number }[]): number {
  return Math.min(...goes.slice(1).map(({ atMs }, index) => atMs - (goes[index]?.atMs ?? 0)));
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Looks the same every time, and in no order. */
const scatter = (index: number, below: number): number => (index * 7919) % below;

describe('moveLane', () => {
  it('gives turns one gap apart, and holds whoever comes early', () => {
    const rateLimit = useLane();
    expect([0, 1, 2].map(() => rateLimit.reserve(100_000))).toEqual([
      { kind: 'wait', isPaused: false, slotMs: 100_000, atMs: 100_000, place: 1 },
      { kind: 'wait', isPaused: false, slotMs: 101_000, atMs: 101_000, place: 2 },
      { kind: 'wait', isPaused: false, slotMs: 102_000, atMs: 102_000, place: 3 },
    ]);
    expect(rateLimit.enter(100_000, 100_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(102_000, 100_010)).toEqual(waitAt(102_000));
    expect(rateLimit.enter(101_000, 100_899)).toEqual(waitAt(101_000));
    expect(rateLimit.enter(101_000, 100_900)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(102_000, 101_900)).toEqual({ kind: 'go' });
  });

  it('counts places from the last one that has gone, however late the line is', () => {
    const rateLimit = useLane();
    const plan = (nowMs: number) => {
      const answer = rateLimit.reserve(nowMs);
      return answer.kind === 'wait' ? [answer.slotMs, answer.place] : [];
    };
    expect([plan(100_000), plan(100_000)]).toEqual([
      [100_000, 1],
      [101_000, 2],
    ]);
    // Their time has come, and none of them could go.
    expect([plan(200_000), plan(300_000)]).toEqual([
      [102_000, 3],
      [103_000, 4],
    ]);
    expect(rateLimit.enter(100_000, 300_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(101_000, 301_000)).toEqual({ kind: 'go' });
    expect(plan(301_000)).toEqual([104_000, 3]);
    // The next two have nothing to send; what comes before its time, or from elsewhere, tells nothing.
    rateLimit.leave(102_000, 302_000);
    rateLimit.leave(103_000, 303_000);
    expect(plan(303_000)).toEqual([105_000, 2]);
    rateLimit.leave(105_000, 303_000);
    rateLimit.leave(999_000, 303_000);
    expect(plan(303_000)).toEqual([106_000, 3]);
  });

  it('keeps the order of a late line when one has nothing to send, or one without a slot comes first', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 60; index++) rateLimit.reserve(100_000);
    expect(rateLimit.enter(undefined, 700_000)).toEqual({ kind: 'go' });
    rateLimit.leave(102_000, 701_000);
    expect(rateLimit.enter(100_000, 701_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(101_000, 702_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(103_000, 703_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(104_000, 704_000)).toEqual({ kind: 'go' });
  });

  it('lets one go at once into an empty rateLimit, however long nobody came', () => {
    const rateLimit = useLane();
    rateLimit.reserve(100_000);
    expect(rateLimit.enter(100_000, 100_000)).toEqual({ kind: 'go' });
    expect(rateLimit.reserve(500_000)).toEqual(waitAt(500_000));
    expect(rateLimit.enter(undefined, 900_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(undefined, 900_001)).toEqual(waitAt(901_000));
  });

  it('moves the line behind a pause, and again when the pause grows', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 4; index++) rateLimit.reserve(100_000);
    expect(rateLimit.enter(100_000, 100_000)).toEqual({ kind: 'go' });
    expect(rateLimit.pause(110_200, 100_200)).toEqual({
      kind: 'wait',
      isPaused: true,
      slotMs: 100_200,
      atMs: 110_200,
      place: 1,
    });
    expect(rateLimit.enter(101_000, 101_000)).toEqual({
      kind: 'wait',
      isPaused: true,
      slotMs: 101_000,
      atMs: 111_000,
      place: 1,
    });
    // A shorter one changes nothing for the line.
    rateLimit.pause(105_000, 101_100);
    expect(rateLimit.enter(102_000, 102_000)).toEqual(waitAt(112_000));
    rateLimit.pause(115_200, 103_000);
    expect(rateLimit.enter(102_000, 103_000)).toEqual(waitAt(117_000));
    expect(rateLimit.reserve(103_000)).toEqual(expect.objectContaining({ atMs: 120_200 }));
  });

  it('lets the one that heard of the pause go first, and one that returns before the line', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 3; index++) rateLimit.reserve(100_000);
    rateLimit.enter(100_000, 100_000);
    rateLimit.pause(105_000, 100_000);
    expect(rateLimit.enter(100_000, 105_000, true)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(101_000, 106_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(undefined, 106_500, true)).toEqual(waitAt(107_000));
  });

  it('holds one that was about to go until the pause is over', () => {
    const rateLimit = useLane();
    rateLimit.reserve(100_000);
    rateLimit.pause(110_000, 100_500);
    expect(rateLimit.enter(100_000, 101_000)).toEqual(waitAt(110_000));
  });

  it('lets one that was overtaken go next when one had come back while the whole line was late', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 60; index++) rateLimit.reserve(100_000);
    expect(rateLimit.enter(100_000, 100_000)).toEqual({ kind: 'go' });
    // Nothing could be sent for ten minutes, by when all slots are past; the first one comes back before the line.
    expect(rateLimit.enter(undefined, 700_000, true)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(102_000, 701_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(101_000, 703_000)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(103_000, 704_000)).toEqual({ kind: 'go' });
  });

  it('moves the line by one place for one that was overtaken', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 3; index++) rateLimit.reserve(100_000);
    expect(rateLimit.enter(101_000, 100_900)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(100_000, 101_000)).toEqual({
      kind: 'wait',
      isPaused: false,
      slotMs: 101_000,
      atMs: 101_900,
      place: 1,
    });
    expect(rateLimit.enter(102_000, 101_000)).toEqual(waitAt(102_800));
  });

  it('does not move the line for one that returns with an old turn', () => {
    const rateLimit = useLane();
    for (let index = 0; index < 3; index++) rateLimit.reserve(100_000);
    expect(rateLimit.enter(100_000, 105_000, true)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(102_000, 105_000)).toEqual(waitAt(106_000));
  });

  it('takes a turn that it never gave for none', () => {
    const rateLimit = useLane();
    rateLimit.reserve(100_000);
    expect(rateLimit.enter(36_000_000, 100_000)).toEqual({
      kind: 'wait',
      isPaused: false,
      slotMs: 101_000,
      atMs: 101_000,
      place: 2,
    });
  });

  it('sends a backlog of 1000 out in 1000 gaps and in its order, with one wait each', () => {
    const { goes, waits } = simulateRateLimit(
      planMany(1000, (index) => ({
        firstDelayMs: 3_600_000 - index * gapMs + index,
        laterDelayMs: scatter(index, 20),
      })),
      gapMs,
    );
    expect(goes.map(({ index }) => index)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    expect((goes.at(-1)?.atMs ?? 0) - (goes[0]?.atMs ?? 0)).toBeLessThan(1001 * gapMs);
    expect(mean(waits)).toBeLessThan(1.1);
  });

  it('does so in nearly its order when twelve workers take it at random', () => {
    const { goes, waits } = simulateRateLimit(
      planMany(1000, (index) => ({
        firstDelayMs: 3_600_000 - index * gapMs + index + scatter(index, 24),
        laterDelayMs: scatter(index, 20),
      })),
      gapMs,
    );
    const moved = goes.map(({ index }, place) => Math.abs(index - place));
    expect(Math.max(...moved)).toBeLessThan(25);
    expect((goes.at(-1)?.atMs ?? 0) - (goes[0]?.atMs ?? 0)).toBeLessThan(1020 * gapMs);
    expect(mean(waits)).toBeLessThan(4);
  });

  it('keeps the rate of a long line while one in ten comes back', () => {
    const { goes, waits } = simulateRateLimit(
      planMany(2000, (index) => ({ laterDelayMs: scatter(index, 20), failures: index % 10 === 0 ? 1 : 0 })),
      gapMs,
    );
    expect(goes).toHaveLength(2200);
    expect(goes.at(-1)?.atMs).toBeLessThan(2230 * gapMs);
    expect(mean(waits)).toBeLessThan(4);
  });

  it('lets a line move on while others come back for ever', () => {
    const returning = planMany(20, () => ({ failures: 50, retryAfterMs: 2000 }));
    const { endedMs } = simulateRateLimit([...returning, ...planMany(100)], gapMs);
    expect(Math.max(...endedMs.slice(20))).toBeLessThan(300 * gapMs);
  });

  it('makes nobody else late for one that comes an hour late', () => {
    const { endedMs } = simulateRateLimit(
      planMany(4000, (index) => ({ firstDelayMs: index === 100 ? 3_600_000 : 0 })),
      gapMs,
    );
    expect(endedMs[100]).toBeLessThan(3_703 * gapMs);
    expect(endedMs[3999]).toBeLessThan(4_002 * gapMs);
  });
});

describe('a clock that is set back', () => {
  it('holds no line: slots lie no further ahead than the backlog', () => {
    const rateLimit = useLane();
    // The clock was an hour ahead for a moment.
    rateLimit.reserve(100_000);
    expect(rateLimit.enter(100_000, 3_700_000)).toEqual({ kind: 'go' });
    expect(rateLimit.reserve(3_700_100)).toEqual(waitAt(3_701_000));
    expect(rateLimit.reserve(100_100)).toEqual(waitAt(102_000));
    expect(rateLimit.enter(undefined, 101_000)).toEqual(waitAt(103_000));
    expect(rateLimit.enter(101_000, 101_000)).toEqual({ kind: 'go' });
  });

  it('moves a pause with it', () => {
    const rateLimit = useLane();
    rateLimit.pause(3_730_000, 3_700_000);
    expect(rateLimit.enter(undefined, 100_000)).toEqual({
      kind: 'wait',
      isPaused: true,
      slotMs: expect.any(Number) as number,
      atMs: 131_000,
      place: 2,
    });
  });

  it('is none when workers differ by less than a second', () => {
    const rateLimit = useLane();
    expect(rateLimit.enter(undefined, 100_900)).toEqual({ kind: 'go' });
    expect(rateLimit.enter(undefined, 100_000)).toEqual(waitAt(101_900));
  });
});

describe('a rate limit with anything in it', () => {
  const gap = fc.constantFrom(100, 400, 1000, 3333);
  const effect = fc.record({
    plannedMs: fc.integer({ min: 0, max: 60_000 }),
    firstDelayMs: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 600_000 })),
    laterDelayMs: fc.integer({ min: 0, max: 50 }),
    skewMs: fc.constant(0),
    failures: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 6 })),
    retryAfterMs: fc.integer({ min: 0, max: 20_000 }),
    pauseMs: fc.option(fc.integer({ min: 0, max: 30_000 }), { nil: undefined, freq: 8 }),
  });
  const plan = fc.array(effect, { minLength: 1, maxLength: 60 });

  it('never lets two go within nine tenths of a gap', () => {
    fc.assert(
      fc.property(plan, gap, (effects, laneGapMs) => {
        const { goes } = simulateRateLimit(effects, laneGapMs);
        expect(smallestSpacing(goes)).toBeGreaterThanOrEqual(0.9 * laneGapMs);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps to it by the workers’ clocks when these differ, and everybody goes', () => {
    const skewed = fc.array(
      effect.chain((made) => fc.integer({ min: -150, max: 150 }).map((skewMs) => ({ ...made, skewMs }))),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(skewed, (effects) => {
        const { goes, endedMs } = simulateRateLimit(effects, gapMs);
        const byTheirs = goes.map(({ atMs, index }) => ({ atMs: atMs + (effects[index]?.skewMs ?? 0) }));
        expect(smallestSpacing(byTheirs)).toBeGreaterThanOrEqual(900);
        expect(endedMs.every((atMs) => Number.isFinite(atMs))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('lets everybody go, no later than all goes and pauses and waits of their own take', () => {
    fc.assert(
      fc.property(plan, gap, (effects, laneGapMs) => {
        const { goes, endedMs, waits } = simulateRateLimit(effects, laneGapMs);
        const pausedMs = effects.reduce((sum, { pauseMs = 0 }) => sum + pauseMs, 0);
        for (const [index, { plannedMs, firstDelayMs, failures, retryAfterMs }] of effects.entries()) {
          const ownMs = plannedMs + firstDelayMs + failures * retryAfterMs;
          const linesMs = (3 + failures) * goes.length * laneGapMs + pausedMs;
          expect(endedMs[index]).toBeLessThanOrEqual(ownMs + linesMs + 50 * (waits[index] ?? 0));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is first come, first served for those that come on time', () => {
    const punctual = fc.array(
      fc.record({
        plannedMs: fc.integer({ min: 0, max: 60_000 }),
        laterDelayMs: fc.integer({ min: 0, max: 50 }),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(punctual, gap, (effects, laneGapMs) => {
        const inOrder = effects
          .toSorted((one, other) => one.plannedMs - other.plannedMs)
          .map((made) => ({ ...made, firstDelayMs: made.laterDelayMs }));
        const { goes, waits } = simulateRateLimit(inOrder, laneGapMs);
        // What comes 50 ms late can be overtaken by the next one only where the gap is not much longer.
        if (laneGapMs > 100) expect(goes.map(({ index }) => index)).toEqual(inOrder.map((_, index) => index));
        expect(mean(waits)).toBeLessThanOrEqual(3);
      }),
      { numRuns: 300 },
    );
  });
});
