import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { listMcpTools } from '../../mcp/mcp-client.ts';
import type { OperationDescription } from '../node-operation.ts';

export const description: OperationDescription = {
  value: 'listTools',
  name: 'List Tools',
  action: 'List the tools of the MCP endpoint',
  description: 'Get the tools that the MCP endpoint offers, each with the schema of its arguments',
  parameters: {},
  properties: [],
};

export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const tools = await listMcpTools(context);
  return tools.map(({ name, description: about, inputSchema }) => {
    const json: IDataObject = { name, description: about ?? '', input_schema: { ...inputSchema } };
    return { json };
  });
}
