import { describe, expect, it } from 'vitest';

import { createChapterFinder } from './transcript.ts';

describe('createChapterFinder', () => {
  const chapterAt = createChapterFinder([
    { name: 'Late', startSeconds: 100 },
    { name: 'Untimed' },
    { name: 'Early', startSeconds: 10, endSeconds: 50 },
    { name: 'Middle', startSeconds: 50, endSeconds: 60 },
  ]);

  it.each([
    [9, undefined],
    [10, 'Early'],
    [49.9, 'Early'],
    [50, 'Middle'],
    [60, 'Middle'],
    [61, undefined],
    [100, 'Late'],
    [1e6, 'Late'],
  ])('at %d s finds %s', (seconds, name) => {
    expect(chapterAt(seconds)).toBe(name);
  });

  it('finds nothing where there is nothing', () => {
    expect(createChapterFinder([])(5)).toBeUndefined();
  });
});
