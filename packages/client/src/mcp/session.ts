import type * as sdkModule from '@modelcontextprotocol/client';
import type { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { type OperationName, ServiceError, type ServiceErrorCode } from '../errors.ts';
import type { Connection } from '../http.ts';
import { describeAnswer, unreadable } from '../service-fault.ts';
import { createMcpFetch } from './mcp-fetch.ts';

export interface McpCall {
  readonly connection: Connection;
  /** Without `/mcp`. */
  readonly mcpUrl: string;
  readonly operation: OperationName;
  readonly signal: AbortSignal | undefined;
}

export interface McpRequestOptions {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export const CLIENT_INFO = { name: 'aftermeet', version: '0.1.0' } as const;

/** How long a server may take to end the session. */
const GOODBYE_MS = 2000;

/**
 * Connects, does the work and closes: nothing is left that could keep a process alive. Throws `ServiceError`. The SDK
 * is loaded at the first call, because most users of the client never make one.
 */
export async function withSession<T>(
  { connection, mcpUrl, operation, signal }: McpCall,
  work: (client: McpClient, options: McpRequestOptions) => Promise<T>,
): Promise<T> {
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) throw new ServiceError({ code: 'aborted', operation, unsent: true });
  const sdk = await import('@modelcontextprotocol/client');
  const { timeoutMs: timeout } = connection;
  // The SDK gets a signal of this call alone: it would leave listeners at the caller's, which may live long.
  const call = new AbortController();
  const onAbort = (): void => call.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const client = new sdk.Client(CLIENT_INFO, { versionNegotiation: { mode: 'auto' } });
  let broken: ServiceError | undefined;
  // The SDK would wait for its timeout; while it still negotiates, only its transport can be closed.
  const onBroken = (fault: ServiceError): void => {
    broken = fault;
    call.abort();
    void closeClient(client);
    void transport.close().catch(() => {});
  };
  const sent = createMcpFetch(connection, { mcpUrl, operation, signal: call.signal, onBroken });
  const transport: StreamableHTTPClientTransport = new sdk.StreamableHTTPClientTransport(sent.address, {
    fetch: sent.fetch,
  });
  const options = { timeout, signal: call.signal };
  try {
    await client.connect(transport, options);
    return await work(client, options);
  } catch (error) {
    if (isAborted()) throw new ServiceError({ code: 'aborted', operation });
    if (broken !== undefined) throw broken;
    throw toMcpError(sdk, error, {
      operation,
      timeoutMs: timeout,
      redactions: [connection.apiKey],
      lastFault: sent.lastFault(),
    });
  } finally {
    if (!call.signal.aborted) await endSession(client, transport);
    await closeClient(client);
    signal?.removeEventListener('abort', onAbort);
  }
}

interface McpErrorFacts {
  readonly operation: OperationName;
  readonly timeoutMs: number;
  readonly redactions: readonly string[];
  /** What went wrong with the last request, if it was the request. */
  readonly lastFault: ServiceError | undefined;
}

/** JSON-RPC's numbers for what the caller did wrong; an unknown tool is one of the first. */
const protocolCodes: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [-32_602, 'bad_request'],
  [-32_601, 'not_found'],
  [-32_603, 'server'],
]);

/** What the SDK threw, as a `ServiceError`. */
function toMcpError(
  sdk: typeof sdkModule,
  error: unknown,
  { operation, timeoutMs, redactions, lastFault }: McpErrorFacts,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof sdk.ProtocolError) {
    const code = protocolCodes.get(error.code) ?? 'unreadable';
    return new ServiceError({ code, operation, detail: describeAnswer(error.message, redactions) });
  }
  const sdkCode = error instanceof sdk.SdkError ? error.code : undefined;
  if (sdkCode === sdk.SdkErrorCode.RequestTimeout) {
    return new ServiceError({ code: 'timeout', operation, detail: `no answer in ${timeoutMs} ms` });
  }
  if (lastFault !== undefined) return lastFault;
  const suffix = sdkCode === undefined ? '' : ` (${sdkCode})`;
  return unreadable(operation, `the answer is not one of an MCP server${suffix}`);
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
