import type { ServerResponse } from 'node:http';

import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import type { McpProgress } from '../client.ts';
import { createClient } from '../create-client.ts';
import type { Connection } from '../http.ts';
import { keepAliveFetch } from '../keep-alive-fetch.ts';
import { asFields } from '../loose.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { makeConnection, TEST_KEY } from '../testing/make-connection.ts';
import {
  answerAsMcp,
  answerJson,
  answerOld,
  answerResult,
  passOn,
  type Script,
  type Seen,
} from '../testing/mcp-servers.ts';
import { type AnswerRequest, createTestServers } from '../testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

async function mcpOf(answer: AnswerRequest, changes: Partial<Connection> = {}) {
  const mcpUrl = await servers.start(answer);
  return createClient({ ...makeConnection('http://127.0.0.1:9', changes), mcpUrl }).mcp;
}

/** Leaves the stream open. */
function answerStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}

function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function progressOf({ params }: Seen, rest: object): string {
  const { progressToken } = asFields(params['_meta']) ?? {};
  return event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...rest } });
}

const done = { content: [{ type: 'text', text: 'done' }] };

describe('the requests of one client', () => {
  it('are 11 for ten calls of a server without sessions', async () => {
    const { answer, seen } = answerAsMcp({ legacy: 'reject' });
    const mcp = await mcpOf(answer);
    for (let call = 0; call < 10; call += 1) expect(await mcp.callTool('count')).toMatchObject({ text: '3' });
    expect(seen).toHaveLength(11);
    // A header that did not name the same tool as the message would be refused for that.
    expect((await catchFault(mcp.callTool('größe'))).message).toContain('Tool größe not found');
  });

  it('are 13 for ten calls of one with sessions, each with its headers', async () => {
    const { answer, seen, names } = answerOld((message, response) => answerResult(message, response, done));
    const mcp = await mcpOf(answer);
    for (let call = 0; call < 10; call += 1) expect(await mcp.callTool('x')).toMatchObject({ text: 'done' });
    expect(names().slice(0, 4)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
    expect(seen).toHaveLength(13);
    expect(seen.map(({ session, revision }) => `${session} ${revision}`).slice(0, 4)).toEqual([
      'undefined 2026-07-28',
      'undefined undefined',
      's1 2025-06-18',
      's1 2025-06-18',
    ]);
    expect(seen[1]?.params).toMatchObject({ protocolVersion: '2025-11-25', capabilities: {} });
    expect(seen[3]?.params).toMatchObject({ name: 'x', arguments: {} });
  });

  it('share one opening when they are made at once, and an aborted one does not end it', async () => {
    const controller = new AbortController();
    const { answer, names } = answerOld((message, response) => answerResult(message, response, done), {
      'notifications/initialized': (_message, response) => {
        controller.abort();
        setTimeout(() => response.writeHead(202).end(), 30);
      },
    });
    const mcp = await mcpOf(answer);
    const aborted = catchFault(mcp.callTool('x', {}, { signal: controller.signal }));
    const calls = Array.from({ length: 5 }, () => mcp.callTool('x'));
    expect(await Promise.all(calls)).toHaveLength(5);
    expect(await aborted).toMatchObject({ code: 'aborted', mayHaveTakenEffect: false });
    expect(names().filter((name) => name === 'initialize')).toHaveLength(1);
  });

  it('end an opening for which none of them waits any more, and the next one opens again', async () => {
    const controller = new AbortController();
    let isEnded = false;
    const { answer } = answerOld((message, response) => answerResult(message, response, done), {
      initialize: (message, response) => {
        if (controller.signal.aborted) {
          answerResult(message, response, { protocolVersion: '2025-03-26' });
        } else {
          response.on('close', () => (isEnded = true));
          controller.abort();
        }
      },
    });
    const mcp = await mcpOf(answer);
    expect(await catchFault(mcp.callTool('x', {}, { signal: controller.signal }))).toMatchObject({
      code: 'aborted',
    });
    expect(await mcp.callTool('x')).toMatchObject({ text: 'done' });
    expect(isEnded).toBe(true);
  });

  it('open again after an opening that failed', async () => {
    let fails = 1;
    const { answer } = answerOld((message, response) => answerResult(message, response, done), {
      'server/discover': (_message, response) =>
        void response.writeHead((fails -= 1) === 0 ? 503 : 404).end(),
    });
    const mcp = await mcpOf(answer);
    expect(await catchFault(mcp.callTool('x'))).toMatchObject({
      code: 'server',
      mayHaveTakenEffect: false,
      retryable: true,
    });
    expect(await mcp.callTool('x')).toMatchObject({ text: 'done' });
  });
});

describe('a session', () => {
  it.each<[string, Script]>([
    ['404', (_message, response) => void response.writeHead(404).end()],
    [
      '400 with a word about it',
      (_message, response) =>
        answerJson(response, { error: { code: -32_000, message: 'No valid session ID' }, id: null }, 400),
    ],
  ])('that is lost (%s) is opened again once', async (_name, lose) => {
    let isLost = true;
    const { answer, seen, names } = answerOld((message, response) => {
      if (isLost || message.session === 's1') lose(message, response);
      else answerResult(message, response, done);
    });
    const mcp = await mcpOf(answer);
    const error = await catchFault(mcp.callTool('x'));
    expect(['not_found', 'bad_request']).toContain(error.code);
    expect(error.mayHaveTakenEffect).toBe(false);
    expect(names().filter((name) => name === 'tools/call')).toHaveLength(2);
    isLost = false;
    expect(await mcp.callTool('x')).toMatchObject({ text: 'done' });
    expect(seen.at(-1)?.session).toBe('s2');
  });

  it.each<[string, Script, object]>([
    [
      'of an unknown revision',
      (message, response) => answerResult(message, response, { protocolVersion: '1999-01-01' }),
      { code: 'unreadable', detail: 'the server speaks a revision of MCP that is not known here' },
    ],
    [
      'with an id that is none',
      (message, response) => {
        response.setHeader('mcp-session-id', 'a b');
        answerResult(message, response, { protocolVersion: '2025-11-25' });
      },
      { code: 'unreadable', detail: 'the id of the session is none' },
    ],
  ])('%s is refused', async (_name, initialize, fault) => {
    const { answer } = answerOld(() => {}, { initialize });
    expect(await catchFault((await mcpOf(answer)).listTools())).toMatchObject(fault);
  });

  it.each([400, 404, 500])('whose server answers the notification with %d is used', async (status) => {
    const { answer } = answerOld((message, response) => answerResult(message, response, done), {
      'notifications/initialized': (_message, response) => void response.writeHead(status).end('what?'),
    });
    expect(await (await mcpOf(answer)).callTool('x')).toMatchObject({ text: 'done' });
  });

  it('whose server moves to the revision without sessions is left', async () => {
    const modern = answerAsMcp({ legacy: 'reject' });
    let isModern = false;
    const old = answerOld((message, response) => answerResult(message, response, done));
    const mcp = await mcpOf((request, response) => {
      if (isModern) modern.answer(request, response);
      else old.answer(request, response);
    });
    expect(await mcp.callTool('count')).toMatchObject({ text: 'done' });
    isModern = true;
    expect(await mcp.callTool('count')).toMatchObject({ text: '3' });
  });
});

describe('a real server with sessions', () => {
  it('is called, reports progress, and is called again after it forgot the session', async () => {
    let transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
    const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
      const server = new McpServer({ name: 'old', version: '1' });
      server.registerTool('count', {}, async (context) => {
        const { _meta: meta } = context.mcpReq;
        const progressToken = meta?.progressToken ?? '';
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2 },
        });
        return { content: [{ type: 'text', text: 'done' }] };
      });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      await server.connect(transport);
      return transport;
    };
    const mcp = await mcpOf((request, response) => {
      void (async () => {
        const known = transports.get(String(request.headers['mcp-session-id']));
        await passOn(known ?? (await open()), request, response);
      })();
    });
    const told: McpProgress[] = [];
    const onProgress = (progress: McpProgress): void => void told.push(progress);
    expect(await mcp.callTool('count', {}, { onProgress })).toMatchObject({ text: 'done' });
    expect((await mcp.listTools()).items).toMatchObject([{ name: 'count' }]);
    expect(transports.size).toBe(1);
    transports = new Map();
    expect(await mcp.callTool('count', {}, { onProgress })).toMatchObject({ text: 'done' });
    expect(transports.size).toBe(1);
    expect(told).toEqual([
      { done: 1, total: 2 },
      { done: 1, total: 2 },
    ]);
  });
});

