import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net';

import { selfSigned } from '@aftermeet/test/support';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startPickyReceiver } from '../testing/receiver.ts';
import { parseReceiver } from './delivery.ts';
import { createPoster, type Poster, type PosterSettings, type PostAnswer } from './http-poster.ts';

function startPoster(settings: Partial<PosterSettings> = {}): Poster {
  const poster = createPoster({ timeoutMs: 2000, allowRemoteReceivers: false, ...settings });
  onTestFinished(poster.close);
  return poster;
}

function send(poster: Poster, address: string, extraHeaders: readonly string[] = []): Promise<PostAnswer> {
  const receiver = parseReceiver(address);
  if (receiver === undefined) throw new Error(`no receiver: ${address}`);
  const headers = ['Host', receiver.host, 'Content-Length', '2', ...extraHeaders];
  return new Promise((resolve) => {
    poster.post({ receiver, headers, body: 'ok' }, resolve);
  });
}

/** Handles each connection in turn by its own function. */
async function startRawServer(onData: (socket: Socket, connection: number) => void): Promise<string> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    socket.on('error', () => {});
    socket.on('data', () => {
      onData(socket, connection);
    });
    onTestFinished(() => {
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`;
}

describe('the connections of a poster', () => {
  it('are at most 64 to one receiver', async () => {
    const receiver = await startPickyReceiver(() => 'hang');
    const poster = startPoster();
    const posts = Array.from({ length: 150 }, () => send(poster, receiver.url));
    await receiver.waitFor(64);
    poster.close();
    expect(new Set((await Promise.all(posts)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"error":"timeout"}']),
    );
    expect(receiver.arrivals).toHaveLength(64);
  });

  it('are closed with it, and can be made anew', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 'hang' : 200));
    const poster = startPoster();
    const broken = send(poster, receiver.url);
    await receiver.waitFor(1);
    poster.close();
    expect(await broken).toEqual({ error: 'timeout' });
    expect(await send(poster, receiver.url)).toEqual({ status: 200 });
    expect(receiver.arrivals).toHaveLength(2);
  });
});

describe('a hostile receiver', () => {
  it.each([
    [
      'that breaks off in its body has answered',
      'HTTP/1.1 201 OK\r\nContent-Length: 9\r\n\r\nab',
      { status: 201 },
    ],
    [
      'that speaks no HTTP',
      '220 mail.example ESMTP\r\n',
      { error: expect.stringMatching(/^HPE_/) as string },
    ],
  ])('%s', async (_title, text, expected) => {
    const url = await startRawServer((socket) => socket.end(text));
    expect(await send(startPoster(), url)).toEqual(expected);
  });

  it('that never stops talking is cut', async () => {
    const url = await startRawServer((socket) => {
      socket.write('HTTP/1.1 202 OK\r\n\r\n');
      const talk = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(10_000)));
      };
      socket.on('drain', talk);
      talk();
    });
    expect(await send(startPoster({ timeoutMs: 600_000 }), url)).toEqual({ status: 202 });
  });
});

describe('a receiver with TLS', () => {
  it('is only trusted with a certificate that is', async () => {
    const arrivals: unknown[] = [];
    const server = createSecureServer(selfSigned, (request, response) => {
      arrivals.push(request.url);
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(await send(startPoster(), `https://127.0.0.1:${String(port)}/`)).toEqual({
      error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(arrivals).toEqual([]);
  });
});

describe('what is not sent', () => {
  it('has a header that would be two', async () => {
    const receiver = await startPickyReceiver();
    expect(await send(startPoster(), receiver.url, ['X-Service-Event', 'a\r\nX-Evil: 1'])).toEqual({
      refusal: 'not sent: ERR_INVALID_CHAR',
    });
    expect(receiver.arrivals).toEqual([]);
  });

  it('goes to a name that is local only by its look', async () => {
    const receiver = await startPickyReceiver();
    const { port } = new URL(receiver.url);
    const asked: string[] = [];
    const resolveTo =
      (...found: readonly string[]): LookupFunction =>
      (name, _options, callback) => {
        asked.push(name);
        callback(
          null,
          found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      };
    const address = `http://hooks.localhost:${port}/a`;
    const remoteRefused = {
      refusal: 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off',
    };
    expect(await send(startPoster({ resolve: resolveTo('192.0.2.1', '2001:db8::1') }), address)).toEqual(
      remoteRefused,
    );
    expect(asked).toEqual(['hooks.localhost']);
    expect(await send(startPoster({ resolve: resolveTo('127.0.0.1') }), 'http://example.com/a')).toEqual(
      remoteRefused,
    );
    expect(asked).toEqual(['hooks.localhost']);
    // Of several addresses, the local ones are used.
    expect(await send(startPoster({ resolve: resolveTo('192.0.2.1', '127.0.0.1') }), address)).toEqual({
      status: 200,
    });
    const remote = startPoster({ allowRemoteReceivers: true, resolve: resolveTo('127.0.0.1') });
    expect(await send(remote, `http://hooks.example.com:${port}/a`)).toEqual({ status: 200 });
    expect(receiver.arrivals.map(({ headers }) => headers.host)).toEqual([
      `hooks.localhost:${port}`,
      `hooks.example.com:${port}`,
    ]);
  });
});
