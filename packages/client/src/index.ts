// The public surface of the client.
export { AmbiguousWriteError, type SettlingCall } from './ambiguous-write-error.ts';
export { readRetryAfter } from './classify-answer.ts';
export type * from './client.ts';
export { createClient } from './create-client.ts';
export { cutToBytes, makeSafeFilename } from './download/safe-filename.ts';
export { type MeetingPhase, readPhase } from './meeting-phase.ts';
export { operationMethods } from './operation-methods.ts';
export { readReport } from './report/read-report.ts';
export type {
  Chapter,
  Person,
  Report,
  ReportBlock,
  ReportTemplate,
  Segment,
  Speaker,
  Task,
} from './report/report.ts';
export type { CallOptions } from './send-request.ts';
export { ServiceError, type ServiceErrorCode, type ServiceErrorFacts } from './service-error.ts';
export type {
  UploadDetails,
  UploadOptions,
  UploadProgress,
  UploadResult,
  UploadSource,
} from './upload/upload.ts';
export type { FindWebhookTarget, WebhookPurpose, WebhookTarget } from './webhook-target.ts';
