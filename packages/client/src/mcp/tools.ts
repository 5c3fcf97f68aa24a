import { describeKind } from '@aftermeet/contract';

import { isOutcomeUnknown } from '../ambiguous-write.ts';
import type { CallOptions, McpTool, McpToolResult } from '../client.ts';
import { ServiceError } from '../errors.ts';
import type { Connection } from '../http.ts';
import { asFields, asList, asText } from '../loose.ts';
import { withRetries } from '../retries.ts';
import { refuseInput, unreadable } from '../service-fault.ts';
import { type McpCall, withSession } from './session.ts';

// The MCP endpoint has no operations in the contract: its tools are known only to the service.
const listing = { id: 'mcp.listTools', method: 'MCP', path: 'tools/list' };
const calling = { id: 'mcp.callTool', method: 'MCP', path: 'tools/call' };

/** Each page holds dozens of tools: a longer list does not end. */
const MAX_PAGES = 100;

/** All pages of the tool list; ends at a page without a cursor and at a cursor that was there before. */
export function listMcpTools(
  connection: Connection,
  mcpUrl: string,
  { signal }: CallOptions = {},
): Promise<readonly McpTool[]> {
  const listOnce = (): Promise<readonly McpTool[]> =>
    withSession({ connection, mcpUrl, operation: listing, signal }, async (client, options) => {
      const tools = new Map<string, McpTool>();
      const cursors = new Set<string>();
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        // Not `client.listTools`: it prints to standard output when a server has no tools.
        const { tools: found, nextCursor } = await client.request({ method: 'tools/list', params }, options);
        for (const { name, description, inputSchema } of found) {
          tools.set(name, { name, ...(description === undefined ? {} : { description }), inputSchema });
        }
        if (nextCursor === undefined || cursors.has(nextCursor)) return [...tools.values()];
        cursors.add(nextCursor);
        cursor = nextCursor;
      }
      throw unreadable(listing, `the list of tools did not end within ${MAX_PAGES} pages`);
    });
  return withRetries(connection, listOnce, signal);
}

/**
 * Calls a tool. It is not known whether a tool may run twice, so a call whose outcome is unknown is not `retryable`;
 * faults before it was sent, and refusals, are repeated like those of other operations.
 */
export async function callMcpTool(
  connection: Connection,
  mcpUrl: string,
  {
    name,
    input = {},
  }: { readonly name: string; readonly input?: Readonly<Record<string, unknown>> | undefined },
  { signal }: CallOptions = {},
): Promise<McpToolResult> {
  if (typeof name !== 'string' || name === '' || /\p{Cc}/u.test(name)) {
    const expected = 'the name of a tool: text that is not empty, without control characters';
    throw refuseInput(calling, [{ path: ['name'], code: 'invalid', expected, received: describeKind(name) }]);
  }
  if (asFields(input) === undefined) {
    const expected = 'an object with the arguments';
    throw refuseInput(calling, [
      { path: ['input'], code: 'invalid', expected, received: describeKind(input) },
    ]);
  }
  const call = { connection, mcpUrl, operation: calling, signal };
  return withRetries(connection, () => callOnce(call, name, input), signal);
}

async function callOnce(
  call: McpCall,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<McpToolResult> {
  let isCalled = false;
  try {
    return await withSession(call, async (client, options) => {
      isCalled = true;
      return readResult(await client.callTool({ name, arguments: { ...input } }, options));
    });
  } catch (error) {
    if (!isCalled || !(error instanceof ServiceError)) throw error;
    if (error.code !== 'aborted' && !isOutcomeUnknown(error)) throw error;
    throw error.with({ mayHaveTakenEffect: true, retryable: false });
  }
}

function readResult(raw: unknown): McpToolResult {
  const fields = asFields(raw) ?? {};
  const structured = fields['structuredContent'];
  return {
    isError: fields['isError'] === true,
    text: asList(fields['content']).flatMap(readText).join('\n\n'),
    ...(structured === undefined ? {} : { structured }),
    raw,
  };
}

function readText(part: unknown): string[] {
  const fields = asFields(part) ?? {};
  const text = fields['type'] === 'text' ? asText(fields['text']) : undefined;
  return text === undefined ? [] : [text];
}
