import { asFields, asList, asText, ServiceError } from '@aftermeet/client/pure';

import type { McpSession } from './open-session.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Each page holds dozens of tools: a list that goes on after this does not end. */
const MAX_PAGES = 100;

/** All pages of the tool list; ends at a page without a cursor and at a cursor that was there before. A tool without a name is left out. */
export async function listTools(session: McpSession, doing: string): Promise<readonly McpTool[]> {
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await session.request('tools/list', cursor === undefined ? {} : { cursor });
    for (const tool of asList(result['tools']).flatMap(readTool)) tools.set(tool.name, tool);
    cursor = asText(result['nextCursor']);
    if (cursor === undefined || cursors.has(cursor)) return [...tools.values()];
    cursors.add(cursor);
  }
  const detail = `the list of tools did not end within ${MAX_PAGES} pages`;
  throw new ServiceError({ code: 'unreadable', doing, detail });
}

function readTool(raw: unknown): McpTool[] {
  const fields = asFields(raw) ?? {};
  const name = asText(fields['name']);
  if (name === undefined || name === '') return [];
  const inputSchema = asFields(fields['inputSchema']) ?? {};
  return [{ name, description: asText(fields['description']), inputSchema }];
}
