// The public surface of the contract: what the service is.
export {
  buildRequest,
  type BuiltRequest,
  type FormEntry,
  type Problem,
  type RefusedRequest,
  type RequestResult,
} from './build-request.ts';
export { errorBody, observedErrorCodes, observedStatuses, statuses, type ErrorBody } from './error-codes.ts';
export { limits } from './limits.ts';
export type {
  HttpMethod,
  Operation,
  OperationInput,
  OperationOutput,
  OperationParams,
  ParamPlace,
  ResponseKind,
} from './operation.ts';
export { listOperations, operations } from './operations.ts';
export { platforms, platformSpellings } from './platforms.ts';
export { templateSlugs, type TemplateSlug } from './template-slugs.ts';
export {
  EVENT_KINDS,
  readWebhookEvent,
  type EventKind,
  type EventReading,
  type WebhookEvent,
  type WebhookEventData,
} from './webhook-event.ts';
