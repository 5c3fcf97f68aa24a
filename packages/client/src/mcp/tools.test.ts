import { inspect } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { createClient } from '../create-client.ts';
import type { Connection } from '../http.ts';
import { asFields } from '../loose.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { createFakeTime } from '../testing/fake-time.ts';
import { makeConnection, TEST_KEY } from '../testing/make-connection.ts';
import { answerAsMcp, answerByMethod, type Script } from '../testing/mcp-servers.ts';
import { type AnswerRequest, createTestServers } from '../testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

async function mcpOf(answer: AnswerRequest, changes: Partial<Connection> = {}) {
  const mcpUrl = await servers.start(answer);
  return createClient({ ...makeConnection('http://127.0.0.1:9', changes), mcpUrl: mcpUrl }).mcp;
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
    const { answer, seen } = answerByMethod({
      'tools/list': (params) =>
        asFields(params)?.['cursor'] === 'x'
          ? { result: { tools: [tool('b')] } }
          : { result: { tools: [tool('a')], nextCursor: 'x' } },
    });
    const { items } = await (await mcpOf(answer)).listTools();
    expect(items.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(seen).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/list',
    ]);
  });

  it('ends at cursors that go round, and refuses a list that never ends', async () => {
    let page = 0;
    const circle = answerByMethod({
      'tools/list': () => ({ result: { tools: [], nextCursor: `c${(page += 1) % 3}` } }),
    });
    expect(await (await mcpOf(circle.answer)).listTools()).toEqual({ items: [], warnings: [] });
    expect(circle.seen.filter((method) => method === 'tools/list')).toHaveLength(4);
    const endless = answerByMethod({
      'tools/list': () => ({ result: { tools: [], nextCursor: `c${(page += 1)}` } }),
    });
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

  it('says in the server’s words that there is no such tool', async () => {
    const mcp = await mcpOf(answerAsMcp().answer);
    const error = await catchFault(mcp.callTool('delete_everything'));
    expect(['bad_request', 'not_found']).toContain(error.code);
    expect(error.message).toMatch(/^mcp.callTool: MCP tools\/call .*delete_everything/);
  });

  it.each(['', 'a\nb', 7, undefined])('refuses the name %j', async (name) => {
    const mcp = createClient({ ...makeConnection('http://127.0.0.1:9'), mcpUrl: 'http://127.0.0.1:9' }).mcp;
    // @ts-expect-error -- what JavaScript callers may hand over
    expect(await catchFault(mcp.callTool(name))).toMatchObject({ code: 'bad_request', unsent: true });
    // @ts-expect-error -- see above
    expect(await catchFault(mcp.callTool('search', [name]))).toMatchObject({ code: 'bad_request' });
  });

  it('takes a name in any script', async () => {
    const mcp = await mcpOf(answerAsMcp().answer);
    expect((await catchFault(mcp.callTool('поиск'))).message).toContain('поиск');
  });

  it.each<[string, Script, string]>([
    [
      'a closed socket',
      (_params, response) => {
        response.destroy();
        return undefined;
      },
      'connection',
    ],
    [
      'a stream that breaks off',
      (_params, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': wait\n\n', () => response.destroy());
        return undefined;
      },
      'connection',
    ],
    [
      '503',
      (_params, response) => {
        response.writeHead(503).end();
        return undefined;
      },
      'server',
    ],
  ])('is not repeated after %s: the tool may have run', async (_name, script, code) => {
    const { answer, seen } = answerByMethod({ 'tools/call': script });
    const mcp = await mcpOf(answer, { retries: 3 });
    const error = await catchFault(mcp.callTool('delete', { id: 'm' }));
    expect(error).toMatchObject({ code, retryable: false, mayHaveTakenEffect: true });
    expect(seen.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('that is aborted half way says that the tool may have run', async () => {
    const controller = new AbortController();
    const { answer } = answerByMethod({
      'tools/call': () => {
        controller.abort();
        return undefined;
      },
    });
    const { signal } = controller;
    const mcp = await mcpOf(answer);
    const error = await catchFault(mcp.callTool('delete', {}, { signal }));
    expect(error).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true, retryable: false });
    const before = await catchFault(mcp.callTool('delete', {}, { signal }));
    expect(before).toMatchObject({ code: 'aborted', mayHaveTakenEffect: false, unsent: true });
  });

  it('is repeated after 429, and after a fault before the call', async () => {
    let fails = 2;
    const { answer, seen } = answerByMethod({
      'tools/call': (_params, response) => {
        if (seen.filter((method) => method === 'tools/call').length > 1) {
          return { result: { content: [{ type: 'text', text: 'done' }] } };
        }
        response.writeHead(429, { 'retry-after': '1' }).end();
        return undefined;
      },
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
    [500, 'server'],
    [503, 'server'],
  ])('%d is %s', async (status, code) => {
    const mcp = await mcpOf((_request, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end(`{"message":"no ${TEST_KEY}"}`);
    });
    const facts = { code, status, retryAfterMs: 7000, detail: 'no [hidden]' };
    expect(await catchFault(mcp.listTools())).toMatchObject(facts);
    expect(await catchFault(mcp.callTool('x'))).toMatchObject(facts);
  });

  it('401 of a real server is unauthorized', async () => {
    const { answer } = answerAsMcp();
    const mcp = await mcpOf(answer, { apiKey: 'another_key' });
    expect(await catchFault(mcp.listTools())).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it.each<[string, AnswerRequest, string]>([
    ['a closed socket', (_request, response) => response.destroy(), 'connection'],
    ['a reset', (_request, response) => response.socket?.resetAndDestroy(), 'connection'],
    ['silence', () => {}, 'timeout'],
    [
      'a page',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      },
      'unreadable',
    ],
    [
      'broken JSON',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"');
      },
      'unreadable',
    ],
    [
      'other JSON',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"x"}');
      },
      'unreadable',
    ],
    [
      'a cut body',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{', () => response.destroy());
      },
      'connection',
    ],
  ])('%s has its code', async (_name, answer, code) => {
    const mcp = await mcpOf(answer, { timeoutMs: 1000 });
    const error = await catchFault(mcp.listTools());
    expect(error).toMatchObject({ code });
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(TEST_KEY);
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

  it('an abort is aborted', async () => {
    const controller = new AbortController();
    const mcp = await mcpOf(() => controller.abort(), { timeoutMs: 20_000 });
    const { signal } = controller;
    expect(await catchFault(mcp.listTools({ signal }))).toMatchObject({ code: 'aborted' });
    expect(await catchFault(mcp.callTool('x', {}, { signal }))).toMatchObject({ code: 'aborted' });
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

  it('what the server says of authorization sends the key nowhere', async () => {
    const visits: string[] = [];
    const elsewhere = await servers.start((request, response) => {
      visits.push(String(request.url));
      response.end('{}');
    });
    for (const [status, error] of [
      [401, 'invalid_token'],
      [403, 'insufficient_scope'],
    ] as const) {
      const mcp = await mcpOf((_request, response) => {
        const challenge = `Bearer error="${error}", scope="all", resource_metadata="${elsewhere}/meta"`;
        response.writeHead(status, { 'www-authenticate': challenge }).end();
      });
      expect(await catchFault(mcp.listTools())).toMatchObject({
        code: status === 401 ? 'unauthorized' : 'forbidden',
      });
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
    const { answer, seen } = answerByMethod({ 'tools/list': () => ({ result: { tools: [] } }) });
    const mcp = await mcpOf(answer, { timeoutMs: 3_600_000 });
    const before = countTimers();
    await mcp.listTools({ signal });
    expect(seen).toContain('tools/list');
    expect(listeners).toBe(0);
    expect(countTimers()).toBeLessThanOrEqual(before);
  });
});
