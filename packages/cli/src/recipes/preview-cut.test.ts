import type { RecipePreview } from '@aftermeet/recipes';
import { expect, it } from 'vitest';

import { createPaint } from '../terminal/paint.ts';
import { renderPreviewPage } from './preview-page.ts';
import { formatPreviews } from './preview-text.ts';
import { viewPreview } from './preview-view.ts';

const preview: RecipePreview = {
  name: 'rows',
  use: 'notion-tasks',
  destination: 'notion',
  isWanted: true,
  conditions: [],
  effects: [{ target: 'tasks', part: 0, skipped: 'the task is gone' }],
  isCut: true,
};

it.each([true, false])('says in each form whether there is more: %s', (isCut) => {
  const told = 'There is more: the preview shows the first 1 alone, and a worker sends all.';
  const previews = [{ ...preview, isCut }];
  expect(formatPreviews(previews, createPaint(false)).includes(told)).toBe(isCut);
  expect(renderPreviewPage('Weekly sync', previews).includes(told)).toBe(isCut);
  expect(previews.map((each) => viewPreview(each).isCut)).toEqual([isCut]);
});
