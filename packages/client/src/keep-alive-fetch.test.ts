import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readText } from './http.ts';
import { keepAliveFetch } from './keep-alive-fetch.ts';
import { readSystemFault } from './system-fault.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LONG = 'ä'.repeat(2_000_000);

let url = '';
let connections = 0;

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;

const answers: Readonly<Record<string, Answer>> = {
  '/json': (_request, response) => void response.writeHead(200, JSON_TYPE).end('{"title":"Zoë’s weekly"}'),
  '/gzip': (_request, response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
  '/pieces': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).write('one ');
    setTimeout(() => response.end('two'), 20);
  },
  '/long': (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(LONG),
  '/empty': (_request, response) => void response.writeHead(204).end(),
  '/refused': (_request, response) =>
    void response.writeHead(429, { ...JSON_TYPE, 'retry-after': '7' }).end('{"ok":false}'),
  '/moved': (_request, response) => void response.writeHead(302, { location: '/json' }).end('over there'),
  '/cut-head': (request) => void request.socket.destroy(),
  '/cut-body': (_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' }).write('{"a":');
    setTimeout(() => response.destroy(), 20);
  },
  '/gzip-empty': (_request, response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(),
  '/gzip-nothing': (_request, response) => void response.writeHead(204, { 'content-encoding': 'gzip' }).end(),
  '/gzip-cut': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' });
    response.write(gzipSync('x'.repeat(100_000)).subarray(0, 40));
    setTimeout(() => response.destroy(), 20);
  },
  '/silent': () => {},
  '/drip': (_request, response) => void response.writeHead(200, JSON_TYPE).write('{'),
  '/echo': async (request, response) => {
    request.setEncoding('utf8');
    let body = '';
    for await (const piece of request) body += String(piece);
    const { method, headers } = request;
    const seen = [method, headers['x-key'], headers['content-type'], headers['content-length'], body];
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(seen));
  },
};

const server = http.createServer((request, response) => void answers[request.url ?? '']?.(request, response));

beforeAll(async () => {
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

async function findClosedPort(): Promise<number> {
  const closing = http.createServer().listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  closing.close();
  await once(closing, 'close');
  return port;
}

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each([
  ['the platform’s fetch', fetch],
  ['keepAliveFetch', keepAliveFetch],
])('%s', (_name, ask) => {
  const get = (path: string, init: RequestInit = {}) => ask(url + path, { redirect: 'manual', ...init });

  it('reads JSON, compressed and in pieces', async () => {
    expect(await (await get('/json')).json()).toEqual({ title: 'Zoë’s weekly' });
    expect(await readText(await get('/json'))).toBe('{"title":"Zoë’s weekly"}');
    expect(await (await get('/gzip')).text()).toBe('{"a":1}');
    expect(await (await get('/pieces')).text()).toBe('one two');
    expect(await readText(await get('/pieces'))).toBe('one two');
    expect((await (await get('/pieces')).arrayBuffer()).byteLength).toBe(7);
    expect(await readText(await get('/long'))).toBe(LONG);
    expect(await (await get('/empty')).text()).toBe('');
    expect(await (await get('/gzip-empty')).text()).toBe('');
    expect(await (await get('/gzip-nothing')).text()).toBe('');
    expect(await (await get('/gzip', { method: 'HEAD' })).text()).toBe('');
  });

  it('gives the body as a web stream where one is asked for', async () => {
    const reader = (await get('/pieces')).body?.getReader();
    let text = '';
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      text += Buffer.from(read.value as Uint8Array).toString();
    expect(text).toBe('one two');
  });

  it('gives up a body that is too long', async () => {
    await expect(readText(await get('/long'), 1000)).rejects.toThrow(RangeError);
    await expect(readText(await get('/json'), 3)).rejects.toThrow(RangeError);
  });

  it('tells status and headers, and follows no redirect', async () => {
    const refused = await get('/refused');
    expect([refused.ok, refused.status, refused.headers.get('Retry-After')]).toEqual([false, 429, '7']);
    expect((await get('/moved')).status).toBe(302);
    const strict = get('/moved', { redirect: 'error' });
    await expect(strict).rejects.toThrow(expect.objectContaining({ name: 'TypeError' }) as Error);
  });

  it.each([
    ['an object', { 'X-Key': 'k', 'Content-Type': 'application/json' }],
    [
      'pairs',
      [
        ['X-Key', 'k'],
        ['Content-Type', 'application/json'],
      ] satisfies [string, string][],
    ],
    ['Headers', new Headers({ 'X-Key': 'k', 'Content-Type': 'application/json' })],
  ])('sends text with headers as %s', async (_as, headers) => {
    const sent = await get('/echo', { method: 'POST', headers, body: '{"ä":1}' });
    expect(await sent.json()).toEqual(['POST', 'k', 'application/json', '8', '{"ä":1}']);
  });

  it('fails with the same codes', async () => {
    const fail = async (asked: Promise<Response>) => {
      const error: unknown = await asked.then((answer) => answer.text()).catch((thrown: unknown) => thrown);
      return [error instanceof TypeError, readSystemFault(error).unsent];
    };
    expect(await fail(get('/cut-head'))).toEqual([true, false]);
    expect(await fail(get('/cut-body'))).toEqual([true, false]);
    expect(await fail(ask(`http://127.0.0.1:${await findClosedPort()}/`, { redirect: 'manual' }))).toEqual([
      true,
      true,
    ]);
    expect(await fail(ask('http://no-such-host.invalid/', { redirect: 'manual' }))).toEqual([true, true]);
  });

  it.each(['/silent', '/drip'])('ends with the reason of its signal: %s', async (path) => {
    const stopping = new AbortController();
    const asked = get(path, { signal: stopping.signal }).then((answer) => answer.text());
    setTimeout(() => stopping.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
    await expect(get(path, { signal: stopping.signal })).rejects.toThrow('enough');
    await expect(
      get(path, { signal: AbortSignal.timeout(20) }).then((answer) => answer.text()),
    ).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }) as Error);
  });
});

