// The public surface of the contract: what the service is. Without a schema library, which what is bundled for n8n may not have;
// `@aftermeet/contract/schema` reads with zod, `@aftermeet/contract/openapi` describes.
export {
  buildRequest,
  type BuiltRequest,
  type FormEntry,
  readRequest,
  type RefusedRequest,
  type RequestResult,
} from './build-request.ts';
export { checkStart } from './check-start.ts';
export { countCronRuns, nextCronRun, previousCronRun } from './cron.ts';
export { parseDuration } from './duration.ts';
export { observedErrorCodes, observedStatuses, statuses, type ErrorStatus } from './error-codes.ts';
export type { Field } from './field.ts';
export { isTimeZone, isWebAddress } from './addresses.ts';
export { limits } from './limits.ts';
export { addOffset, machineZone } from './local-time.ts';
export {
  type AssumedError,
  type BrokenField,
  type HttpMethod,
  listFields,
  type ListedField,
  type Operation,
  type OperationInput,
  type ParamPlace,
  type ResponseKind,
} from './operation.ts';
export { listOperations, type OperationId, operations } from './operations.ts';
export {
  describeKind,
  findNearestName,
  formatAllowed,
  formatPath,
  formatProblem,
  formatProblems,
  type Problem,
  suggestName,
  unknownName,
} from './problem.ts';
export { type Rule, secret, startTime, webAddress } from './rules.ts';
export {
  type BuiltInTemplate,
  meetingStates,
  type Platform,
  platforms,
  platformSpellings,
  type TagColor,
  tagColors,
  templateSlugs,
  type TemplateSlug,
} from './vocabulary.ts';
export {
  type EnvelopeReading,
  readWebhookEnvelope,
  type UnreadableEvent,
  type WebhookEnvelope,
} from './webhook-envelope.ts';
export {
  EVENT_KINDS,
  readWebhookEvent,
  type EventKind,
  type EventReading,
  type WebhookEvent,
  type WebhookEventData,
} from './webhook-event.ts';
