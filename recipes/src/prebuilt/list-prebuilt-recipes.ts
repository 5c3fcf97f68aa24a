import type { ConfiguredRecipe, PrebuiltRecipe } from '../engine/recipe.ts';
import { archiveExport } from './archive-export.ts';
import type { BuiltInRecipe } from './define-prebuilt-recipe.ts';
import { emailAlert } from './email-alert.ts';
import { emailDigest } from './email-digest.ts';
import { emailFollowUp } from './email-follow-up.ts';
import { httpForward } from './http-forward.ts';
import { notionPage } from './notion-page.ts';
import { notionTasks } from './notion-tasks.ts';
import { slackAlert } from './slack-alert.ts';
import { slackRecap } from './slack-recap.ts';
import { slackTasks } from './slack-tasks.ts';

const prebuilt: readonly BuiltInRecipe[] = [
  slackRecap,
  slackTasks,
  notionPage,
  notionTasks,
  emailFollowUp,
  emailDigest,
  httpForward,
  archiveExport,
  slackAlert,
  emailAlert,
];

/** All prebuilt recipes, in the order of the documentation. */
export function listPrebuiltRecipes(): readonly BuiltInRecipe[] {
  return prebuilt;
}

/** The prebuilt recipe with this id; undefined when there is none. */
export function findPrebuiltRecipe(id: string): PrebuiltRecipe | undefined {
  return prebuilt.find((recipe) => recipe.id === id);
}

/** What a recipe of the settings uses: the prebuilt recipe, or its own one. */
export function findDefinition({ use, definition }: ConfiguredRecipe): PrebuiltRecipe | undefined {
  return definition ?? findPrebuiltRecipe(use);
}
