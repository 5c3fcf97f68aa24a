import { ServiceError } from '@aftermeet/client';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { readArgumentFields, readArgumentsJson } from '../../../nodes/nodes/Aftermeet/actions/mcp.ts';
import {
  createEventReader,
  exchangeWithN8n,
  type McpWire,
} from '../../../nodes/nodes/Aftermeet/mcp/exchange.ts';
import {
  callMcpTool,
  callTool,
  listMcpTools,
  listTools,
  withSession,
} from '../../../nodes/nodes/Aftermeet/mcp/session.ts';
import {
  answerJson,
  answerResult,
  answerStream,
  type HostileMcp,
  type McpScript,
  openHostileMcp,
  openWell,
} from './support/hostile-mcp.ts';
import { createNodeContext } from './support/n8n-context.ts';

const apiKey = 'key_8f3b1c5e';
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(script: McpScript, opening?: McpScript): Promise<HostileMcp> {
  const server = await openHostileMcp(script, opening);
  closers.push(server.close);
  return server;
}

interface WireOptions {
  readonly timeoutMs?: number;
  readonly bytes?: number;
  readonly signal?: AbortSignal;
}

function connect(
  mcpUrl: string,
  { timeoutMs = 10_000, bytes = 1024 * 1024, signal }: WireOptions = {},
): McpWire {
  const { execute } = createNodeContext({ baseUrl: 'http://127.0.0.1:9', mcpUrl, apiKey, signal });
  const exchange = exchangeWithN8n(execute, { mcpUrl, doing: 'test', timeoutMs });
  return { exchange, doing: 'test', secrets: [apiKey], budget: { left: bytes } };
}

async function list(mcpUrl: string, options?: WireOptions) {
  return await withSession(connect(mcpUrl, options), (session) => listTools(session, 'test'));
}

