import type { PrebuiltRecipe } from '../recipe.ts';
import { emailAlert } from './email-alert.ts';
import { emailDigest } from './email-digest.ts';
import { emailFollowUp } from './email-follow-up.ts';
import { notionPage } from './notion-page.ts';
import { slackAlert } from './slack-alert.ts';
import { slackRecap } from './slack-recap.ts';

const prebuilt: readonly PrebuiltRecipe[] = [
  slackRecap,
  notionPage,
  emailFollowUp,
  emailDigest,
  slackAlert,
  emailAlert,
];

/** Every recipe that comes with the toolkit, in the order in which people read about them. */
export function listPrebuiltRecipes(): readonly PrebuiltRecipe[] {
  return prebuilt;
}

/** The prebuilt recipe of that id, if there is one. */
export function findPrebuiltRecipe(id: string): PrebuiltRecipe | undefined {
  return prebuilt.find((recipe) => recipe.id === id);
}
