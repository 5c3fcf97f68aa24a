import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';

import { selfSigned, selfSignedElsewhere, selfSignedExpired } from '@aftermeet/test/support';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { ClientOptions } from './client.ts';
import { createClient } from './create-client.ts';
import type { ServiceError } from './errors.ts';
import { keepAliveFetch } from './keep-alive-fetch.ts';
import { findProxy } from './proxy.ts';
import { catchFault } from './testing/catch-fault.ts';

const KEY = 'key_for_tests_only';
const START = { link: 'https://meet.example/a', title: 'T' };

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  vi.unstubAllEnvs();
});

/** `127.0.0.1:PORT` of a server that ends with the test. */
async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  stops.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service whose answers are fixed texts, with TLS. */
async function startTls(certificate: { readonly key: string; readonly cert: string }): Promise<string> {
  const server = createHttpsServer(certificate, (_request, response) => void response.end('processed'));
  return `https://${await listen(server)}`;
}

async function startTcp(onConnection: (socket: Socket) => void): Promise<string> {
  return listen(createServer(onConnection));
}

/** Takes this certificate for one of the system's. */
function trust(certificate: string): void {
  const plain = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    plain({ ...options, ca: certificate })) as typeof tls.connect);
  syncBuiltinESMExports();
}

function reply(status: string, body = '', type = 'text/plain'): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', () => {
      const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
      socket.end(`${head}Connection: close\r\n\r\n${body}`);
    });
}

const unsentForGood = {
  code: 'connection',
  unsent: true,
  mayHaveTakenEffect: false,
  retryable: false,
} as const;
const unsentForNow = { ...unsentForGood, retryable: true };
const sent = { code: 'connection', unsent: false, mayHaveTakenEffect: false, retryable: true } as const;
const unreadable = { code: 'unreadable', unsent: false, retryable: true } as const;

type Options = Pick<ClientOptions, 'proxy'> & { readonly baseUrl: string };

/** An address at which each connection is treated like this. */
async function at(protocol: 'http' | 'https', onConnection: (socket: Socket) => void): Promise<Options> {
  return { baseUrl: `${protocol}://${await startTcp(onConnection)}` };
}

async function atTrusted(certificate: typeof selfSigned): Promise<Options> {
  trust(certificate.cert);
  return { baseUrl: await startTls(certificate) };
}

async function behindProxy(protocol: 'http' | 'https', answer: string): Promise<Options> {
  const proxy = `http://ann:pw@${await startTcp(reply(answer))}`;
  return { baseUrl: `${protocol}://service.example`, proxy };
}