async function catchFault(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a ServiceError, not ${String(error)}`);
}

const ok = { content: [{ type: 'text', text: 'done' }] };

async function openSandbox(): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = createSandbox({ apiKey, seed: 7, clock: () => Date.parse('2026-07-07T12:00:00Z') });
  closers.push(async () => sandbox.close());
  return { sandbox, ...(await sandbox.listen()) };
}

describe("the sandbox's MCP endpoint", () => {
  it('lists its tools and runs one, with the key as bearer token and nowhere else', async () => {
    const { sandbox, url } = await openSandbox();
    const { meetingIds } = sandbox.seed({ meetings: 2, languages: ['en'], days: 1 });
    const sent: string[] = [];
    const { execute: context } = createNodeContext({
      baseUrl: url,
      mcpUrl: url,
      apiKey,
      onSigned: ({ method, headers = {}, url: address }) => {
        sent.push(
          `${String(method)} ${new URL(address).pathname} ${JSON.stringify(headers['authorization'])}`,
        );
        expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('x-api-key');
      },
    });
    const tools = await listMcpTools(context);
    expect(tools.map(({ name }) => name)).toEqual(['search_meetings', 'get_transcript', 'get_report']);
    expect(tools[1]?.inputSchema).toMatchObject({ type: 'object', required: ['meeting_id'] });
    const found = await callMcpTool(context, { name: 'search_meetings', input: { limit: 1 } });
    expect(found).toMatchObject({ isError: false, structured: { total: 2 } });
    expect(found.text).toMatch(/^Meetings found: 2\n/);
    const read = await callMcpTool(context, { name: 'get_report', input: { meeting_id: meetingIds[0] } });
    expect(read.isError).toBe(false);
    expect(await callMcpTool(context, { name: 'get_report', input: { meeting_id: 'none' } })).toMatchObject({
      isError: true,
      text: 'No meeting has this meeting_id.',
    });
    expect(new Set(sent)).toEqual(new Set([`POST /mcp "Bearer ${apiKey}"`]));
  });

  it('names a wrong key, an unknown tool, and a credential without an MCP Address', async () => {
    const { url } = await openSandbox();
    const { execute: wrong } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey: 'another_key' });
    expect(await catchFault(listMcpTools(wrong))).toMatchObject({ code: 'unauthorized', status: 401 });
    const { execute: right } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey });
    expect(await catchFault(callMcpTool(right, { name: 'no_such_tool', input: {} }))).toMatchObject({
      code: 'bad_request',
      detail: 'Tool no_such_tool not found',
    });
    const { execute: without } = createNodeContext({ baseUrl: url, mcpUrl: '', apiKey });
    expect(await catchFault(listMcpTools(without))).toMatchObject({
      code: 'bad_request',
      unsent: true,
      detail: 'the credential has no MCP Address: give it there',
    });
    expect(await catchFault(callMcpTool(right, { name: ' ', input: {} }))).toMatchObject({ unsent: true });
  });
});

describe('a session', () => {
  it('is opened, confirmed, used and ended with the headers that belong to it', async () => {
    const { url, seen } = await open((message, response) => {
      if (message.method === 'DELETE') response.writeHead(200).end();
      else answerResult(message, response, ok);
    });
    expect(await callTool(connect(url), 'say', { a: 1 })).toMatchObject({ text: 'done', isError: false });
    expect(
      seen.map(({ method, rpc, headers }) => [
        method,
        rpc,
        headers['mcp-session-id'],
        headers['mcp-protocol-version'],
        headers.authorization,
      ]),
    ).toEqual([
      ['POST', 'initialize', undefined, undefined, `Bearer ${apiKey}`],
      ['POST', 'notifications/initialized', 'session-1', '2025-06-18', `Bearer ${apiKey}`],
      ['POST', 'tools/call', 'session-1', '2025-06-18', `Bearer ${apiKey}`],
      ['DELETE', undefined, 'session-1', '2025-06-18', `Bearer ${apiKey}`],
    ]);
    expect(seen[0]?.params).toMatchObject({ protocolVersion: '2025-11-25', capabilities: {} });
    expect(seen[2]?.params).toEqual({ name: 'say', arguments: { a: 1 } });
    expect(seen[2]?.headers.accept).toBe('application/json, text/event-stream');
  });

  it('that the server lost is opened once more, and the call is sent in the new one', async () => {
    const lose = (times: number): McpScript => {
      let lost = 0;
      return (message, response) => {
        if (message.rpc !== 'tools/call') response.writeHead(405).end();
        else if (lost++ < times) response.writeHead(404).end();
        else answerResult(message, response, ok);
      };
    };
    const once = await open(lose(1));
    expect(await callTool(connect(once.url), 'say', {})).toMatchObject({ text: 'done' });
    expect(once.seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
    const always = await open(lose(9));
    expect(await catchFault(callTool(connect(always.url), 'say', {}))).toMatchObject({
      code: 'not_found',
      detail: 'the server lost the session',
    });
    expect(always.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
  });

  it('of a revision that is not known, or with an id that is none, is refused', async () => {
    const strange = await open(openWell, (message, response) => {
      answerResult(message, response, { protocolVersion: '1999-01-01' });
    });
    expect(await catchFault(list(strange.url))).toMatchObject({ code: 'unreadable' });
    const spaced = await open(openWell, (message, response) => {
      response.setHeader('Mcp-Session-Id', 'a b');
      answerResult(message, response, { protocolVersion: '2025-11-25' });
    });
    expect(await catchFault(list(spaced.url))).toMatchObject({ detail: 'the id of the session is none' });
  });

  it('is not needed where the server knows only the revision without one', async () => {
    const handler = createMcpHandler(
      () => {
        const server = new McpServer({ name: 'modern', version: '1' });
        server.registerTool('say', { description: 'Says ok' }, () => ({
          content: [{ type: 'text', text: 'ok' }],
        }));
        return server;
      },
      { legacy: 'reject' },
    );
    closers.push(handler.close);
    const wire: McpWire = {
      doing: 'test',
      secrets: [],
      budget: { left: 1024 * 1024 },
      exchange: async ({ headers, message }) => {
        const body = JSON.stringify(message);
        const answer = await handler.fetch(
          new Request('http://modern.example/mcp', { method: 'POST', headers: { ...headers }, body }),
        );
        const pieces = answer.body ?? new Blob([]).stream();
        return {
          status: answer.status,
          readHeader: (name) => answer.headers.get(name),
          pieces,
          giveUp: () => {},
        };
      },
    };
    expect(await withSession(wire, (session) => listTools(session, 'test'))).toMatchObject([{ name: 'say' }]);
    expect(await callTool(wire, 'say', {})).toMatchObject({ text: 'ok' });
    // A header that did not name the same tool as the message would be refused for that.
    expect(await catchFault(callTool(wire, 'größe', {}))).toMatchObject({ detail: 'Tool größe not found' });
  });
});

describe('a list of tools', () => {
  it('is read through all pages, and leaves out what is no tool', async () => {
    const { url } = await open((message, response) => {
      const { cursor } = message.params;
      if (message.method === 'DELETE') response.writeHead(405).end();
      else if (cursor === undefined)
        answerResult(message, response, { tools: [{ name: 'a' }, null, 7, {}], nextCursor: 'x' });
      else answerResult(message, response, { tools: [{ name: 'b', description: 'B', inputSchema: 'none' }] });
    });
    expect(await list(url)).toEqual([
      { name: 'a', description: undefined, inputSchema: {} },
      { name: 'b', description: 'B', inputSchema: {} },
    ]);
  });

  it('ends at a cursor that comes again, and is refused when it never ends', async () => {
    const same = await open((message, response) => {
      answerResult(message, response, { tools: [{ name: 'a' }], nextCursor: 'again' });
    });
    expect(await list(same.url)).toHaveLength(1);
    expect(same.seen.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(2);
    let page = 0;
    const endless = await open((message, response) => {
      page += 1;
      answerResult(message, response, { tools: [{ name: `t${page}` }], nextCursor: `c${page}` });
    });
    expect(await catchFault(list(endless.url))).toMatchObject({
      code: 'unreadable',
      detail: 'the list of tools did not end within 100 pages',
    });
    expect(endless.seen.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(100);
  });
});

describe('an answer', () => {
  const asked =
    (script: McpScript): McpScript =>
    (message, response) => {
      if (message.method === 'DELETE') response.writeHead(405).end();
      else script(message, response);
    };

  it('as an event stream is found among other messages, and the stream need not end', async () => {
    const { url } = await open(
      asked(({ id }, response) => {
        const messages = [
          { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
          { jsonrpc: '2.0', id, method: 'ping' },
          { jsonrpc: '2.0', id: 4711, result: { content: [{ type: 'text', text: 'of another' }] } },
        ];
        const text = messages.map((message) => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`);
        const reply = `data: {"jsonrpc":"2.0",\ndata: "id":${String(id)},"result":{"content":[{"type":"text","text":"mine"}]}}\n\n`;
        answerStream(response, `: hello\n\nid: 1\ndata:\n\ndata: no json\n\n${text.join('')}${reply}`);
      }),
    );
    expect(await callTool(connect(url), 'say', {})).toMatchObject({ text: 'mine' });
  });

  it.each<[string, McpScript, object]>([
    [
      'of another id',
      (_message, response) => answerJson(response, { jsonrpc: '2.0', id: 99, result: {} }),
      { code: 'unreadable' },
    ],
    [
      'that is a web page',
      (_message, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>hello'),
      { code: 'unreadable', detail: 'the answer is a web page: check the MCP Address in the credential' },
    ],
    ['without a body', (_message, response) => void response.writeHead(202).end(), { code: 'unreadable' }],
    [
      'with an error of JSON-RPC',
      ({ id }, response) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_602, message: `bad ${apiKey}` } }),
      { code: 'bad_request', retryable: false },
    ],
    [
      'with an error within the server',
      ({ id }, response) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_603, message: 'oh' } }),
      { code: 'server', detail: 'oh' },
    ],
    [
      'that asks back',
      ({ id }, response) =>
        answerJson(response, { jsonrpc: '2.0', id, result: { resultType: 'input_required' } }),
      { code: 'unreadable' },
    ],
    [
      'that is cut off',
      ({ id }, response) => {
        answerStream(response, `data: {"jsonrpc":"2.0","id":${String(id)}`);
        response.socket?.destroySoon();
      },
      { code: 'connection' },
    ],
    [
      'whose stream ends without it',
      (_message, response) => {
        answerStream(response, ': nothing\n\n');
        response.end();
      },
      { code: 'connection', detail: 'the answer broke off' },
    ],
    [
      '401',
      (_message, response) =>
        answerJson(response, { error: 'invalid_token', error_description: 'Wrong key' }, 401),
      { code: 'unauthorized', status: 401, detail: 'Wrong key' },
    ],
    [
      '301',
      (_message, response) => void response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end(),
      { code: 'redirected', status: 301 },
    ],
    [
      '429',
      (_message, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
      { code: 'rate_limited', retryAfterMs: 7000, retryable: true },
    ],
    [
      '503',
      (_message, response) => void response.writeHead(503).end('<html>'),
      { code: 'server', status: 503, detail: undefined },
    ],
  ])('%s is named for what it is', async (_name, script, fault) => {
    const { url } = await open(asked(script));
    const error = await catchFault(list(url));
    expect(error).toMatchObject(fault);
    expect(error.message).not.toContain(apiKey);
  });

  it('that is too large, or never ends, is given up', async () => {
    const large = await open(
      asked((_message, response) => answerStream(response, `data: ${'x'.repeat(300_000)}`)),
    );
    expect(await catchFault(list(large.url, { bytes: 100_000 }))).toMatchObject({
      code: 'unreadable',
      detail: 'the answer is too large',
    });
    const silent = await open(asked((_message, response) => answerStream(response, ': wait\n\n')));
    expect(await catchFault(list(silent.url, { timeoutMs: 100 }))).toMatchObject({
      code: 'timeout',
      detail: 'no whole answer in 100 ms',
    });
    const mute = await open(asked(() => {}));
    expect(await catchFault(list(mute.url, { timeoutMs: 100 }))).toMatchObject({ code: 'timeout' });
  });

  it('is not waited for when the execution is cancelled', async () => {
    const stop = new AbortController();
    const { url } = await open(
      asked((_message, response) => {
        answerStream(response, ': wait\n\n');
        stop.abort();
      }),
    );
    expect(await catchFault(callTool(connect(url, { signal: stop.signal }), 'say', {}))).toMatchObject({
      code: 'aborted',
      mayHaveTakenEffect: true,
      retryable: false,
    });
  });
});

