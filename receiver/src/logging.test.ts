import { describe, expect, it } from 'vitest';

import { createLogThrottle } from './logging.ts';

describe('a rare line', () => {
  it('is written at once, then once in a second, with how often it was asked for', () => {
    let now = 5000;
    const written: number[] = [];
    const ask = createLogThrottle(
      (times) => written.push(times),
      () => now,
    );
    ask();
    expect(written).toEqual([1]);
    for (let count = 0; count < 40; count += 1) ask();
    now += 999;
    ask();
    expect(written).toEqual([1]);
    now += 1;
    ask();
    expect(written).toEqual([1, 42]);
  });

  it('goes on when the clock is set back', () => {
    let now = 5000;
    const written: number[] = [];
    const ask = createLogThrottle(
      (times) => written.push(times),
      () => now,
    );
    ask();
    now = 0;
    ask();
    expect(written).toEqual([1, 1]);
  });
});