/** A read and a write that may not be repeated meet the same fault; what is expected is of the read. */
const faults: readonly (readonly [string, () => Promise<Options>, Partial<ServiceError>])[] = [
  [
    'a self-signed certificate',
    async () => ({ baseUrl: await startTls(selfSigned) }),
    { ...unsentForGood, detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  ],
  [
    'a certificate for another host',
    () => atTrusted(selfSignedElsewhere),
    { ...unsentForGood, detail: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  ],
  [
    'an expired certificate',
    () => atTrusted(selfSignedExpired),
    { ...unsentForGood, detail: 'CERT_HAS_EXPIRED' },
  ],
  [
    'https at a port without TLS',
    () => at('https', reply('400 Bad Request')),
    { ...unsentForGood, detail: expect.stringMatching(/^(?:ERR_SSL_|EPROTO$)/) as string },
  ],
  [
    'a connection that ends within the handshake',
    () => at('https', (socket) => socket.once('data', () => socket.end())),
    { ...unsentForNow, detail: 'ECONNRESET' },
  ],
  [
    'a proxy that asks for a login',
    () => behindProxy('https', '407 Proxy Authentication Required'),
    { ...unsentForGood, detail: 'the proxy answered 407', systemCode: 'PROXY_407' },
  ],
  [
    'a proxy that does not reach the service',
    () => behindProxy('https', '502 Bad Gateway'),
    { ...unsentForNow, detail: 'the proxy answered 502', systemCode: 'PROXY_502' },
  ],
  [
    'a login that a proxy asks for in place of an http answer',
    () => behindProxy('http', '407 Proxy Authentication Required'),
    { ...unsentForGood, detail: 'the proxy answered 407', status: undefined },
  ],
  [
    // From here it looks as if the request had been read: it may have been.
    'a reset of a connection from which nothing was read',
    () => at('http', (socket) => void setTimeout(() => socket.resetAndDestroy(), 30)),
    sent,
  ],
  [
    'a reset after the request was read',
    () => at('http', (socket) => socket.once('data', () => socket.resetAndDestroy())),
    sent,
  ],
  [
    'a web page',
    () => at('http', reply('200 OK', '<!doctype html><p>Hello', 'text/html')),
    { ...unreadable, detail: 'the answer is a web page' },
  ],
  [
    'half of a JSON text',
    () => at('http', reply('200 OK', '{"status": "proc', 'application/json')),
    { ...unreadable, detail: 'the answer is not whole JSON' },
  ],
  [
    'an error in place of a success',
    () => at('http', reply('200 OK', '{"success":false,"message":"No minutes left"}')),
    { code: 'unexpected_status', status: 200, retryable: true, detail: 'No minutes left' },
  ],
];

describe.each([
  ['the platform’s fetch', fetch],
  ['keepAliveFetch', keepAliveFetch],
])('%s', (_name, ask) => {
  it.each(faults)('tells %s apart', async (_fault, arrange, expected) => {
    const options = await arrange();
    const own = options.proxy === undefined ? { fetch: ask } : {};
    const client = createClient({ apiKey: KEY, retries: 0, timeoutMs: 5000, ...own, ...options });
    const read = await catchFault(client.recordings.status('m'));
    expect(read).toMatchObject(expected);
    expect(`${read.message} ${JSON.stringify(read)}`).not.toMatch(/ann|pw@/);
    const write = await catchFault(client.recordings.start(START));
    const isOpen = read.code !== 'unexpected_status' && !read.unsent;
    expect([write.code, write.name]).toEqual(
      isOpen ? ['ambiguous', 'AmbiguousWriteError'] : [read.code, 'ServiceError'],
    );
    expect([write.unsent, write.mayHaveTakenEffect]).toEqual([read.unsent, isOpen]);
  });
});

it('tells a port that fetch does not use', async () => {
  const client = createClient({ apiKey: KEY, retries: 4, baseUrl: 'http://127.0.0.1:6000' });
  const fault = await catchFault(client.recordings.start(START));
  expect(fault).toMatchObject({ ...unsentForGood, detail: 'BAD_PORT', name: 'ServiceError' });
});

it('takes what undici says of a proxy for the proxy’s refusal, not for an abort', async () => {
  const cause = Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
    name: 'AbortError',
    code: 'UND_ERR_ABORTED',
  });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const client = createClient({ apiKey: KEY, baseUrl: 'https://service.example', fetch });
  const fault = await catchFault(client.recordings.start(START));
  expect(fault).toMatchObject({ ...unsentForGood, detail: 'the proxy answered 407' });
});

describe('a host that takes connections and never speaks TLS', () => {
  it.each([
    ['a call', (client: ReturnType<typeof createClient>) => client.recordings.status('m')],
    ['a write', (client: ReturnType<typeof createClient>) => client.recordings.start(START)],
    [
      'an upload',
      (client: ReturnType<typeof createClient>) =>
        client.uploads.send({ bytes: Buffer.from('fLaC\0'), filename: 'a.mp4' }),
    ],
  ])('costs %s one timeout', async (_name, call) => {
    let connections = 0;
    const baseUrl = `https://${await startTcp(() => (connections += 1))}`;
    const client = createClient({ apiKey: KEY, baseUrl, timeoutMs: 300, fetch: keepAliveFetch });
    const fault = await catchFault(call(client));
    expect([fault.code, fault.unsent, fault.name, connections]).toEqual(['timeout', true, 'ServiceError', 1]);
  });
});

