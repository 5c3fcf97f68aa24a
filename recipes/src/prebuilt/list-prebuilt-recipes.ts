import type { PrebuiltRecipe } from '../recipe.ts';
import { archiveExport } from './archive-export/archive-export.ts';
import { emailAlert } from './email-alert/email-alert.ts';
import { emailDigest } from './email-digest/email-digest.ts';
import { emailFollowUp } from './email-follow-up/email-follow-up.ts';
import { httpForward } from './http-forward/http-forward.ts';
import { notionPage } from './notion-page/notion-page.ts';
import { notionTasks } from './notion-tasks/notion-tasks.ts';
import { regenerate } from './regenerate/regenerate.ts';
import { slackAlert } from './slack-alert/slack-alert.ts';
import { slackRecap } from './slack-recap/slack-recap.ts';
import { slackTasks } from './slack-tasks/slack-tasks.ts';

const prebuilt: readonly PrebuiltRecipe[] = [
  slackRecap,
  slackTasks,
  notionPage,
  notionTasks,
  emailFollowUp,
  emailDigest,
  httpForward,
  archiveExport,
  regenerate,
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
