import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

import { serve } from './serve.ts';

interface SeenMessage {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The message's method; undefined for a DELETE. */
  readonly rpc: string | undefined;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

export type McpScript = (message: SeenMessage, response: ServerResponse) => void;

/** An MCP server that opens sessions as it should, and answers the rest as its script has it. Ends with the test. */
interface HostileMcp {
  readonly url: string;
  readonly seen: SeenMessage[];
}

export async function openHostileMcp(script: McpScript): Promise<HostileMcp> {
  const seen: SeenMessage[] = [];
  const url = await serve((request, response) => {
    void readText(request).then((text) => {
      const sent = (text === '' ? {} : JSON.parse(text)) as Record<string, never>;
      const { method: rpc, id, params = {} } = sent;
      const message = { method: request.method ?? '', headers: request.headers, rpc, id, params };
      seen.push(message);
      const isOpening = rpc === 'initialize' || rpc === 'notifications/initialized';
      if (rpc === 'server/discover') response.writeHead(400).end();
      else (isOpening ? openWell : script)(message, response);
    });
  });
  return { url, seen };
}

function openWell({ rpc, id }: SeenMessage, response: ServerResponse): void {
  if (rpc === 'initialize') {
    response.setHeader('Mcp-Session-Id', 'session-1');
    const serverInfo = { name: 'hostile', version: '1' };
    answerJson(response, {
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo },
    });
  } else {
    response.writeHead(202).end();
  }
}

function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function answerResult({ id }: SeenMessage, response: ServerResponse, result: unknown): void {
  answerJson(response, { jsonrpc: '2.0', id, result });
}

/** Writes the text of an event stream, and leaves it open. */
export function answerStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}
