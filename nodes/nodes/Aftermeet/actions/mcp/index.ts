import type { NodeResource } from '../node-operation.ts';
import * as callTool from './call-tool.operation.ts';
import * as listTools from './list-tools.operation.ts';

export const mcp: NodeResource = {
  value: 'mcp',
  name: 'MCP',
  usual: 'listTools',
  operations: [callTool, listTools],
};
