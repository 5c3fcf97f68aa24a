import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createSandboxClock, MAX_ADVANCE_MS, type SandboxClock } from './clock.ts';

const startMs = Date.parse('2026-07-07T12:00:00Z');
let clock: SandboxClock;
let ran: (readonly [name: string, atMs: number])[];

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  clock = createSandboxClock(Date.now);
  ran = [];
});

afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

const plan = (name: string, atMs: number) =>
  clock.schedule(startMs + atMs, () => ran.push([name, clock.now() - startMs]));

describe('the time', () => {
  it('is that of the machine, plus what it was advanced by', () => {
    vi.advanceTimersByTime(500);
    clock.advance(1000);
    vi.advanceTimersByTime(500);
    expect([clock.now() - startMs, clock.wall() - startMs]).toEqual([2000, 1000]);
  });

  it.each([-1, MAX_ADVANCE_MS + 1, Number.NaN, Infinity])('cannot be advanced by %s', (byMs) => {
    expect(() => clock.advance(byMs)).toThrow(RangeError);
    expect(clock.now()).toBe(startMs);
  });

  it('ends with the year 9999', () => {
    for (let year = 0; year < 8000; year += 1) clock.advance(MAX_ADVANCE_MS);
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T00:00:00.000Z');
  });
});

describe('plans', () => {
  it('run at their time, in order, also those that plans make', () => {
    plan('late', 3000);
    plan('soon', 1000);
    plan('soon too', 1000);
    clock.schedule(startMs + 2000, () => plan('made', 2500));
    clock.advance(2999);
    expect(ran).toEqual([
      ['soon', 1000],
      ['soon too', 1000],
      ['made', 2500],
    ]);
    vi.advanceTimersByTime(1);
    expect(ran.at(-1)).toEqual(['late', 3000]);
  });

  it('run by the timer of the machine, however far away', () => {
    plan('in a month', 30 * 86_400_000);
    vi.advanceTimersByTime(30 * 86_400_000 - 1);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toHaveLength(1);
  });

  it('never run before schedule has returned', () => {
    plan('due', 0);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual([['due', 0]]);
  });

  it('can be cancelled one by one, by a reset and by a stop', () => {
    const cancel = plan('cancelled', 1000);
    plan('kept', 1000);
    cancel();
    cancel();
    clock.advance(1000);
    expect(ran).toEqual([['kept', 1000]]);
    plan('reset', 2000);
    clock.reset();
    plan('stopped', 2000);
    clock.stop();
    plan('after', 2000);
    clock.advance(5000);
    vi.advanceTimersByTime(5000);
    expect(ran).toHaveLength(1);
  });

  it('go on after one that throws', () => {
    clock.schedule(startMs + 1000, () => {
      throw new Error('broken');
    });
    plan('next', 1000);
    expect(() => clock.advance(1000)).toThrow('broken');
    vi.advanceTimersByTime(1);
    expect(ran).toHaveLength(1);
  });

  it('advance within a plan', () => {
    clock.schedule(startMs + 1000, () => clock.advance(1000));
    plan('inner', 1500);
    clock.advance(1200);
    expect([ran, clock.now() - startMs]).toEqual([[['inner', 1500]], 2000]);
  });

  it('have a time', () => {
    expect(() => clock.schedule(Number.NaN, () => {})).toThrow(RangeError);
  });
});
