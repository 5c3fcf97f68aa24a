import { describeKind } from '@aftermeet/contract';

import { isOutcomeUnknown } from '../ambiguous-write.ts';
import type { McpProgress, McpTool, McpToolList, McpToolResult } from '../client.ts';
import type { OperationName, ServiceError } from '../errors.ts';
import { asFields, asList, asText, type Fields } from '../loose.ts';
import { refuseInput, unreadable } from '../service-fault.ts';
import type { McpSession } from './session.ts';

// The MCP endpoint has no operations in the contract: its tools are known only to the service.
export const listingTools: OperationName = { id: 'mcp.listTools', method: 'MCP', path: 'tools/list' };
export const callingTool: OperationName = { id: 'mcp.callTool', method: 'MCP', path: 'tools/call' };

/** What one call of the MCP endpoint may take. */
export interface McpLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Each page holds dozens of tools: a longer list does not end. */
const MAX_PAGES = 100;

/**
 * All pages of the tool list; ends at a page without a cursor and at a cursor that was there before. A tool without a
 * name cannot be called: it is counted.
 */
export async function listTools(session: McpSession, limits: McpLimits): Promise<McpToolList> {
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let unreadableCount = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const call = { operation: listingTools, method: 'tools/list', params, ...limits };
    const result = await session.request(call);
    for (const raw of asList(result['tools'])) {
      const tool = readTool(raw);
      if (tool === undefined) unreadableCount += 1;
      else tools.set(tool.name, tool);
    }
    cursor = asText(result['nextCursor']);
    if (cursor === undefined || cursors.has(cursor)) {
      const warning = `tools without a name were left out: ${unreadableCount}`;
      return { items: [...tools.values()], warnings: unreadableCount === 0 ? [] : [warning] };
    }
    cursors.add(cursor);
  }
  throw unreadable(listingTools, `the list of tools did not end within ${MAX_PAGES} pages`);
}

function readTool(raw: unknown): McpTool | undefined {
  const fields = asFields(raw) ?? {};
  const name = asText(fields['name']);
  const description = asText(fields['description']);
  const inputSchema = asFields(fields['inputSchema']) ?? {};
  if (name === undefined) return undefined;
  return description === undefined ? { name, inputSchema } : { name, description, inputSchema };
}

export interface ToolCall extends McpLimits {
  readonly name: string;
  readonly input: Fields;
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
}

/**
 * Calls a tool once. It is not known whether a tool may run twice, so a call whose outcome is unknown is not `retryable`;
 * faults before it was sent, and refusals, stay as they are.
 */
export async function callTool(
  session: McpSession,
  { name, input, onProgress, ...limits }: ToolCall,
): Promise<McpToolResult> {
  if (typeof name !== 'string' || name.trim() === '' || /\p{Cc}/u.test(name)) {
    const expected = 'the name of a tool: text that is not empty, without control characters';
    throw refuseInput(callingTool, [invalid('name', expected, name)]);
  }
  if (asFields(input) === undefined) {
    throw refuseInput(callingTool, [invalid('input', 'an object with the arguments', input)]);
  }
  const result = await session.request({
    operation: callingTool,
    method: 'tools/call',
    params: { name, arguments: input },
    ...limits,
    onProgress: (progress) => onProgress?.(readProgress(progress)),
    explain: doubtCall,
  });
  return readToolResult(result);
}

function invalid(field: string, expected: string, value: unknown) {
  return { path: [field], code: 'invalid' as const, expected, received: describeKind(value) };
}

function doubtCall(fault: ServiceError): ServiceError {
  if (fault.unsent || (fault.code !== 'aborted' && !isOutcomeUnknown(fault))) return fault;
  return fault.with({ mayHaveTakenEffect: true, retryable: false });
}

function readProgress(fields: Fields): McpProgress {
  const { progress, total } = fields;
  const message = asText(fields['message']);
  return {
    done: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' ? { total } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

function readToolResult(raw: Fields): McpToolResult {
  const structured = raw['structuredContent'];
  return {
    isError: raw['isError'] === true,
    text: asList(raw['content']).flatMap(readText).join('\n\n'),
    ...(structured === undefined ? {} : { structured }),
    raw,
  };
}

function readText(part: unknown): readonly string[] {
  const fields = asFields(part) ?? {};
  const text = fields['type'] === 'text' ? asText(fields['text']) : undefined;
  return text === undefined ? [] : [text];
}
