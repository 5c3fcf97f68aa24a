import { asText, ServiceError } from '@aftermeet/client/pure';

import { type McpMessage, takeResult } from './mcp-message.ts';
import { type McpWire, postMessage } from './post-message.ts';
import {
  CLIENT_INFO,
  isOnlyStateless,
  SESSION_REVISION,
  sessionRevisions,
  STATELESS_REVISION,
} from './revisions.ts';

export interface McpSession {
  /** Tells the server that the session is taken; before the first request. Throws `ServiceError`. */
  readonly confirm: () => Promise<void>;
  /** The result of a request. Throws `ServiceError`. */
  readonly request: (method: string, params: McpMessage) => Promise<McpMessage>;
  /** Ends what the server keeps; never throws. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a session (specification of MCP, "Lifecycle" and "Streamable HTTP"). A server that knows only the revision without sessions
 * refuses `initialize` and says so: it gets requests that stand for themselves.
 */
export async function openSession(wire: McpWire): Promise<McpSession> {
  const params = { protocolVersion: SESSION_REVISION, capabilities: {}, clientInfo: CLIENT_INFO };
  const { reply = {}, sessionId } = await postMessage(wire, {
    message: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    headers: {},
  });
  if (isOnlyStateless(reply)) return createStatelessSession(wire);
  const revision = asText(takeResult(reply, wire.doing, wire.secrets)['protocolVersion']);
  if (revision === undefined || !sessionRevisions.has(revision)) {
    const detail = 'the server speaks a revision of MCP that this node does not know';
    throw new ServiceError({ code: 'unreadable', doing: wire.doing, detail });
  }
  const headers = {
    'mcp-protocol-version': revision,
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  };
  const close = async (): Promise<void> => {
    if (sessionId !== undefined) await sayGoodbye(wire, headers);
  };
  const confirm = async (): Promise<void> => {
    await postMessage(wire, { message: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers });
  };
  const request = createRequest(wire, (method, asked) => ({ headers, message: { method, params: asked } }));
  return { confirm, request, close };
}

function createStatelessSession(wire: McpWire): McpSession {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const request = createRequest(wire, (method, params) => {
    const name = asText(params['name']);
    return {
      message: { method, params: { ...params, _meta: meta } },
      headers: {
        'mcp-protocol-version': STATELESS_REVISION,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': writeHeader(name) }),
      },
    };
  });
  return { confirm: async () => {}, request, close: async () => {} };
}

/** What a header cannot hold is sent as Base64 between marks. */
function writeHeader(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

interface Prepared {
  readonly message: McpMessage;
  readonly headers: Readonly<Record<string, string>>;
}

function createRequest(
  wire: McpWire,
  prepare: (method: string, params: McpMessage) => Prepared,
): McpSession['request'] {
  let lastId = 1;
  return async (method, params) => {
    lastId += 1;
    const { message, headers } = prepare(method, params);
    const { reply = {} } = await postMessage(wire, {
      message: { jsonrpc: '2.0', id: lastId, ...message },
      headers,
    });
    return takeResult(reply, wire.doing, wire.secrets);
  };
}

/** A server may keep its sessions to itself (405), and one that does not answer is left standing. */
async function sayGoodbye({ exchange }: McpWire, headers: Readonly<Record<string, string>>): Promise<void> {
  try {
    const answer = await exchange({ method: 'DELETE', headers });
    answer.giveUp();
  } catch {
    // The work is done; that the server keeps its session until it forgets it changes nothing of that.
  }
}
