import { spawnSync } from 'node:child_process';

import { operations } from '@aftermeet/contract';
import { describeWithProgram } from '@aftermeet/test/support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createSeededRandom } from '../create-seeded-random.ts';
import { countRuns, findLastRun, findNextRun } from './cron-runs.ts';

const tuesdayNoon = Date.parse('2026-07-07T12:00:00Z');

const next = (cron: string, after: string | number = tuesdayNoon): string | undefined => {
  const runMs = findNextRun(cron, typeof after === 'string' ? Date.parse(after) : after);
  return runMs === undefined ? undefined : new Date(runMs).toISOString();
};

describe('the next run of a cron expression', () => {
  it.each([
    ['a weekday', '0 9 * * 1', '2026-07-13T09:00:00.000Z'],
    ['a weekday by name', '0 9 * * MON', '2026-07-13T09:00:00.000Z'],
    ['Sunday as 7', '0 9 * * 7', '2026-07-12T09:00:00.000Z'],
    ['Sunday to Sunday', '0 9 * * sun-sun', '2026-07-12T09:00:00.000Z'],
    ['a minute, the one that is now left out', '* * * * *', '2026-07-07T12:01:00.000Z'],
    ['a leap day', '0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['a day that few months have', '0 9 31 2,3 *', '2027-03-31T09:00:00.000Z'],
    ['one day or the other', '0 9 20 * 1', '2026-07-13T09:00:00.000Z'],
    ['a star with a step of one beside a restricted day', '0 9 20 * */1', '2026-07-20T09:00:00.000Z'],
    ['a list with a star beside a restricted day', '0 9 20 * *,1', '2026-07-20T09:00:00.000Z'],
    ['a step from a value on', '5/20 * * * *', '2026-07-07T12:05:00.000Z'],
    ['a step of one from a value on', '30/1 * * * *', '2026-07-07T12:30:00.000Z'],
    ['a step beyond the field', '*/99 * * * *', '2026-07-07T13:00:00.000Z'],
    ['a range with a step beyond the field', '10-20/61 * * * *', '2026-07-07T12:10:00.000Z'],
    ['a list with a value twice', '0 0 8,8 * *', '2026-07-08T00:00:00.000Z'],
    ['leading zeros', '05 09 08 07 *', '2026-07-08T09:05:00.000Z'],
  ])('%s: %s', (_what, cron, expected) => {
    expect(next(cron)).toBe(expected);
  });

  it('is after the given moment, to the millisecond', () => {
    expect(next('0 9 * * *', '2026-07-07T08:59:59.999Z')).toBe('2026-07-07T09:00:00.000Z');
    expect(next('0 9 * * *', '2026-07-07T09:00:00.000Z')).toBe('2026-07-08T09:00:00.000Z');
    expect(next('0 9 * * *', '2026-07-07T09:00:00.001Z')).toBe('2026-07-08T09:00:00.000Z');
  });

  it('is the same hour of UTC all year, in whatever zone the machine is', () => {
    for (const day of ['2026-03-07', '2026-03-28', '2026-10-24', '2026-10-31']) {
      expect(next('30 2 * * *', `${day}T12:00:00Z`)).toMatch(/T02:30:00\.000Z$/);
    }
  });

  it('is nothing where a series never comes', () => {
    expect(next('0 9 31 2 *')).toBeUndefined();
    expect(next('0 9 31 2 *,1')).toBeUndefined();
    expect(next('* * * * *', Date.UTC(9999, 11, 31, 23, 59, 59))).toBeUndefined();
  });

  it('was last when the one before the next was', () => {
    for (const cron of ['* * * * *', '*/7 3,5 * * *', '0 9 20 * 1', '0 0 29 2 *']) {
      const first = findNextRun(cron, tuesdayNoon) ?? 0;
      const second = findNextRun(cron, first) ?? 0;
      expect([first, second - 1, second].map((ms) => findLastRun(cron, ms))).toEqual([first, first, second]);
    }
    expect(findLastRun('0 9 31 2 *', tuesdayNoon)).toBeUndefined();
  });

  it.each([
    ['* * * * *', 1440, 366 * 1440],
    ['*/7 3,5 * * *', 18, 366 * 18],
    ['0 9 20 * 1', 0, 63],
    ['0 0 29 2 *', 0, 0],
    ['0 9 31 2 *', 0, 0],
  ])('is counted by whole days: %s', (cron, ofToday, ofAYear) => {
    expect(countRuns(cron, tuesdayNoon, tuesdayNoon)).toBe(ofToday);
    expect(countRuns(cron, tuesdayNoon, tuesdayNoon + 365 * 86_400_000)).toBe(ofAYear);
  });

  it('is found for whatever the contract takes', () => {
    const { cron } = operations.recordings.start.params.body.shape;
    const value = fc.oneof(fc.nat(60).map(String), fc.constantFrom('*', 'jan', 'dec', 'sun', 'sat', '07'));
    const range = fc.oneof(
      { weight: 3, arbitrary: value },
      fc.tuple(value, value).map((pair) => pair.join('-')),
    );
    const item = fc.oneof(
      range,
      fc.tuple(range, fc.integer({ min: 1, max: 99 })).map((pair) => pair.join('/')),
    );
    const list = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
    const field = fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, list);
    const expressions = fc
      .tuple(field, field, field, field, field)
      .map((fields) => fields.join(' '))
      .filter((text) => cron.safeParse(text).success);
    fc.assert(
      fc.property(expressions, (expression) => {
        const runMs = findNextRun(expression, tuesdayNoon) ?? Infinity;
        expect(runMs).toBeGreaterThan(tuesdayNoon);
      }),
      { numRuns: 60 },
    );
  });
});

