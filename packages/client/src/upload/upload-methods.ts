import { limits } from '@aftermeet/contract';

import type { Client, ClientOptions } from '../client.ts';
import type { Connection } from '../send-request.ts';
import { sendUpload } from './send-upload.ts';

/** Sending recorded files. */
export function uploadMethods(
  connection: Connection,
  webhookTargets?: ClientOptions['webhookTargets'],
): Client['uploads'] {
  return {
    send: (source, details = {}, options = {}) =>
      sendUpload(
        { connection, webhookTargets, chunkBytes: limits.uploadChunkBytes },
        source,
        details,
        options,
      ),
  };
}
