import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { setPieces } from './answer-pieces.ts';

/**
 * A `fetch` on `node:http` and its connections that are kept open, for servers that call the same addresses again and again: a
 * call costs the processor about a third. It takes texts and bytes as bodies, follows no redirect, and fails as the platform's
 * `fetch` does; whatever else is asked for goes to the platform's.
 */
export const keepAliveFetch: typeof fetch = async (input, init = {}) => {
  const { body, signal, redirect } = init;
  const isSimple =
    (typeof input === 'string' || input instanceof URL) &&
    (body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array) &&
    (redirect === 'manual' || redirect === 'error');
  if (!isSimple) return await fetch(input, init);
  signal?.throwIfAborted();
  try {
    const incoming = await send(new URL(input), init, body ?? undefined);
    const { statusCode = 0 } = incoming;
    const answer = await toResponse(incoming, signal);
    if (redirect === 'error' && statusCode >= 300 && statusCode < 400) throw new Error('unexpected redirect');
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
};

const ACCEPTED = 'gzip, deflate, br';

function send(
  url: URL,
  { method = 'GET', headers, signal }: RequestInit,
  body: string | Uint8Array | undefined,
): Promise<http.IncomingMessage> {
  const { request: start } = url.protocol === 'https:' ? https : http;
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
    const request = start(url, { method, headers: sent, ...(signal ? { signal } : {}) }, resolve);
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
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const stream = decode(incoming, headers.get('content-encoding'));
  const isText = /^(?:text\/|application\/(?:.*\+)?json)/.test(headers.get('content-type') ?? 'text/');
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
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return pipe(incoming, createGunzip());
    case 'deflate':
      return pipe(incoming, createInflate());
    case 'br':
      return pipe(incoming, createBrotliDecompress());
    case null:
    default:
      return incoming;
  }
}

/** A connection that breaks off breaks the decoded stream off too. */
function pipe(incoming: http.IncomingMessage, decoder: NodeJS.ReadWriteStream & Readable): Readable {
  incoming.on('error', (error) => decoder.destroy(error));
  incoming.on('aborted', () => decoder.destroy(new Error('the connection broke off')));
  incoming.pipe(decoder);
  return decoder;
}
