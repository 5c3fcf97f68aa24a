import type { Client, ClientOptions } from './client.ts';
import { readOptions } from './read-options.ts';
import { exportMethods } from './resources/exports.ts';
import { mcpMethods } from './resources/mcp.ts';
import { meetingMethods } from './resources/meetings.ts';
import { recordingMethods } from './resources/recordings.ts';
import { reportMethods } from './resources/reports.ts';
import { tagMethods } from './resources/tags.ts';
import { templateMethods } from './resources/templates.ts';
import { uploadMethods } from './upload/upload-methods.ts';

/**
 * A client of the service. Requests are checked against the contract; answers are read tolerantly. Throws
 * `ServiceError` (`bad_request`) for an address or a key that cannot be right.
 */
export function createClient(options: ClientOptions): Client {
  const { connection, mcpUrl } = readOptions(options);
  return {
    recordings: recordingMethods(connection, options.webhookTargets),
    uploads: uploadMethods(connection, options.webhookTargets),
    reports: reportMethods(connection),
    templates: templateMethods(connection),
    exports: exportMethods(connection),
    meetings: meetingMethods(connection),
    tags: tagMethods(connection),
    mcp: mcpMethods(connection, mcpUrl),
  };
}
