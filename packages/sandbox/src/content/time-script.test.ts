import { expect, it } from 'vitest';

import type { ContentLanguage } from './languages.ts';
import { launchReview } from './launch-review.ts';
import { formatClock, timeScript } from './time-script.ts';

const measure = (language: ContentLanguage, text: string): number => {
  const chapters = [{ name: 'x', lines: [{ speaker: 'x', text }] }];
  const [chapter] = timeScript({ ...launchReview, language, chapters });
  return (chapter?.endSeconds ?? 0) - (chapter?.startSeconds ?? 0);
};

it('counts words, and characters where there are none', () => {
  expect(measure('en', 'We meet again on Thursday for ten minutes.')).toBe(3);
  expect(measure('zh', '那就先做这个，别的都可以往后放。')).toBe(4);
  expect(measure('ja', '予算内に収まりそうですか？')).toBe(2);
  expect(measure('ja', 'はい。')).toBe(1);
});

it('has the times of the hand-written meetings as they always were', () => {
  const times = timeScript(launchReview).map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
  expect(times).toEqual([
    [4, 56],
    [57, 105],
    [106, 140],
  ]);
});

it('goes on past the hour in minutes', () => {
  expect([0, 59, 3661, 54_321].map(formatClock)).toEqual(['00:00', '00:59', '61:01', '905:21']);
});
