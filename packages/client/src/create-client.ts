import { limits } from '@aftermeet/contract';

import type { Client, ClientOptions } from './client.ts';
import { openConnection } from './connection.ts';
import type { Connection } from './http.ts';
import { createMethods } from './methods.ts';
import { VERSION } from './version.ts';

/**
 * A client of the service. Requests are checked against the contract; answers are read tolerantly. Throws
 * `ServiceError` (`bad_request`) for an address or a key that cannot be right.
 */
export function createClient(options: ClientOptions): Client {
  const { connection, mcpUrl } = openConnection(options);
  const { webhookTargets } = options;
  return {
    ...createMethods(connection, webhookTargets),
    // Code that most programs do not need is loaded at its first call.
    uploads: {
      async send(source, details = {}, uploadOptions = {}) {
        const { sendUpload } = await import('./upload/send-upload.ts');
        const chunkBytes = limits.uploadChunkBytes;
        return sendUpload({ connection, webhookTargets, chunkBytes }, source, details, uploadOptions);
      },
    },
    exports: {
      async download(input, path, downloadOptions) {
        const { downloadExport } = await import('./download/export.ts');
        return downloadExport(connection, input, path, downloadOptions);
      },
      async stream(input, callOptions) {
        const { streamExport } = await import('./download/export.ts');
        return streamExport(connection, input, callOptions);
      },
    },
    mcp: mcpMethods(connection, mcpUrl),
  };
}

/** One set for the whole life of the client: what was agreed on with the server is kept. */
function mcpMethods(connection: Connection, mcpUrl: string): Client['mcp'] {
  let loaded: Promise<Client['mcp']> | undefined;
  const load = (): Promise<Client['mcp']> => {
    loaded ??= import('./mcp/methods.ts').then(
      ({ createMcpMethods }) => createMcpMethods(connection, mcpUrl, { name: 'aftermeet', version: VERSION }),
      (error: unknown) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  };
  return {
    listTools: async (options) => (await load()).listTools(options),
    callTool: async (...call) => (await load()).callTool(...call),
  };
}
