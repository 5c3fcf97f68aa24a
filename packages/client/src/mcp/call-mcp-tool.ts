import { amendError } from '../amend-error.ts';
import type { McpToolResult } from '../client.ts';
import { isFateUnknown } from '../doubt-write.ts';
import { asFields, asList, asText } from '../report/loose.ts';
import { ServiceError } from '../service-error.ts';
import { type McpCall, withSession } from './with-session.ts';

/**
 * Calls a tool once. What a tool does nobody knows, so a call whose fate is unknown is not `retryable`;
 * faults before it was sent, and refusals, are what they always are.
 */
export async function callMcpTool(
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
    throw isCalled ? doubtCall(error) : error;
  }
}

function doubtCall(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'aborted') return amendError(error, { detail: 'the tool may have run' });
  if (!isFateUnknown(error)) return error;
  const detail = `${error.detail ?? error.code}; the tool may have run`;
  return amendError(error, { detail, retryable: false });
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
