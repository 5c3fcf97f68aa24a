import { limits } from '@aftermeet/contract';

import type { Client } from '../client.ts';
import type { Connection } from '../send-request.ts';
import { sendUpload } from './send-upload.ts';

/** Sending recorded files. */
export function uploadMethods(connection: Connection): Client['uploads'] {
  return {
    send: (source, details = {}, options = {}) =>
      sendUpload({ connection, chunkBytes: limits.uploadChunkBytes }, source, details, options),
  };
}