describe('a call of a tool', () => {
  it.each<[string, McpScript]>([
    [
      'broke off',
      (_message, response) => {
        answerStream(response, ':\n');
        response.end();
      },
    ],
    ['was answered 500', (_message, response) => void response.writeHead(500).end()],
    ['was answered by a web page', (_message, response) => void response.end('<html>')],
    [
      'failed within the server',
      ({ id }, response) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_603, message: 'oh' } }),
    ],
  ])('that %s is not repeated, and its fate is said to be unknown', async (_name, script) => {
    const { url, seen } = await open(script);
    const { execute: context } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey });
    const error = await catchFault(callMcpTool(context, { name: 'say', input: {} }));
    expect(error).toMatchObject({ code: 'ambiguous', retryable: false });
    expect(error.mayHaveTakenEffect).toBe(true);
    expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
  });

  it('that was refused is what it was refused for', async () => {
    const { url } = await open((_message, response) =>
      answerJson(response, { error: { code: -32_000, message: 'no' } }, 400),
    );
    expect(await catchFault(callTool(connect(url), 'say', {}))).toMatchObject({
      code: 'bad_request',
      status: 400,
      detail: 'no',
    });
  });

  it('before which nothing could be sent is sure not to have run', async () => {
    const gone = await openHostileMcp(() => {});
    await gone.close();
    expect(await catchFault(callTool(connect(gone.url), 'say', {}))).toMatchObject({
      code: 'connection',
      unsent: true,
      retryable: true,
    });
  });

  it('keeps text, structure and every part', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==' },
      7,
      { type: 'text', text: 'b' },
    ];
    const { url } = await open((message, response) =>
      answerResult(message, response, { content, isError: true, structuredContent: { n: 1 } }),
    );
    expect(await callTool(connect(url), 'say', {})).toEqual({
      isError: true,
      text: 'a\n\nb',
      structured: { n: 1 },
      content,
    });
  });
});

