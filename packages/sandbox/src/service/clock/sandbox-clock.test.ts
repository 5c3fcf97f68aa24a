import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ClockMark, KeptTime } from './kept-time.ts';
import { createSandboxClock, type SandboxClock } from './sandbox-clock.ts';

const startMs = Date.parse('2026-07-07T12:00:00Z');
const dayMs = 86_400_000;

let clock: SandboxClock;
let seen: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  clock = createSandboxClock(Date.now);
  seen = [];
});

afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

/** Notes its name and the time that it reads when it runs. */
function plan(name: string, afterMs: number, of = clock): () => void {
  return of.schedule(startMs + afterMs, () => seen.push(`${name} ${String(of.now() - startMs)}`));
}

describe('the time', () => {
  it('is the machine’s, until it is moved on', () => {
    vi.advanceTimersByTime(1500);
    expect(clock.now()).toBe(startMs + 1500);
    clock.advance(60_000);
    vi.advanceTimersByTime(500);
    expect(clock.now()).toBe(startMs + 62_000);
    expect(clock.wall()).toBe(startMs + 2000);
  });

  it('passes at its scale, and a change of scale moves nothing', () => {
    clock.change({ timeScale: 60 });
    expect(clock.now()).toBe(startMs);
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(startMs + 60_000);
    clock.change({ timeScale: 0.5 });
    expect(clock.now()).toBe(startMs + 60_000);
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(startMs + 60_500);
  });

  it('stands still while it is frozen, and can be moved on all the same', () => {
    clock.change({ isFrozen: true });
    vi.advanceTimersByTime(5000);
    expect(clock.now()).toBe(startMs);
    clock.advance(1000);
    expect(clock.describe()).toEqual({ nowMs: startMs + 1000, timeScale: 1, isFrozen: true });
    clock.change({ isFrozen: false });
    vi.advanceTimersByTime(5000);
    expect(clock.now()).toBe(startMs + 6000);
  });

  it('ends with the year 9999', () => {
    clock.change({ timeScale: 1_000_000 });
    vi.setSystemTime(startMs + 400 * 366 * dayMs);
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T00:00:00.000Z');
    clock.advance(dayMs);
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T00:00:00.000Z');
  });

  it.each([Number.NaN, -1, -0.001, 366 * dayMs + 1, Infinity])('is not moved on by %s', (byMs) => {
    expect(() => clock.advance(byMs)).toThrow(RangeError);
    expect(clock.now()).toBe(startMs);
  });

  it.each([0, -1, Number.NaN, Infinity, 1_000_001])('does not run at the scale %s', (timeScale) => {
    expect(() => createSandboxClock(Date.now, timeScale)).toThrow(RangeError);
    expect(() => clock.change({ timeScale, isFrozen: true })).toThrow(RangeError);
    expect(clock.describe()).toMatchObject({ timeScale: 1, isFrozen: false });
  });
});

