import { type IncomingMessage, request } from 'node:http';

import { signRequest } from '../../../../nodes/credentials/sign-request.ts';
import type { listMcpTools } from '../../../../nodes/nodes/Aftermeet/mcp/mcp-client.ts';
import { streamLikeN8n } from './stream-like-n8n.ts';

type Credential = Parameters<typeof signRequest>[0];
type HttpRequest = Parameters<typeof signRequest>[1];
type NodeContext = Parameters<typeof listMcpTools>[0];

export interface NodeContextOptions {
  readonly credential: Credential;
  /** Ends the execution. */
  readonly signal?: AbortSignal;
  /** Sees each request as the credential left it. */
  readonly onRequest?: (options: HttpRequest) => void;
}

/** What the MCP operations use of n8n: the credential, requests that it signs, and the signal that ends an execution. */
export function makeNodeContext({ credential, signal, onRequest }: NodeContextOptions): NodeContext {
  const context: unknown = {
    getCredentials: async () => credential,
    getExecutionCancelSignal: () => signal,
    helpers: {
      httpRequestWithAuthentication: async (_name: string, options: HttpRequest) => {
        const signed = signRequest(credential, options);
        onRequest?.(signed);
        const body = await send(signed, signal);
        return { statusCode: body.statusCode, headers: body.headers, body: streamLikeN8n(body) };
      },
    },
  };
  // The one cast: a whole context has a hundred members.
  return context as NodeContext;
}

async function send(options: HttpRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  const { url, method, body } = options;
  const headers = { ...options.headers } as Record<string, string>;
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(signal === undefined ? {} : { signal }) }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}
