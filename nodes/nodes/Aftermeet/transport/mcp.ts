import {
  callingTool,
  callTool,
  createMcpSession,
  DEFAULT_TIMEOUT_MS,
  listingTools,
  listTools,
  type McpExchange,
  type McpSession,
  type McpTool,
  type McpToolResult,
  type OperationName,
  ServiceError,
} from '@aftermeet/client/pure';

import { requestRaw, type ServiceContext } from './raw-request.ts';
import { findTotalMs } from './request-limits.ts';
import { findTimeoutMs, readCredential, repeatAttempt, type RepeatOptions } from './request.ts';
import { isFileStream } from './streams.ts';

const CLIENT_INFO = { name: 'n8n-nodes-aftermeet', version: '0.1.0' } as const;

/** The tools of the endpoint in the credential. Throws `ServiceError`. */
export async function listMcpTools(
  context: ServiceContext,
  repeating?: RepeatOptions,
): Promise<readonly McpTool[]> {
  const session = await findSession(context, listingTools);
  const attempt = (leftMs: number) => {
    const timeoutMs = findTimeoutMs(context, DEFAULT_TIMEOUT_MS, leftMs);
    return listTools(session, { timeoutMs, signal: undefined });
  };
  const { items } = await repeatAttempt(context, attempt, repeating);
  return items;
}

interface McpCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** For each request, the call among them. */
  readonly timeoutMs?: number;
}

/** Calls a tool. Throws `ServiceError`: `ambiguous` when it is unknown whether the tool ran. */
export async function callMcpTool(
  context: ServiceContext,
  { timeoutMs: usualMs = DEFAULT_TIMEOUT_MS, ...call }: McpCall,
): Promise<McpToolResult> {
  const session = await findSession(context, callingTool);
  const attempt = (leftMs: number) => {
    const timeoutMs = findTimeoutMs(context, usualMs, leftMs);
    return callTool(session, { ...call, timeoutMs, signal: undefined });
  };
  try {
    return await repeatAttempt(context, attempt, { totalMs: Math.max(findTotalMs(context), usualMs) });
  } catch (error) {
    const isDoubtful = error instanceof ServiceError && error.mayHaveTakenEffect && error.code !== 'aborted';
    throw isDoubtful ? error.with({ code: 'ambiguous' }) : error;
  }
}

const sessions = new WeakMap<ServiceContext, McpSession>();

/** One for all items of an execution: what was agreed on with the server is kept. */
async function findSession(context: ServiceContext, operation: OperationName): Promise<McpSession> {
  const known = sessions.get(context);
  if (known !== undefined) return known;
  const { mcpUrl, apiKey } = await readCredential(context);
  if (mcpUrl === undefined) {
    const detail = 'the credential has no MCP Address: give it there';
    throw new ServiceError({ code: 'bad_request', operation, detail, unsent: true });
  }
  const exchange = exchangeWithN8n(context, mcpUrl);
  const session = createMcpSession({
    exchange,
    clientInfo: CLIENT_INFO,
    clock: Date.now,
    redactions: [apiKey],
  });
  sessions.set(context, session);
  return session;
}

/** Sends through n8n, whose credential adds the bearer token (credentials/sign-request.ts). */
function exchangeWithN8n(context: ServiceContext, mcpUrl: string): McpExchange {
  return async ({ headers, body: message, operation, timeoutMs, signal }) => {
    const doing = `${operation.id}: ${operation.method} ${operation.path}`;
    const { status, readHeader, body, explain } = await requestRaw(context, {
      doing,
      method: 'POST',
      url: `${mcpUrl}/mcp`,
      headers,
      body: message,
      timeoutMs,
      limitMs: timeoutMs,
      signal,
    });
    if (status >= 300 && status < 400) {
      throw new ServiceError({ code: 'redirected', operation: doing, status });
    }
    if (!isFileStream(body)) {
      const detail = 'the answer is no stream';
      throw new ServiceError({ code: 'unreadable', operation: doing, status, detail });
    }
    return {
      status,
      readHeader,
      pieces: readPieces(body, explain),
      // n8n lets a node set no timer: its time is not restarted.
      restart: () => {},
      close: () => void body.destroy(),
    };
  };
}

async function* readPieces(
  body: AsyncIterable<unknown>,
  explain: (error: unknown) => ServiceError,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('a piece is not made of bytes');
      yield piece;
    }
  } catch (error) {
    throw explain(error);
  }
}
