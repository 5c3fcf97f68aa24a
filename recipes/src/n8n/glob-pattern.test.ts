import { describe, expect, it } from 'vitest';

import { globPattern, wordPattern } from './glob-pattern.ts';

describe('globPattern', () => {
  it.each([
    ['Weekly Sales sync', ['*sales*'], true],
    ['Weekly Sales sync', ['sales*'], false],
    ['Q1 review', ['hr', 'q? review'], true],
    ['a.c', ['a.c'], true],
    ['abc', ['a.c'], false],
    ['😀 party', ['? party'], true],
    ['two\nlines', ['two*lines'], true],
    ['a/b [c] (d) {e} ^f$ |g\\h-i', ['a/b [c] (d) {e} ^f$ |g\\h-i'], true],
  ])('%j with %j: %j', (title, patterns, expected) => {
    expect(globPattern(patterns).test(title)).toBe(expected);
  });

  it('keeps words whole', () => {
    expect(wordPattern(['meeting.completed']).test('meeting.completed')).toBe(true);
    expect(wordPattern(['meeting.completed']).test('meetingXcompleted')).toBe(false);
    expect(wordPattern([]).test('x')).toBe(false);
  });
});
