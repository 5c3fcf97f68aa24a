import { expect, it } from 'vitest';

import { toStoreTimes } from './translate-times.ts';

const storeMs = 1_795_000_000_000;
const clock = { now: () => storeMs };
const hourMs = 3_600_000;

it('puts the store’s time in place of the machine’s, however old it is', () => {
  const ahead = Date.now() + hourMs;
  expect(toStoreTimes('moveToActive', ['key', ahead, 10_000, Buffer.from('x')], clock)).toEqual([
    'key',
    storeMs,
    10_000,
    Buffer.from('x'),
  ]);
  // The process was stopped between the two.
  expect(toStoreTimes('moveToFinished', [Date.now() - 120_000], clock)).toEqual([storeMs]);
});

it('adds the delay that PostgreSQL is told in one number', () => {
  const text = 'SELECT move_to_delayed($1, $2, $3, $4, $5, $6, $7, $8::jsonb) AS n;';
  expect(toStoreTimes(text, ['q', 'id', 'token', Date.now() + 5000, 5000, false], clock)).toEqual([
    'q',
    'id',
    'token',
    storeMs + 5000,
    5000,
    false,
  ]);
});

it('leaves the next time of a schedule', () => {
  const mondayMs = Date.now() + 100 * hourMs;
  expect(toStoreTimes('updateJobScheduler', [mondayMs, Date.now()], clock)).toEqual([mondayMs, storeMs]);
});
