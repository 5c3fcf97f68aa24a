import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';

import type { ResolveHost } from '../destinations/http/guard-address.ts';
import { HttpAddress, type HttpAddressFacts } from '../destinations/http/send-http-post.ts';
import { openHttp } from '../destinations/http/send-http-post.ts';
import type { Preparation, PreparedSend } from '../engine/prepared-send.ts';

export const receiverNowMs = 1_800_000_000_000;
export const receiverKey = Buffer.from('a-secret-of-some-length');
export const receiverBody = '{"type":"meeting.completed","data":{"title":"Планёрка"}}';

/** One request, as its receiver has read it. */
export type Received = Pick<IncomingMessage, 'headers' | 'url' | 'method'> & { readonly body: string };

const stops: (() => Promise<unknown>)[] = [];

/** Stops every server of this file, with its connections. */
export async function stopReceivers(): Promise<void> {
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

/** Lets a server listen on a free port of this machine. */
export async function listenHere(server: Server | TcpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A server that reads each request to its end, keeps it and then answers it. */
export async function startReceiver(
  answer: RequestListener,
): Promise<{ readonly port: number; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { headers, url, method } = request;
      received.push({ headers, url, method, body });
      answer(request, response);
    });
  });
  return { port: await listenHere(server), received };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** How a post is to be made; the rest is as usual. */
export interface PostWish {
  readonly facts?: Partial<HttpAddressFacts>;
  readonly resolve?: ResolveHost;
  readonly timeoutMs?: number;
}

const toLoopback: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }];

/** Every name leads to this machine, unless the wish says otherwise. */
export function preparePost(
  url: string,
  { facts = {}, resolve = toLoopback, timeoutMs = 5000 }: PostWish = {},
): Promise<Preparation> {
  const to = new HttpAddress({
    url: new URL(url),
    keys: [receiverKey],
    headers: {},
    isPrivateAllowed: true,
    ...facts,
  });
  const connector = openHttp(() => receiverNowMs, timeoutMs, resolve);
  return connector.prepare({ body: receiverBody, to }, { effectKey: 'e1', target: 't' });
}

/** A post that is ready to be sent. */
export async function shipPost(url: string, wish: PostWish = {}): Promise<PreparedSend> {
  const preparation = await preparePost(url, wish);
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.prepared;
}
