// The public surface of the client.
export {
  type Client,
  type ClientOptions,
  createClient,
  type RecordingStatus,
  type ReportAnswer,
  type ReportReader,
} from './create-client.ts';
export { type MeetingPhase, readPhase } from './meeting-phase.ts';
export { readReport } from './read-report.ts';
export type { Chapter, Person, Report, ReportBlock, ReportTemplate, Segment, Task } from './report.ts';
export type { CallOptions } from './send-request.ts';
export { ServiceError, type ServiceErrorCode, type ServiceErrorFacts } from './service-error.ts';
