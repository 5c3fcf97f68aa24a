// The public surface of the contract: what the service is.
export { errorBody, type ErrorBody } from './answers.ts';
export { meetingStates } from './answer-shapes.ts';
export {
  buildRequest,
  type BuiltRequest,
  type FormEntry,
  type RefusedRequest,
  type RequestResult,
} from './build-request.ts';
export { countCronRuns, nextCronRun, previousCronRun } from './cron.ts';
export { parseDuration } from './duration.ts';
export { observedErrorCodes, observedStatuses, statuses, type ErrorStatus } from './error-codes.ts';
export { latestStartMs } from './scheduling-horizon.ts';
export { limits } from './limits.ts';
export { findNearestName, suggestName } from './problem.ts';
export type {
  AnswerBody,
  AssumedError,
  HttpMethod,
  Operation,
  OperationAnswer,
  OperationInput,
  OperationOutput,
  OperationParams,
  ParamPlace,
  ResponseKind,
} from './operation.ts';
export { listOperations, type OperationId, operations } from './operations.ts';
export { platforms, platformSpellings } from './vocabulary.ts';
export { encodeSchema, parseSchema, type SchemaResult } from './parse-schema.ts';
export {
  describeKind,
  formatAllowed,
  formatPath,
  formatProblem,
  formatProblems,
  type Problem,
  unknownName,
} from './problem.ts';
export { checkStart } from './fields.ts';
export { tagColors } from './vocabulary.ts';
export { isTimeZone } from './addresses.ts';
export { templateSlugs, type TemplateSlug } from './vocabulary.ts';
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