describe('a plan', () => {
  it('runs once, at its time, which it reads', () => {
    plan('one', 5000);
    vi.advanceTimersByTime(4999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(seen).toEqual(['one 5000']);
  });

  it('never runs before it is planned, be it due long since', () => {
    plan('late', 0);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['late 0']);
  });

  it('runs sooner on a faster clock, also one that was set going faster later', () => {
    plan('one', 60_000);
    clock.change({ timeScale: 60 });
    vi.advanceTimersByTime(999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['one 60000']);
  });

  it('waits while the clock is frozen, unless it is due', () => {
    clock.change({ isFrozen: true });
    plan('later', 1);
    plan('due', 0);
    vi.advanceTimersByTime(dayMs);
    expect(seen).toEqual(['due 0']);
    clock.change({ isFrozen: false });
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['due 0', 'later 1']);
  });

  it('keeps its time beyond the 2^31 ms of a timer', () => {
    plan('in 25 days', 25 * dayMs);
    vi.advanceTimersByTime(25 * dayMs - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([`in 25 days ${String(25 * dayMs)}`]);
  });

  it('is not waited for beyond a minute when the machine slept', () => {
    plan('in a day', dayMs);
    vi.setSystemTime(startMs + 3 * dayMs);
    // Nothing is seen out of order: the time comes to the plan, and goes on behind it.
    expect(clock.now()).toBe(startMs + dayMs);
    vi.advanceTimersByTime(60_000);
    expect(seen).toEqual([`in a day ${String(dayMs)}`]);
    expect(clock.now()).toBe(startMs + 3 * dayMs + 60_000);
  });

  it('runs on a machine whose clock stands still', () => {
    const still = createSandboxClock(() => startMs);
    plan('in three minutes', 180_000, still);
    vi.advanceTimersByTime(180_000);
    expect(seen).toEqual(['in three minutes 180000']);
    still.stop();
  });

  it('is refused when its time is none', () => {
    expect(() => clock.schedule(Number.NaN, () => {})).toThrow(RangeError);
    expect(() => clock.schedule(Infinity, () => {})).toThrow(RangeError);
  });

  it('leaves nothing behind when it is taken back, at once or twice', () => {
    const before = vi.getTimerCount();
    const takeBack = [3, 1, 2].map((name) => plan(String(name), name * 1000));
    expect(vi.getTimerCount()).toBe(before + 1);
    for (const undo of [...takeBack, ...takeBack]) undo();
    expect(vi.getTimerCount()).toBe(before);
    clock.advance(10_000);
    expect(seen).toEqual([]);
  });

  it('that fails stops neither the clock nor the next one', () => {
    clock.schedule(startMs + 1000, () => {
      throw new Error('broken');
    });
    plan('next', 2000);
    expect(() => clock.advance(5000)).toThrow('broken');
    expect(clock.now()).toBe(startMs + 1000);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual(['next 2000']);
  });
});

describe('moving on', () => {
  it('runs what becomes due in the order of time, of one time in the order of planning', () => {
    plan('c', 3000);
    plan('a', 1000);
    plan('b1', 2000);
    plan('b2', 2000);
    plan('later', 3001);
    clock.advance(3000);
    expect(seen).toEqual(['a 1000', 'b1 2000', 'b2 2000', 'c 3000']);
    expect(clock.now()).toBe(startMs + 3000);
  });

  it('runs what plans plan, within the same move', () => {
    plan('between', 1500);
    clock.schedule(startMs + 1000, () => {
      seen.push('first');
      plan('second', 2000);
      plan('at once', 1000);
      plan('beyond', 2001);
    });
    clock.advance(2000);
    expect(seen).toEqual(['first', 'at once 1000', 'between 1500', 'second 2000']);
  });

  it('by nothing runs what is due', () => {
    plan('due', 0);
    clock.advance(0);
    expect(seen).toEqual(['due 0']);
  });

  it('lets a plan take back another that is due', () => {
    clock.schedule(startMs + 1000, () => undo());
    const undo = plan('taken back', 1000);
    clock.advance(2000);
    expect(seen).toEqual([]);
  });

  it('goes on from within a plan, and never back', () => {
    clock.schedule(startMs + 1000, () => {
      clock.advance(9000);
      seen.push(`moved ${String(clock.now() - startMs)}`);
    });
    plan('inner', 5000);
    plan('outer', 10_500);
    clock.advance(2000);
    expect(seen).toEqual(['inner 5000', 'moved 10000']);
    expect(clock.now()).toBe(startMs + 10_000);
    vi.advanceTimersByTime(500);
    expect(seen.at(-1)).toBe('outer 10500');
  });

  it('in steps runs the same as at once, whatever is planned and taken back', () => {
    const delays = fc.array(fc.record({ atMs: fc.integer({ min: 0, max: 50 }), isTakenBack: fc.boolean() }));
    fc.assert(
      fc.property(delays, fc.array(fc.integer({ min: 0, max: 20 })), (planned, steps) => {
        seen = [];
        const still = createSandboxClock(() => startMs);
        const undo = planned.map(({ atMs }, index) => plan(String(index), atMs, still));
        for (const [index, { isTakenBack }] of planned.entries()) if (isTakenBack) undo[index]?.();
        for (const step of steps) still.advance(step);
        const untilMs = still.now() - startMs;
        still.stop();
        const expected = planned
          .map((entry, index) => ({ ...entry, index }))
          .filter(({ atMs, isTakenBack }) => !isTakenBack && steps.length > 0 && atMs <= untilMs)
          .toSorted((one, other) => one.atMs - other.atMs || one.index - other.index);
        expect(seen).toEqual(expected.map(({ atMs, index }) => `${String(index)} ${String(atMs)}`));
      }),
    );
  });
});

