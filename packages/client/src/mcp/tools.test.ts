import { inspect } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { createClient } from '../create-client.ts';
import type { Connection } from '../http.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { createFakeTime } from '../testing/fake-time.ts';
import { makeConnection, TEST_KEY } from '../testing/make-connection.ts';
import { answerAsMcp, answerOld, answerResult, type Script } from '../testing/mcp-servers.ts';
import { type AnswerRequest, createTestServers } from '../testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

async function mcpOf(answer: AnswerRequest, changes: Partial<Connection> = {}) {
  const mcpUrl = await servers.start(answer);
  return createClient({ ...makeConnection('http://127.0.0.1:9', changes), mcpUrl: mcpUrl }).mcp;
}

/** Ends the connection where a longer answer was announced. */
function sendJsonText(text: string, headers: Record<string, string> = {}): AnswerRequest {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.write(text, () => ('content-length' in headers ? response.destroy() : response.end()));
  };
}

describe('mcp.listTools', () => {
  it('lists the tools of a real server, with the key at /mcp alone', async () => {
    const { answer, seen } = answerAsMcp();
    const { items: tools } = await (await mcpOf(answer)).listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['search', 'Finds meetings'],
      ['count', undefined],
      ['fail', undefined],
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['q'] });
    expect(new Set(seen)).toEqual(new Set([`POST /mcp Bearer ${TEST_KEY}`]));
  });

  it('follows the cursor to the end', async () => {
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
    const { answer, seen } = answerOld((message, response) =>
      answerResult(
        message,
        response,
        message.params['cursor'] === 'x' ? { tools: [tool('b')] } : { tools: [tool('a')], nextCursor: 'x' },
      ),
    );
    const { items } = await (await mcpOf(answer)).listTools();
    expect(items.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(seen).toHaveLength(5);
  });

  it('ends at cursors that go round, and refuses a list that never ends', async () => {
    let page = 0;
    const circle = answerOld((message, response) =>
      answerResult(message, response, { tools: [], nextCursor: `c${(page += 1) % 3}` }),
    );
    expect(await (await mcpOf(circle.answer)).listTools()).toEqual({ items: [], warnings: [] });
    expect(circle.seen.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(4);
    const endless = answerOld((message, response) =>
      answerResult(message, response, { tools: [], nextCursor: `c${(page += 1)}` }),
    );
    expect(await catchFault((await mcpOf(endless.answer)).listTools())).toMatchObject({
      code: 'unreadable',
      detail: 'the list of tools did not end within 100 pages',
    });
  });

  it('is repeated after a fault', async () => {
    const real = answerAsMcp();
    let asked = 0;
    const time = createFakeTime();
    const mcp = await mcpOf(
      (request, response) => {
        asked += 1;
        if (asked === 1) response.destroy();
        else if (asked === 2) response.writeHead(503, { 'retry-after': '2' }).end();
        else real.answer(request, response);
      },
      { ...time, retries: 3 },
    );
    expect((await mcp.listTools()).items).toHaveLength(3);
    expect(time.waits.at(-1)).toBeGreaterThan(0);
  });
});

describe('mcp.callTool', () => {
  it('hands over the text, the structure and the whole answer', async () => {
    const mcp = await mcpOf(answerAsMcp().answer);
    const found = await mcp.callTool('search', { q: 'sync' });
    expect(found).toMatchObject({ isError: false, text: 'found sync\n\nand more' });
    expect(found.raw).toMatchObject({ content: [{}, { type: 'image' }, {}] });
    expect(await mcp.callTool('count')).toMatchObject({
      isError: false,
      text: '3',
      structured: { count: 3 },
    });
  });

  it('takes a tool’s own error for an answer', async () => {
    const mcp = await mcpOf(answerAsMcp().answer);
    expect(await mcp.callTool('fail')).toMatchObject({ isError: true, text: 'there is no such meeting' });
    expect(await mcp.callTool('search', { q: 7 })).toMatchObject({ isError: true });
  });

  it.each(['delete_everything', 'поиск'])(
    'says in the server’s words that there is no tool %s',
    async (name) => {
      const mcp = await mcpOf(answerAsMcp().answer);
      const error = await catchFault(mcp.callTool(name));
      expect(['bad_request', 'not_found']).toContain(error.code);
      expect(error.message).toMatch(new RegExp(`^mcp.callTool: MCP tools/call .*${name}`));
    },
  );

  it.each(['', 'a\nb', 7, undefined])('refuses the name %j', async (name) => {
    const mcp = createClient({ ...makeConnection('http://127.0.0.1:9'), mcpUrl: 'http://127.0.0.1:9' }).mcp;
    // @ts-expect-error -- what JavaScript callers may hand over
    expect(await catchFault(mcp.callTool(name))).toMatchObject({ code: 'bad_request', unsent: true });
    // @ts-expect-error -- see above
    expect(await catchFault(mcp.callTool('search', [name]))).toMatchObject({ code: 'bad_request' });
  });

  it.each<[string, Script, string]>([
    ['a closed socket', (_message, response) => void response.destroy(), 'connection'],
    [
      'a stream that breaks off',
      (_message, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': wait\n\n', () => response.destroy());
      },
      'connection',
    ],
    ['503', (_message, response) => void response.writeHead(503).end(), 'server'],
  ])('is not repeated after %s: the tool may have run', async (_name, script, code) => {
    const { answer, countCalls } = answerOld(script);
    const mcp = await mcpOf(answer, { retries: 3 });
    const error = await catchFault(mcp.callTool('delete', { id: 'm' }));
    expect(error).toMatchObject({ code, retryable: false, mayHaveTakenEffect: true });
    expect(countCalls()).toBe(1);
  });

  it('that is aborted half way says that the tool may have run', async () => {
    const controller = new AbortController();
    const { answer } = answerOld(() => controller.abort());
    const { signal } = controller;
    const mcp = await mcpOf(answer);
    const error = await catchFault(mcp.callTool('delete', {}, { signal }));
    expect(error).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true, retryable: false });
    const before = await catchFault(mcp.callTool('delete', {}, { signal }));
    expect(before).toMatchObject({ code: 'aborted', mayHaveTakenEffect: false, unsent: true });
  });

  it('is repeated after 429, and after a fault before the call', async () => {
    let fails = 2;
    const { answer, countCalls } = answerOld((message, response) => {
      if (countCalls() === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else answerResult(message, response, { content: [{ type: 'text', text: 'done' }] });
    });
    const time = createFakeTime();
    const failing: AnswerRequest = (request, response) => {
      fails -= 1;
      if (fails >= 0) response.writeHead(502).end();
      else answer(request, response);
    };
    const mcp = await mcpOf(failing, { ...time, retries: 3 });
    expect(await mcp.callTool('delete')).toMatchObject({ text: 'done' });
    expect(time.waits.at(-1)).toBe(1500);
  });
});

