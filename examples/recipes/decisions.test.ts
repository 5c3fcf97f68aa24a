import { renderRecipe, sampleReport } from '@aftermeet/recipes/testing';
import { expect, it } from 'vitest';

import decisions from './decisions.ts';

it('posts what was decided, and nothing where nothing was', async () => {
  const [message, ...rest] = await renderRecipe(decisions, sampleReport);
  expect(message?.target).toBe('C0GENERAL');
  expect(JSON.stringify(message?.message)).toContain(sampleReport.decisions[0]);
  expect(rest).toEqual([]);
  expect(await renderRecipe(decisions, { ...sampleReport, decisions: [] })).toEqual([]);
});