describe('more plans than the machine can run', () => {
  const nextTurns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  const work = (): void => {
    const endMs = performance.now() + 4;
    while (performance.now() < endMs);
  };

  beforeEach(() => {
    vi.useRealTimers();
  });

  it('leave everything else its turn, and slow the time down', async () => {
    const fast = createSandboxClock(Date.now, 1_000_000);
    const repeat = (): void => {
      seen.push('run');
      work();
      fast.schedule(fast.now() + 60_000, repeat);
    };
    const firstMs = fast.now();
    fast.schedule(firstMs, repeat);
    while (seen.length < 8) await nextTurns();
    expect(fast.now() - firstMs).toBeLessThanOrEqual(seen.length * 60_000);
    fast.change({ timeScale: 1 });
    const backMs = fast.now();
    const runs = seen.length;
    await nextTurns();
    fast.stop();
    // One may have been due at that very moment.
    expect(seen.length - runs).toBeLessThanOrEqual(1);
    expect(fast.now() - backMs).toBeLessThan(60_000);
  });

  it('do not take the time away that a machine slept', async () => {
    let wallMs = startMs;
    const slept = createSandboxClock(() => wallMs);
    for (let hour = 1; hour <= 8; hour += 1) {
      slept.schedule(startMs + hour * 3_600_000, () => {
        work();
        seen.push(String(hour));
      });
    }
    wallMs += 3 * dayMs;
    // The clock looks at the machine's soon after.
    slept.change({});
    while (seen.length < 8) {
      expect(slept.now()).toBeLessThanOrEqual(startMs + (seen.length + 1) * 3_600_000);
      await nextTurns();
    }
    expect(slept.now()).toBe(startMs + 3 * dayMs);
    slept.stop();
  });
});

it('forgets plans, scale and frozen when it is reset, and no time', () => {
  plan('never', 1000);
  clock.advance(500);
  clock.change({ timeScale: 60, isFrozen: true });
  clock.reset();
  expect(clock.describe()).toEqual({ nowMs: startMs + 500, timeScale: 1, isFrozen: false });
  clock.advance(dayMs);
  expect(seen).toEqual([]);
});

it('plans nothing any more when it is stopped', () => {
  const before = vi.getTimerCount();
  plan('one', 1000);
  clock.stop();
  plan('other', 1000)();
  expect(vi.getTimerCount()).toBe(before);
  clock.advance(2000);
  expect(seen).toEqual([]);
});

it('tells since when it has run without a break: a machine that sleeps breaks it, moving it on does not', () => {
  plan('planned', 10 * dayMs);
  clock.advance(dayMs);
  vi.advanceTimersByTime(dayMs);
  expect(clock.runningSince()).toBe(startMs);
  // No timer of the machine runs meanwhile.
  vi.setSystemTime(startMs + 3 * dayMs);
  vi.advanceTimersByTime(60_000);
  expect(clock.runningSince() - clock.now()).toBe(0);
  expect(clock.now()).toBe(startMs + 4 * dayMs + 60_000);
});

