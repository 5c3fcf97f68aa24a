import http from 'node:http';
import https from 'node:https';

import type { ClientOptions } from '../client.ts';
import { ServiceError } from '../errors.ts';
import type { Connection } from '../http.ts';
import { findProxy, openProxyAgent, watchConnecting } from '../proxy.ts';
import { toServiceError } from '../service-fault.ts';
import type { UploadAnswer } from './chunk-format.ts';
import { formHeaders, type Transport } from './chunk-sender.ts';
import { uploading } from './upload-errors.ts';

/**
 * Written one after the other: TLS encrypts each write as a whole, which for a whole chunk would take its size in
 * memory twice more. Smaller ones cost CPU.
 */
const SLICE_BYTES = 4 * 1024 ** 2;
/**
 * What the system buffers for a slow link is out of sight until it has left: 4 MiB at half a Mbit/s take 67 s, and the
 * default of `timeoutMs` is 30 s.
 */
const IDLE_TIMES = 3;
/** The answers of the service have a few hundred bytes. */
const MAX_ANSWER_BYTES = 1024 ** 2;

type Endpoint = Pick<
  Connection,
  'baseUrl' | 'apiKey' | 'headers' | 'timeoutMs' | 'assertKeyAllowed' | 'proxy'
>;

/**
 * Connections are made when they are needed, `connections` at most. With Node's own HTTP client a GiB took the same CPU
 * as with undici, whose parser is WebAssembly and costs 25 to 45 MB of memory.
 */
export function openTransport(endpoint: Endpoint, connections: number): Transport {
  const url = new URL(endpoint.baseUrl + uploading.path);
  const { request: open } = url.protocol === 'https:' ? https : http;
  let opened: Promise<http.Agent> | undefined;
  const idleMs = endpoint.timeoutMs * IDLE_TIMES;

  return {
    async post(body, boundary, { signal, onWritten } = {}) {
      await endpoint.assertKeyAllowed(endpoint.baseUrl, uploading, signal);
      const timeout = new AbortController();
      let answering: NodeJS.Timeout | undefined;
      try {
        const agent = await (opened ??= openAgent(url, endpoint.proxy, connections));
        // Redirects are not followed: they would carry the key along.
        const request = open(url, {
          method: 'POST',
          agent,
          headers: {
            ...formHeaders(endpoint, boundary),
            'content-length': body.length,
          },
          ...(signal === undefined ? {} : { signal }),
        });
        // Takes effect when the connection is made.
        request.once('socket', () => request.setTimeout(idleMs));
        const giveUp = (): void => {
          timeout.abort();
          request.destroy();
        };
        request.once('timeout', giveUp);
        // An answer that drips is no progress.
        request.once('finish', () => (answering = setTimeout(giveUp, idleMs).unref()));
        const answer = readResponse(request, { timeoutMs: endpoint.timeoutMs, signal });
        onWritten?.(0);
        writeSlices(request, body, { at: 0, onWritten });
        return await answer;
      } catch (error) {
        const limits = { timeout: timeout.signal, timeoutMs: idleMs };
        throw toServiceError(error, { operation: uploading, signal, ...limits });
      } finally {
        clearTimeout(answering);
      }
    },
    close: () =>
      void opened?.then(
        (agent) => agent.destroy(),
        () => {},
      ),
  };
}

async function openAgent(url: URL, proxy: ClientOptions['proxy'], connections: number): Promise<http.Agent> {
  const options = { keepAlive: true, maxSockets: connections };
  const address = findProxy(url, proxy);
  if (address !== undefined) return openProxyAgent(address, options);
  return url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
}

interface Writing {
  readonly at: number;
  readonly onWritten: ((bytes: number) => void) | undefined;
}

function writeSlices(request: http.ClientRequest, body: Uint8Array, { at, onWritten }: Writing): void {
  if (at >= body.length) {
    request.end();
    return;
  }
  const next = Math.min(at + SLICE_BYTES, body.length);
  request.write(body.subarray(at, next), (error) => {
    if (error !== null && error !== undefined) return;
    onWritten?.(next);
    writeSlices(request, body, { at: next, onWritten });
  });
}

async function readResponse(
  request: http.ClientRequest,
  connecting: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<UploadAnswer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    watchConnecting(request, { ...connecting, onUnsent: reject });
    request.once('response', resolve);
    // Stays: without a listener a fault after the answer would end the process.
    request.on('error', reject);
  });
  const answer = await readAnswer(response);
  if (request.writableFinished) return answer;
  // A server that answers before it has read everything gets no more: the bytes still to go are about to be replaced.
  request.destroy();
  if (answer.status >= 300) return answer;
  const detail = 'the service answered before it had everything';
  throw new ServiceError({ code: 'connection', operation: uploading, detail });
}

/** Throws a `RangeError` if the answer is over 1 MiB. */
async function readAnswer(response: http.IncomingMessage): Promise<UploadAnswer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError(`the answer is over ${MAX_ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return {
    status: response.statusCode ?? 0,
    body: parseBody(new TextDecoder().decode(Buffer.concat(pieces))),
    retryAfter: response.headers['retry-after'] ?? null,
    contentType: response.headers['content-type'] ?? null,
  };
}

/** JSON if it is JSON, whatever the content type says; else text. */
function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
