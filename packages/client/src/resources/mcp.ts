import type { Client } from '../client.ts';
import { callMcpTool } from '../mcp/call-mcp-tool.ts';
import { listMcpTools } from '../mcp/list-mcp-tools.ts';
import type { McpCall } from '../mcp/with-session.ts';
import { refuseInput } from '../prepare-call.ts';
import { asFields } from '../report/loose.ts';
import type { CallOptions, Connection } from '../send-request.ts';
import { withRetries } from '../with-retries.ts';

const listing = 'mcp.listTools: MCP tools/list';
const calling = 'mcp.callTool: MCP tools/call';

/** The MCP endpoint, which has no operations in the contract: its tools are known only to the service. */
export function mcpMethods(connection: Connection, mcpUrl: string): Client['mcp'] {
  const describe = (doing: string, { signal }: CallOptions): McpCall => ({
    connection,
    mcpUrl,
    doing,
    signal,
  });
  return {
    listTools: (options = {}) =>
      withRetries(connection, () => listMcpTools(describe(listing, options)), options.signal),
    async callTool(name, input = {}, options = {}) {
      if (typeof name !== 'string' || name === '' || /\p{Cc}/u.test(name)) {
        const message = 'must be the name of a tool: text that is not empty, without control characters';
        throw refuseInput(calling, [{ field: 'name', message }]);
      }
      if (asFields(input) === undefined) {
        throw refuseInput(calling, [{ field: 'input', message: 'must be an object with the arguments' }]);
      }
      return withRetries(
        connection,
        () => callMcpTool(describe(calling, options), name, input),
        options.signal,
      );
    },
  };
}
