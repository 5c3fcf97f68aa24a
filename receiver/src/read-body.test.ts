import type { IncomingMessage } from 'node:http';

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

import { createBodyBudget, createReadingTurns } from './read-body.ts';

describe('createBodyBudget', () => {
  it('returns a body up to the limit, and nothing of a larger one', () => {
    const changes: number[] = [];
    const held = createBodyBudget(10, (bytes) => changes.push(bytes));
    const taken = [6, 5, 4, 1].map((bytes) => held.reserve(bytes, true));
    expect(taken).toEqual([true, false, true, false]);
    held.release(6);
    expect(held.reserve(6, true)).toBe(true);
    expect(changes).toEqual([6, 4, -6, 6]);
  });

  it('keeps a quarter for bodies that come as one piece', () => {
    const held = createBodyBudget(1000, () => {});
    expect([held.reserve(750), held.reserve(1), held.reserve(1, true), held.reserve(249, true)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    // Whole ones that wait for the store stand before what has yet to come.
    held.release(750);
    expect([held.reserve(500), held.reserve(1)]).toEqual([true, false]);
  });

  it('never holds more than its budget', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.boolean())), (bodies) => {
        let sum = 0;
        const held = createBodyBudget(1000, (bytes) => {
          sum += bytes;
        });
        const taken = bodies.filter(([size, isWhole]) => held.reserve(size, isWhole));
        expect(sum).toBeLessThanOrEqual(1000);
        for (const [size] of taken) held.release(size);
        expect(sum).toBe(0);
      }),
    );
  });
});

describe('createReadingTurns', () => {
  const paused: number[] = [];
  const resumed: number[] = [];
  const request = (name: number, socket: object = {}) =>
    ({
      pause: () => paused.push(name),
      resume: () => resumed.push(name),
      socket,
    }) as unknown as IncomingMessage;
  const nextTurn = () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  beforeEach(() => {
    paused.length = 0;
    resumed.length = 0;
  });

  it('lets four pieces of 64 KB into a turn of the event loop, one after the other', async () => {
    const turns = createReadingTurns();
    for (let name = 1; name <= 10; name += 1) expect(turns.take(request(name), 65_536, true)).toBe(true);
    expect(paused).toEqual([5, 6, 7, 8, 9, 10]);
    await nextTurn();
    expect(resumed).toEqual([5, 6, 7, 8]);
    turns.take(request(12), 65_536, true);
    // Behind those that wait already.
    expect(paused.at(-1)).toBe(12);
    await nextTurn();
    expect(resumed).toEqual([5, 6, 7, 8, 9, 10, 12]);
    turns.take(request(13), 65_536, true);
    expect(paused.at(-1)).toBe(12);
  });

  it('refuses a second one of a connection, and what comes when 400 wait', () => {
    const turns = createReadingTurns();
    turns.take(request(0), 1024 * 1024, true);
    const socket = {};
    expect(turns.take(request(1, socket), 1, true)).toBe(true);
    expect(turns.take(request(2, socket), 1, true)).toBe(false);
    const taken = Array.from({ length: 500 }, (_each, name) => turns.take(request(name), 1, true));
    expect(taken.filter(Boolean)).toHaveLength(398);
  });

  it('reads 32 bodies without a declared length at the same time, and lets none of them wait', () => {
    const turns = createReadingTurns();
    const requests = Array.from({ length: 33 }, (_each, name) => request(name));
    const take = () => requests.map((one) => turns.take(one, 65_536, false)).filter(Boolean).length;
    expect([take(), take()]).toEqual([32, 32]);
    const [first] = requests;
    if (first !== undefined) turns.leave(first);
    expect(requests.at(-1) && turns.take(requests.at(-1) as IncomingMessage, 1, false)).toBe(true);
    expect(paused).toEqual([]);
  });
});