describe('keepAliveFetch', () => {
  it('uses a connection again, also after answers whose body was not read', async () => {
    await keepAliveFetch(`${url}/json`, { redirect: 'manual' });
    const before = connections;
    for (const path of ['/refused', '/moved', '/empty', '/json', '/refused'])
      await keepAliveFetch(url + path, { redirect: 'manual' });
    expect(connections - before).toBeLessThanOrEqual(1);
  });

  it('lets a compressed body that breaks off, and is not read, end no process', async () => {
    const answer = await keepAliveFetch(`${url}/gzip-cut`, { redirect: 'manual' });
    await new Promise((resolve) => void setTimeout(resolve, 60));
    await expect(answer.text()).rejects.toThrow(TypeError);
  });

  it('asks once more where a kept connection ends as it is used again, but sends nothing twice', async () => {
    const seen = new WeakSet();
    const ending = http.createServer((request, response) => {
      if (seen.has(request.socket)) request.socket.destroy();
      else response.writeHead(200, JSON_TYPE).end('{}');
      seen.add(request.socket);
    });
    ending.listen(0, '127.0.0.1');
    await once(ending, 'listening');
    const address = `http://127.0.0.1:${(ending.address() as AddressInfo).port}/`;
    const ask = (method: string) => keepAliveFetch(address, { method, redirect: 'manual' });
    expect([(await ask('GET')).status, (await ask('GET')).status]).toEqual([200, 200]);
    await expect(ask('POST')).rejects.toThrow('fetch failed');
    ending.closeAllConnections();
    ending.close();
  });

  it('leaves what it cannot do to the platform', async () => {
    const form = new FormData();
    form.set('a', '1');
    const sent = await keepAliveFetch(`${url}/echo`, { method: 'POST', body: form });
    expect(await sent.json()).toEqual(
      ['POST', undefined, expect.stringMatching(/^multipart/), expect.any(String), expect.any(String)].map(
        (value) => value ?? null,
      ),
    );
    expect(await (await keepAliveFetch(new Request(`${url}/json`))).text()).toBe('{"title":"Zoë’s weekly"}');
  });
});
