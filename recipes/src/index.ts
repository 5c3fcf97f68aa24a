// The public surface of the recipes.
export { checkDestinations } from './check/check-destinations.ts';
export type { CheckResult } from './check/check-result.ts';
export { checkConfiguredRecipe } from './check-configured-recipe.ts';
export type { Destinations, MailSettings, NotionSettings, SlackSettings } from './destinations.ts';
export { deriveEffectKey, type EffectIdentity } from './effect-key.ts';
export { type Draft, discardDraft, listDrafts, sendDraft, settleDraft } from './email/drafts.ts';
export { isMailboxUrl } from './email/find-sent-mail.ts';
export { isMailAddress, isMailSender } from './email/mail-address.ts';
export type { EndpointRecipes } from './routing/match-recipes.ts';
export { createPlanner, type PlanDelivery } from './operate/create-planner.ts';
export { findDeliveries, type Found } from './operate/find-deliveries.ts';
export type { EffectVerdict } from './operate/judge-effect.ts';
export { findEffect, listEffects, troubledStates } from './operate/list-effects.ts';
export { openOperatorTools, type OperatorTools } from './operate/operator-tools.ts';
export { readDelivery, type StoredDelivery } from './operate/read-delivery.ts';
export type { ReconcileOutcome, UndeliveredMeeting } from './operate/find-undelivered.ts';
export { reconcile } from './operate/reconcile.ts';
export { judgeWholeDelivery } from './operate/judge-whole-delivery.ts';
export { judgeDelivery, type JudgedEffect, type ReplayedDelivery, replayDelivery } from './operate/replay.ts';
export {
  type RetryOutcome,
  retryEffect,
  type SettleOutcome,
  settleEffect,
  type TracedEffect,
  traceEffect,
} from './operate/retry-effect.ts';
export { effectStates } from './ledger/effect-states.ts';
export type { EffectState, LedgerEntry } from './ledger/ledger.ts';
export { type PolicyChanges, settlePolicies } from './pace/policy.ts';
export { type ExplainedRecipe, explainRecipes } from './preview/explain-recipes.ts';
export { previewRecipes, type PreviewRequest, type RecipePreview } from './preview/preview-recipes.ts';
export type { PreviewedEffect } from './preview/preview-effects.ts';
export { redactAddress, redactOptions } from './preview/redact-options.ts';
export { listRenderedLines } from './preview/rendered-lines.ts';
export { showMentions } from './preview/show-mentions.ts';
export { listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
export { spreadTarget } from './recipe.ts';
export type {
  ConfiguredRecipe,
  MeetingEvent,
  PrebuiltRecipe,
  RecipeOption,
  RecipeProblem,
  RecipeWhen,
  Rendered,
} from './recipe.ts';
export type { N8nExport } from './n8n/draw-workflow.ts';
export { toN8nWorkflow } from './n8n/to-n8n-workflow.ts';
export type { N8nOptions } from './n8n/order.ts';
export type { N8nWorkflow } from './n8n/workflow.ts';
export { slackChannelId } from './slack/slack-channel-id.ts';
export { standardRecipes } from './standard-recipes.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
export type { StepLabel, WorkerStep } from './worker-step.ts';
