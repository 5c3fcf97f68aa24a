import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, text } from 'node:stream/consumers';

import {
  createMcpHandler,
  type CreateMcpHandlerOptions,
  fromJsonSchema,
  McpServer,
} from '@modelcontextprotocol/server';

import { asFields } from '../loose.ts';
import { TEST_KEY } from './make-connection.ts';
import type { AnswerRequest } from './start-servers.ts';

/** Hands a Node request to a handler of web requests. */
export async function passOn(
  handler: { handleRequest(request: Request): Promise<Response> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url } = request;
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const init = { method, headers, ...(method === 'POST' ? { body: await text(request) } : {}) };
  const answer = await handler.handleRequest(new Request(`http://127.0.0.1${url}`, init));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

const nothing = fromJsonSchema<object>({ type: 'object' });
const finding = fromJsonSchema<{ q: string }>({
  type: 'object',
  properties: { q: { type: 'string' } },
  required: ['q'],
});
const counting = fromJsonSchema<{ count: number }>({
  type: 'object',
  properties: { count: { type: 'number' } },
  required: ['count'],
});

/** A real MCP server with three tools, behind a bearer key. */
export function answerAsMcp(options: CreateMcpHandlerOptions = {}): {
  answer: AnswerRequest;
  seen: string[];
} {
  const seen: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test', version: '1.0.0' });
    server.registerTool('search', { description: 'Finds meetings', inputSchema: finding }, ({ q }) => ({
      content: [
        { type: 'text', text: `found ${q}` },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'text', text: 'and more' },
      ],
    }));
    server.registerTool('count', { inputSchema: nothing, outputSchema: counting }, () => ({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { count: 3 },
    }));
    server.registerTool('fail', { inputSchema: nothing }, () => ({
      isError: true,
      content: [{ type: 'text', text: 'there is no such meeting' }],
    }));
    return server;
  }, options);
  return {
    seen,
    answer(request, response) {
      seen.push(`${request.method} ${request.url} ${String(request.headers.authorization)}`);
      const isAllowed = request.headers.authorization === `Bearer ${TEST_KEY}`;
      if (isAllowed) void passOn({ handleRequest: (sent) => handler.fetch(sent) }, request, response);
      else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"message":"bad key"}');
    },
  };
}

export interface Seen {
  readonly rpc: string;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly session: string | undefined;
  readonly revision: string | undefined;
}

export type Script = (seen: Seen, response: ServerResponse) => void;

/** A server of the older kind. Its script answers what is not about opening; sessions are `s1`, `s2`, … */
export function answerOld(script: Script, opening: Partial<Record<string, Script>> = {}) {
  const seen: Seen[] = [];
  let sessions = 0;
  const initialize: Script = (message, response) => {
    response.setHeader('mcp-session-id', `s${(sessions += 1)}`);
    answerResult(message, response, { protocolVersion: '2025-06-18', capabilities: {} });
  };
  const known: Partial<Record<string, Script>> = {
    'server/discover': (_message, response) => void response.writeHead(400).end('no session'),
    initialize,
    'notifications/initialized': (_message, response) => void response.writeHead(202).end(),
    ...opening,
  };
  const answer: AnswerRequest = (request, response) => {
    void json(request).then((body) => {
      const { id, method, params } = asFields(body) ?? {};
      const message: Seen = {
        rpc: String(method),
        id,
        params: asFields(params) ?? {},
        session: request.headers['mcp-session-id']?.toString(),
        revision: request.headers['mcp-protocol-version']?.toString(),
      };
      seen.push(message);
      (known[message.rpc] ?? script)(message, response);
    });
  };
  const names = (): string[] => seen.map(({ rpc }) => rpc);
  return { answer, seen, names, countCalls: () => names().filter((name) => name === 'tools/call').length };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function answerResult({ id }: Seen, response: ServerResponse, result: unknown): void {
  answerJson(response, { jsonrpc: '2.0', id, result });
}
