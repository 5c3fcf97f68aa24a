import { asFields, asList, asText, isFateUnknown, ServiceError } from '@aftermeet/client/pure';

import type { McpMessage } from './mcp-message.ts';
import type { McpSession } from './open-session.ts';
import type { McpWire } from './post-message.ts';
import { withSession } from './with-session.ts';

export interface McpToolResult {
  readonly isError: boolean;
  /** The text parts, with an empty line in between. */
  readonly text: string;
  readonly structured: unknown;
  /** Every part, also those that are no text. */
  readonly content: readonly unknown[];
}

/**
 * Calls a tool once. What a tool does nobody knows, so a call whose fate is unknown is `ambiguous` and not `retryable`; faults before
 * it was sent, and refusals, are what they always are. A session that was lost (404) took no call: it is sent in a new one.
 */
export async function callTool(wire: McpWire, name: string, input: McpMessage): Promise<McpToolResult> {
  return await withSession(wire, async (session) => readResult(await callOnce(session, name, input)));
}

async function callOnce(session: McpSession, name: string, input: McpMessage): Promise<McpMessage> {
  try {
    return await session.request('tools/call', { name, arguments: input });
  } catch (error) {
    throw doubtCall(error);
  }
}

function doubtCall(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.unsent) return error;
  const { code, doing, status, cause } = error;
  const isDoubtful = code !== 'aborted' && isFateUnknown(error);
  if (code !== 'aborted' && !isDoubtful) return error;
  return new ServiceError({
    code: isDoubtful ? 'ambiguous' : code,
    doing,
    ...(status === undefined ? {} : { status }),
    detail: `${isDoubtful ? `${error.detail ?? code}; ` : ''}the tool may have run`,
    retryable: false,
    cause,
  });
}

function readResult(raw: McpMessage): McpToolResult {
  const content = asList(raw['content']);
  return {
    isError: raw['isError'] === true,
    text: content.flatMap(readText).join('\n\n'),
    structured: raw['structuredContent'],
    content,
  };
}

function readText(part: unknown): string[] {
  const fields = asFields(part) ?? {};
  const text = fields['type'] === 'text' ? asText(fields['text']) : undefined;
  return text === undefined ? [] : [text];
}
