import type { INodeListSearchResult } from 'n8n-workflow';

import { listMcpTools } from '../mcp/mcp-client.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import { keepMatching } from './keep-matching.ts';
import { listOptions } from './list-options.ts';

/** The tools of the MCP endpoint, which has no search for them: filtered here. */
export async function searchTools(context: ServiceContext, filter: string): Promise<INodeListSearchResult> {
  const tools = await listMcpTools(context, listOptions);
  const results = tools.map(({ name, description }) => ({
    name,
    value: name,
    ...(description === undefined ? {} : { description }),
  }));
  return { results: keepMatching(results, filter) };
}
