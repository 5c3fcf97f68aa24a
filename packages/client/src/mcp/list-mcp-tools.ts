import type { McpTool } from '../client.ts';
import { ServiceError } from '../service-error.ts';
import { type McpCall, withSession } from './with-session.ts';

/** Each page holds dozens of tools: a list that goes on after this does not end. */
const MAX_PAGES = 100;

/** All pages of the tool list; ends at a page without a cursor and at a cursor that was there before. */
export async function listMcpTools(call: McpCall): Promise<readonly McpTool[]> {
  return withSession(call, async (client, options) => {
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
    const detail = `the list of tools did not end within ${MAX_PAGES} pages`;
    throw new ServiceError({ code: 'unreadable', doing: call.doing, detail });
  });
}
