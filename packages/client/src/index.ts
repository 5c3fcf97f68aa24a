// The public surface of the client.
export type * from './client.ts';
export type * from './inputs.ts';
export { createClient } from './create-client.ts';
export { cutToBytes, makeSafeFilename } from './download/filename.ts';
export {
  AmbiguousWriteError,
  isAmbiguousWrite,
  isServiceError,
  type OperationName,
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorFacts,
  type VerifyCall,
} from './errors.ts';
export { readRetryAfter } from './retry-after.ts';
export { readSystemFault } from './system-fault.ts';
export { readPhase } from './meeting-status.ts';
export { operationMethods } from './operation-methods.ts';
export { followsOrdinal } from './report/ordinals.ts';
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
