import type { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { Connection } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import { createMcpFetch } from './create-mcp-fetch.ts';
import { explainMcpFault } from './explain-mcp-fault.ts';

export interface McpCall {
  readonly connection: Connection;
  /** Without `/mcp`. */
  readonly mcpUrl: string;
  readonly doing: string;
  readonly signal: AbortSignal | undefined;
}

export interface McpRequestOptions {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export const CLIENT_INFO = { name: 'aftermeet', version: '0.1.0' } as const;

/** A server that does not answer to a goodbye is left standing. */
const GOODBYE_MS = 2000;

/**
 * Connects, does the work and closes: nothing is left that could keep a process alive. Throws `ServiceError`.
 * The SDK is loaded at the first call, because most users of the client never make one.
 */
export async function withSession<T>(
  { connection, mcpUrl, doing, signal }: McpCall,
  work: (client: McpClient, options: McpRequestOptions) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', doing, unsent: true });
  const sdk = await import('@modelcontextprotocol/client');
  const { timeoutMs: timeout } = connection;
  const address = new URL(`${mcpUrl}/mcp`);
  // The SDK gets a signal of this call alone: at the caller's, which may live long, it would leave listeners.
  const call = new AbortController();
  const onAbort = (): void => call.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const client = new sdk.Client(CLIENT_INFO, { versionNegotiation: { mode: 'auto' } });
  let broken: ServiceError | undefined;
  // The SDK would wait out its time; while it still asks what the server speaks, only its transport can be closed.
  const onBroken = (fault: ServiceError): void => {
    broken = fault;
    call.abort();
    void closeClient(client);
    void transport.close().catch(() => {});
  };
  const sent = createMcpFetch(connection, { address, doing, signal: call.signal, onBroken });
  const transport: StreamableHTTPClientTransport = new sdk.StreamableHTTPClientTransport(address, {
    fetch: sent.fetch,
  });
  const options = { timeout, signal: call.signal };
  try {
    await client.connect(transport, options);
    return await work(client, options);
  } catch (error) {
    const secrets = [connection.apiKey];
    const lastFault = sent.lastFault();
    throw explainMcpFault(sdk, error, { doing, signal, timeoutMs: timeout, secrets, broken, lastFault });
  } finally {
    if (!call.signal.aborted) await endSession(client, transport);
    await closeClient(client);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Older servers keep a session until they are told that it is over. */
async function endSession(client: McpClient, transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return;
  // Closing aborts the request.
  const timer = setTimeout(() => void closeClient(client), GOODBYE_MS);
  await transport.terminateSession().catch(() => {});
  clearTimeout(timer);
}

async function closeClient(client: McpClient): Promise<void> {
  await client.close().catch(() => {});
}