describe('the kept time', () => {
  let mark: ClockMark | undefined;
  let writes: number;
  const kept: KeptTime = {
    read: () => mark,
    write(next) {
      mark = next;
      writes += 1;
    },
  };

  beforeEach(() => {
    mark = undefined;
    writes = 0;
  });

  /** What the next process would read; nobody stopped the one before: it was killed. */
  function reopen(timeScale?: number): ReturnType<SandboxClock['describe']> {
    const other = createSandboxClock(Date.now, timeScale, { read: kept.read, write: () => {} });
    const view = other.describe();
    other.stop();
    return view;
  }

  it('lets another clock go on at the time to which this one was moved', () => {
    const first = createSandboxClock(Date.now, 1, kept);
    first.advance(10 * dayMs);
    vi.advanceTimersByTime(5000);
    expect(reopen()).toEqual({ nowMs: startMs + 10 * dayMs + 5000, timeScale: 1, isFrozen: false });
    first.stop();
  });

  it.each([0.01, 0.5, 1, 1.01, 10, 3600, 1_000_000])(
    'at the scale %d never goes back where the clock was killed, whenever that was',
    (timeScale) => {
      const first = createSandboxClock(Date.now, undefined, kept);
      first.change({ timeScale });
      for (const passMs of [0, 1, 999, 4000, 4999, 5001, 600_000]) {
        vi.advanceTimersByTime(passMs);
        // A plan that comes and goes does not put the mark off.
        first.schedule(first.now() + 2, () => {})();
        const nowMs = first.now();
        expect(reopen()).toMatchObject({ timeScale });
        expect(reopen().nowMs - nowMs).toBeGreaterThanOrEqual(-2000 * timeScale);
        expect(reopen().nowMs - nowMs).toBeGreaterThanOrEqual(-1000);
      }
      first.stop();
    },
  );

  it('passes as the machine’s while no clock ran, but for the seconds in which a killed one may have run', () => {
    const first = createSandboxClock(Date.now, 3600, kept);
    vi.advanceTimersByTime(60_000);
    const killed = mark;
    first.stop();
    vi.setSystemTime(Date.now() + dayMs);
    const stoppedMs = startMs + 3600 * 60_000;
    expect(reopen().nowMs).toBe(stoppedMs + dayMs);
    mark = killed;
    expect(reopen().nowMs - stoppedMs - dayMs).toBeLessThanOrEqual(3600 * 10_000);
  });

  it('is exact where the clock was stopped, also soon after a restart', () => {
    createSandboxClock(Date.now, 60, kept).stop();
    const first = createSandboxClock(Date.now, undefined, kept);
    vi.advanceTimersByTime(1500);
    expect(reopen().nowMs).toBe(startMs + 60 * 1500);
    vi.advanceTimersByTime(90_000);
    first.stop();
    expect(reopen()).toEqual({ nowMs: startMs + 60 * 91_500, timeScale: 60, isFrozen: false });
  });

  it('stands where it was frozen', () => {
    const first = createSandboxClock(Date.now, 60, kept);
    vi.advanceTimersByTime(1500);
    first.change({ isFrozen: true });
    vi.advanceTimersByTime(dayMs);
    const frozen = { nowMs: startMs + 60 * 1500, timeScale: 60, isFrozen: true };
    expect(reopen()).toEqual(frozen);
    first.stop();
    vi.advanceTimersByTime(dayMs);
    expect(reopen()).toEqual(frozen);
    const second = createSandboxClock(Date.now, undefined, kept);
    second.reset();
    expect(reopen()).toEqual({ ...frozen, timeScale: 1, isFrozen: false });
    second.stop();
  });

  it('gives way to a scale that is asked for', () => {
    createSandboxClock(Date.now, 60, kept).stop();
    expect(reopen(5)).toMatchObject({ timeScale: 5 });
  });

  it('is not written over and over by a clock that runs as the machine does', () => {
    const first = createSandboxClock(Date.now, 1, kept);
    for (let second = 1; second <= 100; second += 1) plan('tick', second * 1000, first);
    vi.advanceTimersByTime(100_000);
    expect(seen).toHaveLength(100);
    first.stop();
    expect(writes).toBe(0);
  });
});
