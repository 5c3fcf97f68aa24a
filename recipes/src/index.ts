// The public surface of the recipes.
export { readRetryAfter } from '@aftermeet/client';
export { checkDestinations, listNeeds } from './preview/check-destinations.ts';
export type { CheckResult } from './engine/check-result.ts';
export { WRONG_VALUE } from './engine/schema-problems.ts';
export { bindRecipes } from './prebuilt/bind-recipes.ts';
export { checkConfiguredRecipe } from './prebuilt/bind-recipes.ts';
export type { MailSettings } from './destinations/email/settings.ts';
export type { NotionSettings } from './destinations/notion/settings.ts';
export type { ConfiguredDestination, Destinations } from './destinations/settings.ts';
export { durationSetting } from './engine/limits/policy-settings.ts';
export type { SlackSettings } from './destinations/slack/settings.ts';
export type { BuiltInMessage } from './destinations/messages.ts';
export {
  drawMessage,
  writeMessage,
  findMaxCallMs,
  canBeSuppressed,
  canDo,
  isBuiltInMessage,
  locateSent,
  listDestinations,
  settlePolicies,
} from './destinations/index.ts';
export { deriveEffectKey, type EffectIdentity } from './engine/effect-key.ts';
export { requiresTls as requiresMailTls } from './destinations/email/server-host.ts';
export { isMailboxUrl } from './destinations/email/find-sent-mail.ts';
export { isMailAddress, isMailSender } from './destinations/email/mail-address.ts';
export { isPublicMailDomain } from './destinations/email/public-mail-domains.ts';
export type { EndpointRecipes } from './engine/conditions/match-recipes.ts';
export {
  type ApprovalOutcome,
  approveEffect,
  discardEffect,
  type HeldEffect,
  listHeld,
  renderHeld,
  type SeenDraft,
} from './operate/approvals.ts';
export {
  createPeopleDirectory,
  type KnownPerson,
  knownPersonSchema,
  listUnknown,
} from './report/people-directory.ts';
export { findSlackChannels } from './destinations/slack/check.ts';
export { listSlackMembers } from './destinations/slack/list-members.ts';
export { listNotionMembers } from './destinations/notion/list-members.ts';
export type { ListedMember } from './destinations/list-members.ts';
export { normalizeName } from './report/people.ts';
export { languageSchema, timezoneSchema } from './words/index.ts';
export { openSlackApprovalCalls } from './destinations/slack/approval-calls.ts';
export { answerTaskClick } from './operate/slack-task-clicks.ts';
export { answerSlackApproval } from './operate/slack-approvals.ts';
export { describeDecision, nameChanged, showDecision } from './operate/show-decision.ts';
export { readMailEdit } from './destinations/email/edit-mail.ts';
export { type CancelledEffect, type CancelOutcome, cancelWaiting } from './operate/cancel.ts';
export { createPlanner, type PlanDelivery } from './operate/operator-tools.ts';
export { findDeliveries, type Found } from './operate/deliveries.ts';
export type { EffectVerdict, NamedEffect } from './operate/effects.ts';
export {
  explainWait,
  listPausedDestinations,
  listWaiting,
  needsPerson,
  type PausedDestination,
  type Wait,
  type WaitingEffect,
} from './operate/waiting.ts';
export { explainEffect, findEffect, isTriedBy, listEffects, attentionStates } from './operate/effects.ts';
export { openOperatorTools, type OperatorTools } from './operate/operator-tools.ts';
export { openMeetingIndex } from './engine/store/open-stores.ts';
export type { MeetingIndex } from './engine/meetings/meeting-index.ts';
export { checkOtherwise } from './prebuilt/bind-recipes.ts';
export { readDelivery, type StoredDelivery } from './operate/deliveries.ts';
export type { ReconcileOutcome, UndeliveredMeeting } from './operate/reconcile.ts';
export { findFirstDay, reconcile } from './operate/reconcile.ts';
export { listRunMeetings, planRun, type RecipeRun } from './operate/run-recipe.ts';
export { sendTestMessage, type TestOutcome } from './operate/send-test.ts';
export {
  classifyDelivery,
  type ClassifiedEffect,
  type ReplayedDelivery,
  replayAll,
  replayDelivery,
} from './operate/replay.ts';
export type { Suppressed, Suppression } from './engine/suppressions.ts';
export { forgetMeeting, type ForgetReceipt } from './operate/forget.ts';
export { type JsonSchema, listRecipeSchemas, toJsonSchema } from './prebuilt/list-recipe-schemas.ts';
export { listSentOf, listWithReplies, type RecallOutcome, recallEffect } from './operate/recall.ts';
export {
  type ResendOutcome,
  resendEffect,
  type RetryOutcome,
  retryEffect,
  type SettleOutcome,
  settleEffect,
  type TracedEffect,
  traceEffect,
} from './operate/repair.ts';
export { effectStates } from './engine/ledger/ledger.ts';
export type { EffectState, LedgerEntry } from './engine/ledger/ledger.ts';
export type { PolicyChange, PolicyChanges } from './engine/limits/policy.ts';
export { type ExplainedRecipe, explainRecipes } from './preview/explain-recipes.ts';
export { previewRecipes, type PreviewRequest, type RecipePreview } from './preview/preview-recipes.ts';
export type { PreviewedEffect } from './preview/preview-recipes.ts';
export { redactAddress, redactOptions } from './preview/explain-recipes.ts';
export { listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
export { expandTarget } from './engine/recipe.ts';
export type {
  ConfiguredRecipe,
  MeetingEvent,
  PrebuiltRecipe,
  RecipeOption,
  RecipeProblem,
} from './engine/recipe.ts';
export type { Rendered } from './engine/prepared-send.ts';
export {
  type N8nExport,
  type N8nWorkflow,
  recipesWithWorkflow,
  toN8nWorkflow,
} from './prebuilt/n8n-workflow.ts';
export { describeFailedBody, describeMeetingBody } from './destinations/http/write-meeting-body.ts';
export { slackChannelId } from './destinations/slack/message.ts';
export { standardRecipes } from './prebuilt/bind-recipes.ts';
export type { Worker } from './engine/worker.ts';
export { startWorker, type WorkerOptions } from './start-worker.ts';
export type { EffectLabel, WorkerStep } from './engine/outcome.ts';
export { defineRecipe, email, http, notionPage, slack, to } from './own/define-recipe.ts';
export {
  defineDestination,
  type OwnDestination,
  pause,
  refuse,
  retry,
  type SendAnswer,
  sent,
} from './own/define-destination.ts';
export { configureDestination, type OwnDestinationRead, readOwnDestination } from './own/own-destination.ts';
export { destinationsSchema, destinationVariables, readDestinations } from './destinations/read-settings.ts';
export { mailSchema } from './destinations/email/settings.ts';
export type {
  EmailEffect,
  HttpEffect,
  NotionPageEffect,
  OwnRecipe,
  RecipeContext,
  RecipeEffect,
  RecipeEvent,
  SlackEffect,
} from './own/define-recipe.ts';
export type { MeetingReport, ReportPerson, ReportTask } from './own/meeting-report.ts';
export { readOwnRecipe } from './own/own-recipe.ts';
export { NotSent, type Once, type OnceEffect, type OnceResult, openOnce } from './once.ts';
export { parseText } from './report/parse-text.ts';
export { plainText } from './report/plain-text.ts';
export { escapeMarkdown } from './report/to-markdown.ts';
export {
  describeResults,
  describeSteps,
  type MeetingStep,
  type RecipeResult,
  TONES,
  VERDICT_WORDS,
} from './operate/meeting-words.ts';
export {
  findMeeting,
  findMeetingById,
  type FoundMeetings,
  listMeetingDeliveries,
  listMeetingEffects,
  listMeetings,
  type MeetingEffect,
  type MeetingOverview,
  type MeetingSearch,
  type MeetingWay,
  readMeeting,
} from './operate/meetings.ts';
export type { Attempt, MeetingEntry, MeetingPlace } from './engine/journal/journal.ts';
export { openSharedStore } from './engine/store/open-stores.ts';
export type { SharedStore } from './engine/store/shared-store.ts';
export { listWorkers, type WorkerSign } from './engine/heartbeats.ts';
export type { HandPause } from './engine/hand-pauses.ts';
