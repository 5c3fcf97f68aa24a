import { ServiceError } from '@aftermeet/client/pure';

import { readCredential } from '../transport/read-credential.ts';
import { repeatAttempt, type RepeatOptions } from '../transport/repeat-attempt.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import { callTool, type McpToolResult } from './call-tool.ts';
import { exchangeWithN8n } from './exchange-with-n8n.ts';
import { listTools, type McpTool } from './list-tools.ts';
import type { McpMessage } from './mcp-message.ts';
import type { McpWire } from './post-message.ts';
import { withSession } from './with-session.ts';

/** As in the client. */
const TIMEOUT_MS = 30_000;
/** Of the answers of one session: what tools say is made to be read by a model. */
const MAX_SESSION_BYTES = 32 * 1024 * 1024;

const listing = 'mcp.listTools: MCP tools/list';
/** What stands in the errors of a call. */
export const calling = 'mcp.callTool: MCP tools/call';

/** The tools of the endpoint in the credential. Throws `ServiceError`. */
export async function listMcpTools(
  context: ServiceContext,
  repeating?: RepeatOptions,
): Promise<readonly McpTool[]> {
  const connect = await prepare(context, listing, TIMEOUT_MS);
  const attempt = () => withSession(connect(), (session) => listTools(session, listing));
  return await repeatAttempt(context, attempt, repeating);
}

export interface McpCall {
  readonly name: string;
  readonly input: McpMessage;
  /** For each request, the call among them. */
  readonly timeoutMs?: number;
}

/** Calls a tool. Throws `ServiceError`: `ambiguous` when nobody knows whether the tool ran. */
export async function callMcpTool(
  context: ServiceContext,
  { name, input, timeoutMs = TIMEOUT_MS }: McpCall,
): Promise<McpToolResult> {
  if (name.trim() === '' || /\p{Cc}/u.test(name)) {
    const detail = 'the tool must be named: text that is not empty, without control characters';
    throw new ServiceError({ code: 'bad_request', doing: calling, detail, unsent: true });
  }
  const connect = await prepare(context, calling, timeoutMs);
  return await repeatAttempt(context, () => callTool(connect(), name, input));
}

async function prepare(context: ServiceContext, doing: string, timeoutMs: number): Promise<() => McpWire> {
  const { mcpUrl, apiKey } = await readCredential(context);
  if (mcpUrl === undefined) {
    const detail = 'the credential has no MCP Address: give it there';
    throw new ServiceError({ code: 'bad_request', doing, detail, unsent: true });
  }
  const exchange = exchangeWithN8n(context, { mcpUrl, doing, timeoutMs });
  return () => ({ exchange, doing, secrets: [apiKey], budget: { left: MAX_SESSION_BYTES } });
}
