import fc from 'fast-check';
import { expect, it } from 'vitest';

import { findDeadline } from './find-deadline.ts';

const task = { text: 'x', assignee: 'y', chapter: 0 };
/** A Tuesday. */
const startMs = Date.parse('2026-07-07T12:00:00Z');

it.each([
  [{}, null],
  [{ dueInDays: 0 }, '2026-07-07'],
  [{ dueInDays: 14 }, '2026-07-21'],
  [{ dueInDays: 1, dueOnWeekday: 3 }, '2026-07-08'],
  [{ dueInDays: 1, dueOnWeekday: 5 }, '2026-07-10'],
  [{ dueInDays: 1, dueOnWeekday: 2 }, '2026-07-14'],
  [{ dueInDays: 1, dueOnWeekday: 1 }, '2026-07-13'],
  [{ dueInDays: 1, dueOnWeekday: 8 }, '2026-07-13'],
  [{ dueInDays: 1, dueOnWeekday: 12 }, '2026-07-17'],
])('reads %j as %s', (due, date) => {
  expect(findDeadline({ ...task, ...due }, startMs)).toBe(date);
});

it('is always on the day of the week that was named, after the meeting and within two weeks', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      fc.constantFrom(1, 2, 3, 4, 5, 8, 9, 10, 11, 12),
      (start, dueOnWeekday) => {
        const date = findDeadline({ ...task, dueInDays: 1, dueOnWeekday }, start.getTime());
        const dueMs = Date.parse(`${String(date)}T00:00:00Z`);
        expect(new Date(dueMs).getUTCDay()).toBe(dueOnWeekday % 7);
        expect(dueMs).toBeGreaterThan(start.getTime());
        expect(dueMs - start.getTime()).toBeLessThanOrEqual(14 * 86_400_000);
      },
    ),
  );
});
