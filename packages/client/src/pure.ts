// What reads answers and classifies faults, without network, zod or Node's own modules: for the bundled n8n nodes.
export { type AddressResult, parseAddress } from './address.ts';
export {
  isWebPage,
  parseAnswer,
  readCreatedId,
  readCreatedTag,
  type ReadPage,
  readSearchPage,
  readStartedId,
  readTemplateList,
} from './answers.ts';
export type { FoundMeeting, McpTool, McpToolResult, MeetingPhase, Tag, Template } from './client.ts';
export { acceptFormat, isPage, isWholeFile, judgeHead } from './download/file-type.ts';
export { chooseFilename } from './download/filename.ts';
export { AmbiguousWriteError, type OperationName, ServiceError, type ServiceErrorCode } from './errors.ts';
export { describeAnswer, refusalToError, refuseInput, toServiceError } from './service-fault.ts';
export {
  createAttemptMemory,
  findVerifyCall,
  isOutcomeUnknown,
  toAmbiguousWriteError,
} from './ambiguous-write.ts';
export { isCertificateCode, readSystemFault } from './system-fault.ts';
export { listRedactions, redact, redactProblems } from './redact.ts';
export { readRetryAfter } from './retry-after.ts';
export { asFields, asList, asText, isFields } from './loose.ts';
export { readPhase, readStatusWord } from './meeting-status.ts';
export { walkSearch, walkTags } from './pages.ts';
export { readReportAnswer } from './report/report-answer.ts';
export { holdsReport, readReport } from './report/read-report.ts';
export type { Report } from './report/report.ts';
export { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS, withRetries } from './retries.ts';
export {
  type ChunkBuffer,
  createChunkBuffer,
  mayMeanUnknownSession,
  encodeFormHead,
  encodeFormTail,
  planUpload,
  findDuplicate,
  findMeeting,
} from './upload/chunk-format.ts';
export { waitForEnd } from './wait-for-end.ts';
export type { McpExchange } from './mcp/message.ts';
export { createMcpSession, type McpSession } from './mcp/session.ts';
export { callingTool, callTool, listingTools, listTools } from './mcp/tools.ts';
