import { asFields } from '@aftermeet/client/pure';
import { describe, expect, it } from 'vitest';

import { readArgumentFields, readArgumentsJson } from '../../../nodes/nodes/Aftermeet/actions/mcp.ts';
import { limitRequests } from '../../../nodes/nodes/Aftermeet/transport/connect.ts';
import { connectMcp } from '../../../nodes/nodes/Aftermeet/transport/mcp.ts';
import { catchFault } from './support/catch-fault.ts';
import { findOperation } from './support/find-operation.ts';
import { answerResult, answerStream, type McpScript, openHostileMcp } from './support/hostile-mcp.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { openSandbox } from './support/serve.ts';

// What the wire makes of odd answers is tested with the client, whose wire it is.

const apiKey = 'key_8f3b1c5e';
type Context = Parameters<typeof connectMcp>[0];

async function listMcpTools(context: Context) {
  return (await (await connectMcp(context)).listTools()).items;
}

async function callMcpTool(context: Context, name: string, input: Readonly<Record<string, unknown>> = {}) {
  return await (await connectMcp(context)).callTool(name, input);
}

/** What comes of one call of a tool that a server answers with this script; `requests` is how often the tool was called. */
async function call(script: McpScript, { signal, timeoutMs = 1000, totalMs }: CallOptions = {}) {
  const { url, seen } = await openHostileMcp(script);
  const { execute: context } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey, signal });
  limitRequests(context, { timeoutMs, totalMs });
  const outcome = await callMcpTool(context, 'say').catch((error: unknown) => error);
  return { outcome, calls: seen.filter(({ rpc }) => rpc === 'tools/call').length };
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly totalMs?: number;
}

const ok = { content: [{ type: 'text', text: 'done' }] };

describe("the sandbox's MCP endpoint", () => {
  it('lists its tools and runs one, with the key as bearer token and nowhere else', async () => {
    const { sandbox, url } = await openSandbox({ apiKey });
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
    const found = await callMcpTool(context, 'search_meetings', { limit: 1 });
    expect(found).toMatchObject({ isError: false, structured: { total: 2 } });
    expect(found.text).toMatch(/^Meetings found: 2\n/);
    const read = await callMcpTool(context, 'get_report', { meeting_id: meetingIds[0] });
    expect(read.isError).toBe(false);
    expect(await callMcpTool(context, 'get_report', { meeting_id: 'none' })).toMatchObject({
      isError: true,
      text: 'No meeting has this meeting_id.',
    });
    expect(new Set(sent)).toEqual(new Set([`POST /mcp "Bearer ${apiKey}"`]));
  });

  it('is not asked without an MCP Address in the credential, nor for a tool without a name', async () => {
    const { url } = await openSandbox({ apiKey });
    const { execute: without } = createNodeContext({ baseUrl: url, mcpUrl: '', apiKey });
    expect(await catchFault(listMcpTools(without))).toMatchObject({
      code: 'bad_request',
      unsent: true,
      detail: 'the credential has no MCP Address: give it there',
    });
    const { execute: right } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey });
    expect(await catchFault(callMcpTool(right, ' '))).toMatchObject({ unsent: true });
  });
});

describe('the calls of one execution', () => {
  it('share a session, each request with the key', async () => {
    const { url, seen } = await openHostileMcp((message, response) => answerResult(message, response, ok));
    const { execute: context } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey });
    for (let item = 0; item < 3; item += 1) {
      expect(await callMcpTool(context, 'say')).toMatchObject({ text: 'done' });
    }
    expect(seen.map(({ rpc, headers }) => [rpc, headers['mcp-session-id'], headers.authorization])).toEqual([
      ['server/discover', undefined, `Bearer ${apiKey}`],
      ['initialize', undefined, `Bearer ${apiKey}`],
      ['notifications/initialized', 'session-1', `Bearer ${apiKey}`],
      ['tools/call', 'session-1', `Bearer ${apiKey}`],
      ['tools/call', 'session-1', `Bearer ${apiKey}`],
      ['tools/call', 'session-1', `Bearer ${apiKey}`],
    ]);
  });
});

describe('an answer', () => {
  it('is found in a stream that does not end', async () => {
    const { outcome } = await call(({ id }, response) =>
      answerStream(response, `: hi\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: ok })}\n\n`),
    );
    expect(outcome).toMatchObject({ text: 'done' });
  });

  it.each<[string, McpScript, object]>([
    [
      'never ends is given up',
      (_message, response) => answerStream(response, ': wait\n\n'),
      { code: 'timeout', detail: 'no answer in 1000 ms', mayHaveTakenEffect: true },
    ],
    [
      'leads elsewhere is not followed',
      (_message, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      { code: 'redirected', status: 307 },
    ],
  ])('that %s, and the tool is called once', async (_name, script, expected) => {
    const { outcome, calls } = await call(script);
    expect(outcome).toMatchObject({ name: 'ServiceError', ...expected });
    expect(calls).toBe(1);
  });

  it('that goes on reporting progress ends with the time of the whole request', async () => {
    const report: McpScript = ({ params, id }, response) => {
      answerStream(response, ': begun\n\n');
      const { progressToken } = { ...asFields(params['_meta']) };
      const told = { method: 'notifications/progress', params: { progressToken, progress: id } };
      const line = `data: ${JSON.stringify({ jsonrpc: '2.0', ...told })}\n\n`;
      const timer = setInterval(() => response.write(line), 100);
      response.once('close', () => clearInterval(timer));
    };
    const { outcome } = await call(report, { timeoutMs: 300, totalMs: 1200 });
    expect(outcome).toMatchObject({ code: 'timeout', mayHaveTakenEffect: true });
  });

  it('is not waited for when the execution is cancelled', async () => {
    const stop = new AbortController();
    const script: McpScript = (_message, response) => {
      answerStream(response, ': wait\n\n');
      stop.abort();
    };
    const { outcome } = await call(script, { signal: stop.signal });
    expect(outcome).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true, retryable: false });
  });
});

it('a call of a tool that was answered 500 is not repeated, and its fate is said to be unknown', async () => {
  const { url, seen } = await openHostileMcp((_message, response) => void response.writeHead(500).end());
  const parameters = { tool: 'say', argumentMode: 'json', argumentsJson: '{}' };
  const { execute: context } = createNodeContext({ baseUrl: url, mcpUrl: url, apiKey, parameters });
  const error = await catchFault(findOperation('mcp', 'callTool').execute(context, 0));
  expect(error).toMatchObject({ code: 'ambiguous', retryable: false, mayHaveTakenEffect: true });
  expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
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
