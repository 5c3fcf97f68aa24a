// The public surface of the recipes.
export { checkConfiguredRecipe } from './check-configured-recipe.ts';
export type { Destinations, MailSettings, NotionSettings, SlackSettings } from './destinations.ts';
export { deriveEffectKey, type EffectIdentity } from './effect-key.ts';
export { isMailAddress, isMailSender } from './email/mail-address.ts';
export type { EndpointRecipes } from './match-recipes.ts';
export { listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
export type {
  ConfiguredRecipe,
  MeetingEvent,
  PrebuiltRecipe,
  RecipeOption,
  RecipeProblem,
  RecipeWhen,
} from './recipe.ts';
export { slackChannelId } from './slack/slack-channel-id.ts';
export { standardRecipes } from './standard-recipes.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
export type { StepLabel, WorkerStep } from './worker-step.ts';
