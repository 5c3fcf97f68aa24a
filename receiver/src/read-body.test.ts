import type { IncomingMessage } from 'node:http';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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

it('lets large bodies take turns, and a body that came whole never waits', async () => {
  const turns = createReadingTurns();
  const paused: number[] = [];
  const resumed: number[] = [];
  const request = (name: number) =>
    ({ pause: () => paused.push(name), resume: () => resumed.push(name) }) as unknown as IncomingMessage;
  const nextTurn = () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  for (let name = 1; name <= 10; name += 1) turns.count(request(name), 65_536, false);
  turns.count(request(11), 900, true);
  // Four pieces of 64 KB belong to one turn of the event loop.
  expect(paused).toEqual([5, 6, 7, 8, 9, 10]);
  await nextTurn();
  expect(resumed).toEqual([5, 6, 7, 8]);
  turns.count(request(12), 65_536, false);
  // Behind those that wait already.
  expect(paused.at(-1)).toBe(12);
  await nextTurn();
  expect(resumed).toEqual([5, 6, 7, 8, 9, 10, 12]);
  turns.count(request(13), 65_536, false);
  expect(paused.at(-1)).toBe(12);
});
