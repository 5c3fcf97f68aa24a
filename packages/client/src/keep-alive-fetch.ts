import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { setPieces } from './answer-pieces.ts';
import type { ClientOptions } from './client.ts';
import { findProxy, openProxyAgent, watchConnecting } from './proxy.ts';
import { UnsentFault } from './system-fault.ts';

/**
 * A `fetch` on `node:http` and its connections that are kept open, for servers that call the same addresses again and again: a
 * call with a small answer costs the processor about half. It obeys `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, takes texts and bytes as bodies,
 * follows no redirect, and fails as the platform's `fetch` does; whatever else is asked for goes to the platform's.
 */
export const keepAliveFetch: typeof fetch = createKeepAliveFetch(true);

/** The same with the proxy of a client's options. */
export function createKeepAliveFetch(proxy: ClientOptions['proxy']): typeof fetch {
  return (input, init) => fetchOnce(proxy, input, init);
}

async function fetchOnce(
  proxy: ClientOptions['proxy'],
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const { body, signal, redirect } = init;
  const isSimple =
    (typeof input === 'string' || input instanceof URL) &&
    (body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array) &&
    (redirect === 'manual' || redirect === 'error');
  if (!isSimple) return await fetch(input, init);
  signal?.throwIfAborted();
  try {
    const url = new URL(input);
    const agent = await findAgent(url, proxy);
    const incoming = await sendAgain({ url, agent, init, body: body ?? undefined });
    const { statusCode = 0 } = incoming;
    const answer = await toResponse(incoming, init).catch((error: unknown) => {
      incoming.destroy();
      throw error;
    });
    if (redirect === 'error' && statusCode >= 300 && statusCode < 400) throw new Error('unexpected redirect');
    return answer;
  } catch (error) {
    // That nothing was sent is worth more than the reason of the abort, which the caller knows.
    if (!(error instanceof UnsentFault)) signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
}

/** One for each proxy, so that its connections are used again. */
const agents = new Map<string, Promise<http.Agent | undefined>>();

async function findAgent(url: URL, proxy: ClientOptions['proxy']): Promise<http.Agent | undefined> {
  const address = findProxy(url, proxy);
  if (address === undefined) return undefined;
  const key = `${url.protocol} ${address}`;
  const known = agents.get(key);
  if (known !== undefined) return await known;
  const opening = openProxyAgent(address, { keepAlive: true });
  agents.set(key, opening);
  try {
    return await opening;
  } catch (error) {
    agents.delete(key);
    throw error;
  }
}

interface Sending {
  readonly url: URL;
  readonly agent: http.Agent | undefined;
  readonly init: RequestInit;
  readonly body: string | Uint8Array | undefined;
}

const ACCEPTED = 'gzip, deflate, br';

/** A server may close a kept connection just when it is used again: what only reads is asked once more then. */
async function sendAgain(sending: Sending): Promise<http.IncomingMessage> {
  const { method = 'GET', signal } = sending.init;
  let sent: http.ClientRequest | undefined;
  const send = () => start(sending, (request) => (sent = request));
  try {
    return await send();
  } catch (error) {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || sent?.reusedSocket !== true || signal?.aborted === true) throw error;
    return await send();
  }
}

/** As the platform's `fetch` has it. */
const CONNECT_TIMEOUT_MS = 10_000;

function start(
  { url, agent, init: { method = 'GET', headers, signal }, body }: Sending,
  onRequest: (request: http.ClientRequest) => void,
): Promise<http.IncomingMessage> {
  const { request: open } = url.protocol === 'https:' ? https : http;
  const sent: Record<string, string | number> = {
    accept: '*/*',
    'accept-encoding': ACCEPTED,
    'user-agent': 'node',
    ...(headers instanceof Headers || Array.isArray(headers)
      ? Object.fromEntries([...headers].map(([name = '', value = '']) => [name, value]))
      : headers),
  };
  if (body !== undefined) sent['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const request = open(url, { method, headers: sent, agent, ...(signal ? { signal } : {}) }, resolve);
    onRequest(request);
    watchConnecting(request, { timeoutMs: CONNECT_TIMEOUT_MS, signal, onUnsent: reject });
    request.on('error', reject);
    request.end(body);
  });
}

/** A longer body is read when it is asked for. */
const READ_AT_ONCE_BYTES = 1024 * 1024;

/**
 * The answer. A text is read at once, so that an answer whose body is not asked for keeps no connection. No body passes
 * through a web stream unless it is asked for as one: for a small answer that takes longer than everything else.
 */
async function toResponse(
  incoming: http.IncomingMessage,
  { method, signal }: RequestInit,
): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const stream = hasBody ? decode(incoming, headers.get('content-encoding')) : incoming;
  const isText =
    status >= 300 ||
    /^(?:text\/(?!event-stream)|application\/(?:.*\+)?json)/.test(headers.get('content-type') ?? 'text/');
  const begun = isText ? await readBeginning(stream) : [];
  const pieces = stream.readableEnded ? begun : readOn(begun, stream, signal);
  const response = new Response(null, { status, statusText, headers });
  setPieces(response, pieces);
  let body: ReadableStream | undefined;
  const text = async (): Promise<string> => new TextDecoder().decode(await concatenate(pieces));
  return Object.defineProperties(response, {
    body: { get: () => (body ??= ReadableStream.from(pieces)) },
    text: { value: text },
    json: { value: async (): Promise<unknown> => JSON.parse(await text()) },
    arrayBuffer: { value: async () => new Uint8Array(await concatenate(pieces)).buffer },
  });
}

/** What comes until the body ends or has become long. */
function readBeginning(stream: Readable): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      stream.off('data', take).off('end', end).off('error', reject).off('close', breakOff);
    };
    const take = (piece: Uint8Array): void => {
      pieces.push(piece);
      size += piece.length;
      if (size <= READ_AT_ONCE_BYTES) return;
      stream.pause();
      stop();
      resolve(pieces);
    };
    const end = (): void => {
      stop();
      resolve(pieces);
    };
    const breakOff = (): void => reject(new Error('the connection broke off'));
    stream.on('data', take).on('end', end).on('error', reject).on('close', breakOff);
  });
}

async function* readOn(
  begun: readonly Uint8Array[],
  stream: Readable,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<Uint8Array> {
  yield* begun;
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError('terminated', { cause: error });
  }
}

async function concatenate(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  const [first] = read;
  return first !== undefined && read.length === 1 ? first : Buffer.concat(read);
}

function decode(incoming: http.IncomingMessage, encoding: string | null): Readable {
  switch (encoding?.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return pipe(incoming, createGunzip(lenient));
    case 'deflate':
      return pipe(incoming, createInflate(lenient));
    case 'br':
      return pipe(incoming, createBrotliDecompress());
    case undefined:
    default:
      return incoming;
  }
}

/** What came of a body without its last bytes, or of an empty one, is read as it is. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

/** A connection that breaks off breaks the decoded stream off too, and what is not read any more ends the connection. */
function pipe(incoming: http.IncomingMessage, decoder: NodeJS.ReadWriteStream & Readable): Readable {
  incoming.on('error', (error) => decoder.destroy(error));
  incoming.on('aborted', () => decoder.destroy(new Error('the connection broke off')));
  // A body that is not read has no other listener.
  decoder.on('error', () => undefined);
  decoder.on('close', () => {
    if (!incoming.complete) incoming.destroy();
  });
  incoming.pipe(decoder);
  return decoder;
}