describe('the time of a call', () => {
  it('begins again with each progress of its own, which the caller is told', async () => {
    const { answer } = answerOld((message, response) => {
      answerStream(response, ': working\n\n');
      const texts = [
        progressOf(message, { progress: 1, total: 3, message: 'looking' }),
        progressOf(message, { progress: 2 }),
        progressOf(message, { progress: 'x', total: null }),
        event({ jsonrpc: '2.0', id: message.id, result: done }),
      ];
      texts.forEach((text, index) => setTimeout(() => response.write(text), (index + 1) * 400));
    });
    const mcp = await mcpOf(answer);
    const told: McpProgress[] = [];
    const options = { timeoutMs: 1000, onProgress: (progress: McpProgress) => told.push(progress) };
    expect(await mcp.callTool('x', {}, options)).toMatchObject({ text: 'done' });
    expect(told).toEqual([{ done: 1, total: 3, message: 'looking' }, { done: 2 }, { done: 0 }]);
  });

  it('does not begin again with comments and the progress of others; the server is told of the end', async () => {
    const { answer, seen } = answerOld((message, response) => {
      if (message.rpc !== 'tools/call') {
        response.writeHead(202).end();
        return;
      }
      answerStream(response, ': working\n\n');
      const others = progressOf({ ...message, params: { _meta: { progressToken: 4711 } } }, { progress: 1 });
      const timer = setInterval(() => response.write(`: wait\n\n${others}`), 30);
      response.on('close', () => clearInterval(timer));
    });
    const mcp = await mcpOf(answer);
    expect(await catchFault(mcp.callTool('x', {}, { timeoutMs: 200 }))).toMatchObject({
      code: 'timeout',
      detail: 'no answer in 200 ms',
      mayHaveTakenEffect: true,
      retryable: false,
    });
    await expect.poll(() => seen.at(-1)?.rpc).toBe('notifications/cancelled');
    const call = seen.find(({ rpc }) => rpc === 'tools/call');
    expect(seen.at(-1)).toMatchObject({ session: 's1', params: { requestId: call?.id } });
  });

  it.each([0, 1.5, 2 ** 31, Number.NaN])('cannot be %d', async (timeoutMs) => {
    const mcp = await mcpOf(() => {});
    expect(await catchFault(mcp.callTool('x', {}, { timeoutMs }))).toMatchObject({
      code: 'bad_request',
      unsent: true,
    });
  });
});

