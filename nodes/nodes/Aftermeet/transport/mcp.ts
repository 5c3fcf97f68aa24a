import { callingTool, type Client, createMcpMethods, ServiceError } from '@aftermeet/client/pure';

import { type ConnectOptions, openConnection, readCredential } from './connect.ts';
import type { ServiceContext } from './n8n-fetch.ts';

const CLIENT_INFO = { name: 'n8n-nodes-aftermeet', version: '0.1.0' } as const;

const methodsOf = new WeakMap<ServiceContext, Client['mcp']>();

/** The methods for all items of an execution: what was agreed on with the server is kept. Throws `ServiceError`. */
export async function connectMcp(context: ServiceContext, options?: ConnectOptions): Promise<Client['mcp']> {
  const known = methodsOf.get(context);
  if (known !== undefined) return known;
  const { mcpUrl } = await readCredential(context);
  if (mcpUrl === undefined) {
    const detail = 'the credential has no MCP Address: give it there';
    throw new ServiceError({ code: 'bad_request', operation: callingTool, detail, unsent: true });
  }
  const methods = createMcpMethods(await openConnection(context, options), mcpUrl, CLIENT_INFO);
  methodsOf.set(context, methods);
  return methods;
}
