import { expect, it } from 'vitest';

import { bindRecipes } from '../bind-recipes.ts';
import type { BoundRecipe } from '../recipe.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { previewEffects } from './preview-effects.ts';
import { writePreviewEvent } from './preview-event.ts';
import { previewSources } from './preview-sources.ts';

it.each([
  [2000, false],
  [2001, true],
])('says whether it shows all: of %i', async (count, isCut) => {
  const configured = { name: 'recap', use: 'slack-recap', when: {}, with: {} };
  const [bound] = bindRecipes([configured], { slack: { token: 'xoxb-1', channel: 'C1' } });
  if (bound === undefined) throw new Error('it is bound');
  const recipe: BoundRecipe = {
    ...bound,
    plan: () => Array.from({ length: count }, (_each, index) => ({ target: `C${index}`, part: 0 })),
    subject: { from: 'report', render: () => ({ skip: 'nothing' }) },
  };
  const event = writePreviewEvent({ meetingId: 'm_1', eventKind: 'meeting.completed', nowMs: 0 }, 'default');
  const shown = await previewEffects(recipe, event, previewSources(sampleReport, recipe, 0).tools);
  expect([shown.effects.length, shown.isCut]).toEqual([2000, isCut]);
});