describe('an answer', () => {
  const reply = (id: unknown) => `{"jsonrpc":"2.0","id":${String(id)},"result":${JSON.stringify(done)}}`;

  it.each<[string, (id: unknown) => string]>([
    ['a BOM', (id) => `\uFEFFdata: ${reply(id)}\n\n`],
    ['CRLF', (id) => `event: message\r\ndata: ${reply(id)}\r\n\r\n`],
    ['CR alone', (id) => `data: ${reply(id)}\r\r`],
    [
      'comments and empty events',
      (id) => `: hi\n\ndata:\n\nid: 7\n\nretry: 10\ndata: no json\n\ndata: ${reply(id)}\n\n`,
    ],
    [
      'data in lines',
      (id) =>
        `data: {"jsonrpc":"2.0",\ndata: "id":${String(id)},\ndata:"result":${JSON.stringify(done)}}\n\n`,
    ],
    [
      'messages of the server and of other ids',
      (id) =>
        event({ jsonrpc: '2.0', id, method: 'ping' }) +
        event({ jsonrpc: '2.0', id: 4711, result: { content: [] } }) +
        event({ jsonrpc: '2.0', id: 4711, error: { code: 1 } }) +
        event([7, null, 'x']) +
        `data: ${reply(id)}\n\n`,
    ],
    ['a batch', (id) => `data: [{"jsonrpc":"2.0","method":"x"},${reply(id)}]\n\n`],
  ])('with %s is found in a stream that does not end', async (_name, text) => {
    const { answer } = answerOld((message, response) => answerStream(response, text(message.id)));
    expect(await (await mcpOf(answer)).callTool('x')).toMatchObject({ text: 'done' });
  });

  it('is found in such a stream through keepAliveFetch too', async () => {
    const { answer } = answerOld((message, response) =>
      answerStream(response, `data: ${reply(message.id)}\n\n`),
    );
    const mcp = await mcpOf(answer, { fetch: keepAliveFetch });
    expect(await mcp.callTool('x')).toMatchObject({ text: 'done' });
  });

  it('is found wherever the stream is cut', async () => {
    const { answer } = answerOld((message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const bytes = Buffer.from(`: é\r\ndata: ${reply(message.id).replace('done', 'größe')}\r\n\r\n`);
      const write = (at: number): void => {
        if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => write(at + 1));
      };
      write(0);
    });
    expect(await (await mcpOf(answer)).callTool('x')).toMatchObject({ text: 'größe' });
  });

  it.each<[string, Script, object]>([
    [
      'of another id',
      (_message, response) => answerJson(response, { id: 99, result: {} }),
      { code: 'unreadable' },
    ],
    ['without a body', (_message, response) => void response.writeHead(202).end(), { code: 'unreadable' }],
    [
      'that is a web page',
      (_message, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi'),
      { code: 'unreadable', detail: 'the answer is a web page: check the MCP address' },
    ],
    [
      'whose stream ends without it',
      (_message, response) => {
        answerStream(response, 'data: {"jsonrpc"');
        response.end();
      },
      { code: 'connection', detail: 'the stream ended without the answer' },
    ],
    [
      'with an error without a number',
      ({ id }, response) => answerJson(response, { id, error: { message: `no ${TEST_KEY}` } }),
      { code: 'unreadable', detail: 'no [hidden]' },
    ],
    [
      'with an error that is a text',
      ({ id }, response) => answerJson(response, { id, error: 'broken' }),
      { code: 'unreadable', detail: 'broken' },
    ],
    [
      'that asks back',
      ({ id }, response) => answerJson(response, { id, result: { resultType: 'input_required' } }),
      { code: 'unreadable', detail: 'the server asks back, which cannot be answered here' },
    ],
  ])('%s leaves open whether the tool ran', async (_name, script, fault) => {
    const { answer } = answerOld(script);
    const error = await catchFault((await mcpOf(answer)).callTool('x'));
    expect(error).toMatchObject({ ...fault, mayHaveTakenEffect: true, retryable: false });
  });

  it('to a request that the server could not read has no id', async () => {
    const { answer } = answerOld((_message, response) =>
      answerJson(response, { jsonrpc: '2.0', id: null, error: { code: -32_602, message: 'bad' } }),
    );
    expect(await catchFault((await mcpOf(answer)).callTool('x'))).toMatchObject({
      code: 'bad_request',
      detail: 'bad',
      mayHaveTakenEffect: false,
    });
  });

  it('of any bytes is a fault of the service, whatever it is announced as', async () => {
    let bytes: Uint8Array = new Uint8Array();
    let type = '';
    const mcp = await mcpOf((_request, response) => {
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(bytes);
    });
    const types = fc.constantFrom('', 'application/json', 'text/event-stream', 'text/html');
    const pieces = ['data:', '\n', '\r', '{', '}', '"id":1', '"result":', '[', ']', 'null', ',', '\0', 'é'];
    const texts = fc.string({ unit: fc.constantFrom(...pieces) });
    const bodies = fc.oneof(
      fc.uint8Array(),
      texts.map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(types, bodies, async (announced, body) => {
        [type, bytes] = [announced, body];
        const error = await catchFault(mcp.callTool('x'));
        expect(['unreadable', 'connection']).toContain(error.code);
      }),
      { numRuns: 150 },
    );
  });
});

