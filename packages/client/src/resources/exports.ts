import { join } from 'node:path';

import type { Client } from '../client.ts';
import { checkTarget, isFolder } from '../download/check-target.ts';
import { openExport, prepareExport } from '../download/open-export.ts';
import { saveFile } from '../download/save-file.ts';
import { streamPieces } from '../download/stream-pieces.ts';
import type { Connection } from '../send-request.ts';
import { withRetries } from '../with-retries.ts';

export function exportMethods(connection: Connection): Client['exports'] {
  return {
    /** A transfer that broke off begins anew: the service is not asked for parts of a file. */
    async download(input, path, { signal, onProgress, overwrite = false } = {}) {
      const call = prepareExport(connection, input);
      const intoFolder = await isFolder(path);
      if (!intoFolder) await checkTarget(path, overwrite);
      const saveOnce = async (): Promise<{ path: string; bytes: number }> => {
        const opened = await openExport(connection, call, input, signal);
        try {
          const target = intoFolder ? join(path, opened.filename) : path;
          if (intoFolder) await checkTarget(target, overwrite);
          return { path: target, bytes: await saveFile(opened, target, { overwrite, onProgress }) };
        } finally {
          opened.rest.close();
        }
      };
      return withRetries(connection, saveOnce, signal);
    },
    /** Repeated until the first bytes are here; what breaks off later is the stream's error. */
    async stream(input, { signal } = {}) {
      const call = prepareExport(connection, input);
      const opened = await withRetries(connection, () => openExport(connection, call, input, signal), signal);
      const { filename, contentType, rest } = opened;
      return {
        stream: streamPieces(opened),
        filename,
        ...(contentType === undefined ? {} : { contentType }),
        ...(rest.totalBytes === undefined ? {} : { totalBytes: rest.totalBytes }),
      };
    },
  };
}
