/** The tools of the MCP endpoint, as the sandbox names them by itself. */
export const mcpTools = ['search_meetings', 'get_transcript', 'get_report'] as const;

export type McpTool = (typeof mcpTools)[number];

/** The name under which a tool is listed and called. */
export function nameTool(tool: McpTool, names: Partial<Readonly<Record<McpTool, string>>>): string {
  return names[tool] ?? tool;
}
