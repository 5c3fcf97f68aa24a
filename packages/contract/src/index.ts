// The public surface of the contract: what the service is.
export { meetingStates } from './answer-shapes/meeting-shapes.ts';
export {
  buildRequest,
  type BuiltRequest,
  type FormEntry,
  type Problem,
  type RefusedRequest,
  type RequestResult,
} from './build-request.ts';
export { readCronFields, type CronRange } from './cron-shape.ts';
export {
  errorBody,
  observedErrorCodes,
  observedStatuses,
  statuses,
  type ErrorBody,
  type ErrorStatus,
} from './error-codes.ts';
export { latestStartMs } from './latest-start.ts';
export { limits } from './limits.ts';
export { findNearestName, suggestName } from './nearest-name.ts';
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
export { platforms, platformSpellings } from './platforms.ts';
export { checkStart } from './scheduling-horizon.ts';
export { tagColors } from './tag-colors.ts';
export { isTimeZone } from './time-zone.ts';
export { templateSlugs, type TemplateSlug } from './template-slugs.ts';
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
