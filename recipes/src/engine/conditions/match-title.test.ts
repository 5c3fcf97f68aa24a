import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchTitle } from './match-title.ts';

describe('matchTitle', () => {
  it.each([
    ['Weekly Sales sync', '*sales*', true],
    ['Weekly Sales sync', 'sales*', false],
    ['Q1 review', 'q? review', true],
    ['Q12 review', 'q? review', false],
    ['', '*', true],
    ['', '', true],
    ['', '?', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['abcabc', '*abc', true],
    ['😀 party', '? party', true],
    ['a*b', 'a*b', true],
    ['Cafe\u0301 weekly', '*caf\u00E9*', true],
    ['Caf\u00E9 weekly', 'cafe\u0301*', true],
    ['Cafe\u0301', 'caf?', true],
    [`${'x'.repeat(499)}y and more`, '*y', true],
    [`${'x'.repeat(600)} sales`, '*sales*', false],
  ])('%j with %j: %j', (title, pattern, expected) => {
    expect(matchTitle(title, pattern)).toBe(expected);
  });

  it('finds any part of a title between two stars', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, middle, after) => {
        expect(matchTitle(before + middle + after, `*${middle}*`)).toBe(true);
      }),
    );
  });

  it('takes a hostile pattern in little time', () => {
    const startedMs = performance.now();
    expect(matchTitle('a'.repeat(1_000_000), `${'*a'.repeat(50)}*b`)).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});
