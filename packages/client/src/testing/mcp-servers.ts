import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

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

/** The rest of a JSON-RPC answer; undefined where the response was taken care of. */
export type Script = (params: unknown, response: ServerResponse) => object | undefined;

/** A server of the older kind, with sessions, as a script: answers by JSON-RPC method. */
export function answerByMethod(answers: Readonly<Record<string, Script>>): {
  answer: AnswerRequest;
  seen: string[];
} {
  const seen: string[] = [];
  return {
    seen,
    answer(request, response) {
      if (request.method !== 'POST') {
        seen.push(`${request.method} ${String(request.headers['mcp-session-id'])}`);
        response.writeHead(405).end();
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => {
        const { id, method: called, params } = asFields(JSON.parse(body)) ?? {};
        const method = String(called);
        seen.push(method);
        const known = answers[method];
        if (id === undefined) response.writeHead(202).end();
        else if (method === 'initialize') {
          const result = {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'old', version: '1' },
          };
          response
            .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        } else if (known === undefined) {
          response.writeHead(400).end('no session');
        } else {
          const rest = known(params, response);
          if (rest === undefined) return;
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
        }
      });
    },
  };
}
