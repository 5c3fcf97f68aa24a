// The client for a platform that brings its own HTTP, timers and files, such as n8n: of Node it needs `node:crypto` alone, for
// the hash of an upload.
export { type AddressResult, parseAddress } from './address.ts';
export { setPieces } from './answer-pieces.ts';
export { readSearchPage, type ReadPage } from './answers.ts';
export type {
  Client,
  FoundMeeting,
  McpTool,
  McpToolResult,
  MeetingPhase,
  RecordingStatus,
  Tag,
  Template,
} from './client.ts';
export { isWholeFile, judgeHead } from './download/file-type.ts';
export { chooseFilename } from './download/filename.ts';
export { openFile, prepareExport, readLength } from './download/open-export.ts';
export { AmbiguousWriteError, ServiceError, type ServiceErrorCode } from './errors.ts';
export { type Connection, sendRequest } from './http.ts';
export { asFields, asList, asText, isFields } from './loose.ts';
export { createMcpMethods } from './mcp/methods.ts';
export { callingTool } from './mcp/tools.ts';
export { readPhase, readStatusWord } from './meeting-status.ts';
export { createMethods } from './methods.ts';
export { walkTags } from './pages.ts';
export { redact } from './redact.ts';
export type { Report } from './report/report.ts';
export {
  createTimeLimit,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  type TimeLimit,
  withRetries,
} from './retries.ts';
export { describeAnswer, type FaultFacts, refuseInput, toServiceError } from './service-fault.ts';
export { readSystemFault } from './system-fault.ts';
export { runAttempt } from './upload/attempt.ts';
export { createChunkBuffer, planUpload } from './upload/chunk-format.ts';
export { measureForm } from './upload/chunk-sender.ts';
export { createFetchTransport } from './upload/fetch-transport.ts';
export { checkSize, openStream } from './upload/upload-file.ts';
export { NO_STATE } from './upload/upload-state.ts';
export { hasEnded } from './wait-for-end.ts';
export { holdsReport, readReport } from './report/read-report.ts';
