import type { Backend, Log } from '@aftermeet/queue';

import type { Settings } from '../settings/settings.ts';
import { WORKSPACE } from '../settings/settings.ts';
import type { Defer } from './resources.ts';

/** What answers a click in Slack, on a request for approval or on a task; what it returns goes back to Slack. */
export type AnswerSlack = (payload: unknown) => Promise<object | undefined>;

/** Opens what an answer from Slack needs at the first one, and after a failure at the next one again. */
export function createSlackAnswer(
  settings: Settings,
  parts: { readonly backend: Backend; readonly log: Log },
  defer: Defer,
): AnswerSlack {
  let opening: Promise<AnswerSlack> | undefined;
  return async (payload) => {
    opening ??= openSlackApprovals(settings, parts, defer);
    const answer = await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return await answer(payload);
  };
}

async function openSlackApprovals(
  settings: Settings,
  { backend, log }: { readonly backend: Backend; readonly log: Log },
  defer: Defer,
): Promise<AnswerSlack> {
  const recipes = await import('@aftermeet/recipes');
  const { recipeProblems } = await import('../settings/load.ts');
  const { slack: slackSettings } = settings.destinations;
  if (slackSettings === undefined) throw new Error('SLACK_BOT_TOKEN is not set');
  const tools = defer(await recipes.openOperatorTools(backend));
  const canRun = recipeProblems(settings).length === 0;
  const plan = canRun ? recipes.createPlanner({ ...settings, workspace: WORKSPACE }) : undefined;
  const slack = recipes.openSlackApprovalCalls(slackSettings);
  return async (payload) => {
    if (await recipes.answerTaskClick(payload, { ...tools, slack, log })) return undefined;
    return await recipes.answerSlackApproval(payload, { ...tools, plan, slack, log });
  };
}