describe('a proxy', () => {
  /** Leads every tunnel and every request to one service, and remembers what it was asked. */
  async function startProxy(
    service: string,
  ): Promise<{ readonly address: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const [host = '', port = ''] = service.split(':');
    const address = await startTcp((socket) =>
      socket.once('data', (head) => {
        const [line = '', ...rest] = head.toString('latin1').split('\r\n');
        const login = rest.find((header) => /^proxy-authorization:/i.test(header));
        socket.pause();
        asked.push(`${line}${login === undefined ? '' : ' with login'}`);
        const target = connect(Number(port), host, () => {
          if (line.startsWith('CONNECT ')) socket.write('HTTP/1.1 200 OK\r\n\r\n');
          else target.write(head);
          socket.pipe(target).pipe(socket);
        });
        target.on('error', () => socket.destroy());
      }),
    );
    return { address, asked };
  }

  const upload = { bytes: Buffer.from('fLaC\0'), filename: 'a.mp4' };
  const answer = (): string => '{"meeting_id":"m_1","status":"processed"}';

  async function startService(): Promise<string> {
    return listen(
      createHttpServer((request, response) => request.resume().on('end', () => response.end(answer()))),
    );
  }

  it('takes reads and uploads, by the environment and by the option', async () => {
    const service = await startService();
    const { address, asked } = await startProxy(service);
    const baseUrl = 'http://service.example';
    vi.stubEnv('HTTP_PROXY', `http://ann:pw@${address}`);
    vi.stubEnv('NO_PROXY', 'other.example');
    const byEnvironment = createClient({ apiKey: KEY, baseUrl });
    expect(await byEnvironment.recordings.status('m')).toEqual({ phase: 'ready', status: 'processed' });
    expect(await byEnvironment.uploads.send(upload)).toMatchObject({ meetingId: 'm_1' });
    const tunnel = 'CONNECT service.example:80 HTTP/1.1';
    expect(asked).toEqual([`${tunnel} with login`, `${tunnel} with login`]);
    asked.length = 0;
    vi.stubEnv('NO_PROXY', '*');
    const byOption = createClient({ apiKey: KEY, baseUrl, proxy: `http://${address}` });
    await byOption.uploads.send(upload);
    expect(asked).toEqual([tunnel]);
  });

  it.each([
    ['proxy.example:3128', 'http://proxy.example:3128'],
    ['http://proxy.example:3128', 'http://proxy.example:3128'],
    ['https://proxy.example', 'https://proxy.example'],
  ])('is at %s, also where the variable in lower case is empty', (written, address) => {
    vi.stubEnv('https_proxy', '');
    vi.stubEnv('HTTPS_PROXY', written);
    vi.stubEnv('NO_PROXY', '');
    expect(findProxy(new URL('https://service.example'), true)).toBe(address);
  });

  it('takes https through a tunnel, and never gets the key', async () => {
    trust(selfSigned.cert);
    const server = createHttpsServer(selfSigned, (request, response) =>
      request.resume().on('end', () => response.end(answer())),
    );
    const { address, asked } = await startProxy(await listen(server));
    vi.stubEnv('HTTPS_PROXY', `http://${address}`);
    vi.stubEnv('NO_PROXY', '');
    const client = createClient({ apiKey: KEY, baseUrl: 'https://127.0.0.1:1', proxy: `http://${address}` });
    expect(await client.recordings.status('m')).toMatchObject({ phase: 'ready' });
    expect(await client.uploads.send(upload)).toMatchObject({ meetingId: 'm_1' });
    expect(asked).toEqual(['CONNECT 127.0.0.1:1 HTTP/1.1', 'CONNECT 127.0.0.1:1 HTTP/1.1']);
  });

  it('is left out for this machine, for hosts of NO_PROXY, and when it is turned off', async () => {
    const service = await startService();
    const { address, asked } = await startProxy(service);
    vi.stubEnv('HTTP_PROXY', `http://${address}`);
    await createClient({ apiKey: KEY, baseUrl: `http://${service}` }).uploads.send(upload);
    await createClient({ apiKey: KEY, baseUrl: `http://${service}` }).recordings.status('m');
    vi.stubEnv('NO_PROXY', 'service.invalid');
    const client = createClient({ apiKey: KEY, baseUrl: 'http://service.invalid', retries: 0 });
    expect(await catchFault(client.recordings.status('m'))).toMatchObject(unsentForNow);
    vi.stubEnv('NO_PROXY', '');
    const off = createClient({ apiKey: KEY, baseUrl: 'http://service.invalid', retries: 0, proxy: false });
    expect(await catchFault(off.recordings.status('m'))).toMatchObject(unsentForNow);
    expect(await catchFault(off.uploads.send(upload))).toMatchObject(unsentForNow);
    expect(asked).toEqual([]);
  });

  it('of a wrong address is refused without repeating it', async () => {
    const make = () => createClient({ apiKey: KEY, baseUrl: 'http://a.example', proxy: 'socks5://ann:pw@b' });
    expect(make).toThrow(expect.objectContaining({ code: 'bad_request', unsent: true }) as Error);
    expect(make).not.toThrow(/pw/);
    vi.stubEnv('HTTP_PROXY', 'socks5://ann:pw@b');
    const client = createClient({ apiKey: KEY, baseUrl: 'http://a.example' });
    const fault = await catchFault(client.recordings.status('m'));
    expect(fault).toMatchObject({ ...unsentForGood, detail: 'PROXY_ADDRESS' });
    expect(fault.message).not.toMatch(/pw/);
  });
});