describe('mcp faults', () => {
  it.each([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'rate_limited'],
    [503, 'server'],
  ])('%d is %s, and the key goes nowhere else', async (status, code) => {
    const visits: string[] = [];
    const elsewhere = await servers.start((request, response) => {
      visits.push(String(request.url));
      response.end('{}');
    });
    const challenge = `Bearer error="invalid_token", scope="all", resource_metadata="${elsewhere}/meta"`;
    const mcp = await mcpOf((_request, response) => {
      response.writeHead(status, { 'retry-after': '7', 'www-authenticate': challenge });
      response.end(`{"message":"no ${TEST_KEY}"}`);
    });
    const facts = { code, status, retryAfterMs: 7000, detail: 'no [hidden]' };
    const error = await catchFault(mcp.listTools());
    expect(error).toMatchObject(facts);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(TEST_KEY);
    expect(await catchFault(mcp.callTool('x'))).toMatchObject(facts);
    expect(visits).toEqual([]);
  });

  it.each<[string, AnswerRequest, string]>([
    ['silence', () => {}, 'timeout'],
    ['broken JSON', sendJsonText('{"jsonrpc"'), 'unreadable'],
    ['other JSON', sendJsonText('{"message":"x"}'), 'unreadable'],
    ['a cut body', sendJsonText('{', { 'content-length': '100' }), 'connection'],
  ])('%s has its code', async (_name, answer, code) => {
    const mcp = await mcpOf(answer, { timeoutMs: 1000 });
    expect(await catchFault(mcp.listTools())).toMatchObject({ code });
  });

  it('a refused connection is known to be unsent', async () => {
    const mcpUrl = await servers.start(() => {});
    await servers.stopAll();
    const mcp = createClient({ ...makeConnection('http://127.0.0.1:9'), mcpUrl: mcpUrl }).mcp;
    expect(await catchFault(mcp.callTool('x'))).toMatchObject({
      code: 'connection',
      detail: 'ECONNREFUSED',
      unsent: true,
    });
  });

  it('an abort ends a stream that has begun', async () => {
    const controller = new AbortController();
    const mcp = await mcpOf(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': wait\n\n', () => setTimeout(() => controller.abort(), 20));
      },
      { timeoutMs: 20_000 },
    );
    expect(await catchFault(mcp.listTools({ signal: controller.signal }))).toMatchObject({ code: 'aborted' });
  });

  it.each([301, 302, 307, 308])('a %d is not followed', async (status) => {
    const visits: string[] = [];
    const elsewhere = await servers.start((request, response) => {
      visits.push(String(request.url));
      response.end();
    });
    for (const location of [`${elsewhere}/mcp`, '/other']) {
      const paths: string[] = [];
      const mcp = await mcpOf((request, response) => {
        paths.push(String(request.url));
        response.writeHead(status, { location }).end();
      });
      expect(await catchFault(mcp.listTools())).toMatchObject({ code: 'redirected', status });
      expect(new Set(paths)).toEqual(new Set(['/mcp']));
    }
    expect(visits).toEqual([]);
  });

  it('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => (listeners += 1);
    signal.removeEventListener = () => (listeners -= 1);
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { answer, names } = answerOld((message, response) =>
      answerResult(message, response, { tools: [] }),
    );
    const mcp = await mcpOf(answer, { timeoutMs: 3_600_000 });
    const before = countTimers();
    await mcp.listTools({ signal });
    expect(names()).toContain('tools/list');
    expect(listeners).toBe(0);
    expect(countTimers()).toBeLessThanOrEqual(before);
  });
});