const python = '/usr/bin/python3';

describeWithProgram(
  python,
  'Croner and python3-croniter',
  () => {
    it('agree on five runs of each of 400 random expressions', () => {
      const random = createSeededRandom(20_260_707);
      const expressions = Array.from({ length: 400 }, () => makeExpression(random));
      const ours = expressions.map((expression) => {
        const runs: number[] = [];
        for (let runMs = tuesdayNoon; runs.length < 5; runs.push(runMs)) {
          runMs = findNextRun(expression, runMs) ?? Number.NaN;
        }
        return { expression, runs };
      });
      expect(ours).toEqual(askCroniter(expressions));
    });
  },
  { probe: ['-c', 'import croniter'], debianPackage: 'python3-croniter', reason: 'no croniter' },
);

const script = `
import json, sys
from datetime import datetime, timezone
from croniter import croniter
given = json.load(sys.stdin)
start = datetime.fromtimestamp(given["start"], timezone.utc)
def runs(expression):
    cron = croniter(expression, start)
    return [int(cron.get_next(float)) * 1000 for _ in range(5)]
print(json.dumps([{"expression": e, "runs": runs(e)} for e in given["expressions"]]))
`;

function askCroniter(expressions: readonly string[]): unknown {
  const input = JSON.stringify({ start: tuesdayNoon / 1000, expressions });
  const { stdout, stderr } = spawnSync(python, ['-c', script], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * The spans are short, so that no list of days is all of them: croniter reads that as a star, crontab(5) does not.
 * Nor does it find what comes on a weekday alone, because its date never does: the days end at 28.
 */
const fields = [
  { from: 0, to: 59, longestSpan: 59, names: [] },
  { from: 0, to: 23, longestSpan: 23, names: [] },
  { from: 1, to: 28, longestSpan: 10, names: [] },
  { from: 1, to: 12, longestSpan: 11, names: months },
  { from: 0, to: 7, longestSpan: 1, names: weekdays },
] as const;

function makeExpression(random: () => number): string {
  const pick = (count: number): number => Math.floor(random() * count);
  const makeItem = ({ from, to, longestSpan, names }: (typeof fields)[number]): string => {
    const first = from + pick(to - from + 1);
    const last = Math.min(to, first + pick(longestSpan + 1));
    const write = (value: number): string =>
      (pick(3) === 0 ? names[value - from] : undefined) ?? String(value);
    const step = String(2 + pick(to - from + 2));
    const range = last === first ? write(first) : `${String(first)}-${write(last)}`;
    return [write(first), range, `${String(first)}-${String(last)}/${step}`, `*/${step}`][pick(4)] ?? '*';
  };
  return fields
    .map((field) =>
      pick(3) === 0
        ? (['*', '*/1'][pick(2)] ?? '*')
        : Array.from({ length: 1 + pick(2) }, () => makeItem(field)).join(','),
    )
    .join(' ');
}