describe('an event stream', () => {
  it('over the cap is unreadable, and is not taken in', async () => {
    const piece = Buffer.from(`: ${'a'.repeat(1024 * 1024)}\n`);
    let sent = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(piece);
        },
      });
    const connection = makeConnection('http://127.0.0.1:9', {
      fetch: async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
    });
    const { mcp } = createClient({ ...connection, mcpUrl: 'http://127.0.0.1:9' });
    const error = await catchFault(mcp.listTools());
    expect(error).toMatchObject({ code: 'unreadable', detail: 'the answer is too large', retryable: false });
    expect(sent).toBeLessThan(80);
  });
});

describe('a list of tools', () => {
  it('is not hidden by tools that are broken', async () => {
    const { answer } = answerOld((message, response) =>
      answerResult(message, response, {
        tools: [
          { name: 'a', description: 7, inputSchema: 'none' },
          null,
          { inputSchema: {} },
          { name: 'b', inputSchema: { type: 'object' }, outputSchema: 'broken', annotations: 7 },
        ],
      }),
    );
    expect(await (await mcpOf(answer)).listTools()).toEqual({
      items: [
        { name: 'a', description: '7', inputSchema: {} },
        { name: 'b', inputSchema: { type: 'object' } },
      ],
      warnings: ['tools without a name were left out: 2'],
    });
  });
});