describe('createEventReader', () => {
  it('gives the same events however the text is cut', () => {
    const text = fc.string({
      unit: fc.constantFrom('data:', ' ', 'x', 'é', ':', '\r', '\n', '\r\n', 'event: y'),
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(6)), (whole, cuts) => {
        const read = createEventReader();
        const events: string[] = [];
        let rest = whole;
        for (const cut of cuts) {
          events.push(...read(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        events.push(...read(rest));
        expect(events).toEqual(createEventReader()(whole));
      }),
    );
  });

  it('reads what the standard says', () => {
    const read = createEventReader();
    expect(
      read(
        'data: a\ndata:b\ndata:  c\n\n: note\nevent: x\n\ndata\n\nid: 3\rdata: d\r\rdatax: e\n\ndata: never',
      ),
    ).toEqual(['a\nb\n c', '', 'd']);
  });
});

describe('the arguments of a tool', () => {
  it('are the object that the JSON says, or that an expression gave', () => {
    expect(readArgumentsJson('{"a":[1]}')).toEqual({ a: [1] });
    expect(readArgumentsJson({ a: 1 })).toEqual({ a: 1 });
    expect(readArgumentsJson(' ')).toEqual({});
  });

  it.each(['[1]', '"a"', '{', 'null', 7, null])('are refused when they are %j', (value) => {
    expect(() => readArgumentsJson(value)).toThrow('the arguments must be a JSON object');
  });

  it('given one by one have the type that was chosen', () => {
    const argument = [
      { name: 'text', type: 'text', value: '5' },
      { name: 'count', type: 'number', value: ' 2.5 ' },
      { name: 'flag', type: 'boolean', value: 'false' },
      { name: 'list', type: 'json', value: '["a"]' },
      { name: 'nothing', type: 'json', value: 'null' },
    ];
    expect(readArgumentFields({ argument })).toEqual({
      text: '5',
      count: 2.5,
      flag: false,
      list: ['a'],
      nothing: null,
    });
    expect(readArgumentFields({})).toEqual({});
  });

  it.each([
    ['number', 'five', 'the argument x is no number'],
    ['number', '', 'the argument x is no number'],
    ['boolean', 'yes', 'the argument x is neither true nor false'],
    ['json', '{', 'the argument x is no JSON'],
  ])('given as %s are refused when they are %j', (type, value, message) => {
    expect(() => readArgumentFields({ argument: [{ name: 'x', type, value }] })).toThrow(message);
  });

  it('need a name each, and only one of the same', () => {
    const x = { name: 'x', type: 'text', value: 'a' };
    expect(() => readArgumentFields({ argument: [{ ...x, name: '' }] })).toThrow('an argument has no name');
    expect(() => readArgumentFields({ argument: [x, x] })).toThrow('the argument x is given twice');
  });
});
