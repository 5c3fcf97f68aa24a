import http from 'node:http';
import https from 'node:https';

import { buildRequest, type FormEntry } from '@aftermeet/contract';

import { isWebPage } from '../answers.ts';
import type { ClientOptions } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { type Connection, refuseRedirect } from '../http.ts';
import type { FormDetails } from '../inputs.ts';
import { findProxy, openProxyAgent, watchConnecting } from '../proxy.ts';
import { listRedactions, redactProblems } from '../redact.ts';
import { withRetries } from '../retries.ts';
import { refusalToError, refuseInput, toServiceError, unreadable } from '../service-fault.ts';
import { userAgent } from '../version.ts';
import {
  type ChunkBuffer,
  encodeFormHead,
  encodeFormTail,
  findDuplicate,
  type UploadAnswer,
} from './chunk-format.ts';
import { uploading } from './upload-errors.ts';

/** What is the same in all requests of one upload. */
export interface UploadIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly filename: string;
  readonly size: number;
  readonly chunkTotal: number;
  readonly details: FormDetails;
}

/** One request's form, checked against the contract: throws `bad_request` with the rules it breaks. */
export function buildChunkForm(
  { id, sessionId, filename, size, chunkTotal, details }: UploadIdentity,
  chunkNumber: number,
  bytes: Uint8Array,
  sha256?: string,
): readonly FormEntry[] {
  const built = buildRequest(uploading, {
    ...details,
    id,
    uploadSessionId: sessionId,
    filename,
    expectedFileSize: size,
    chunkTotal: chunkTotal,
    chunkNumber: chunkNumber,
    ...(sha256 === undefined ? {} : { expectedSha256: sha256 }),
    file: bytes,
  });
  if (built.ok) return built.form ?? [];
  // The key is no part of the form.
  const redactions = listRedactions('', { ...details, filename });
  throw refuseInput(uploading, redactProblems(built.problems, redactions));
}

/** How much memory the longest head of an upload needs: that of its last request. */
export function measureForm(identity: UploadIdentity, boundary: string): { head: number; tail: number } {
  const form = buildChunkForm(identity, identity.chunkTotal - 1, new Uint8Array(0), '0'.repeat(64));
  return { head: encodeFormHead(form, boundary).length, tail: encodeFormTail(boundary).length };
}

interface SendChunkOptions {
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the error of every attempt that failed, also of those that are repeated. */
  readonly onFault?: (error: unknown) => void;
  /** How many bytes of the chunk have left, of the attempt under way: it begins again with an attempt. */
  readonly onWritten?: (bytes: number) => void;
}

export interface ChunkSender {
  /**
   * Sends the first `length` bytes of the buffer as this chunk, again if that may help, from the same memory. Resolves
   * with a success or with an answer that says duplicate; throws `ServiceError` for every other one.
   */
  send(
    chunkNumber: number,
    buffer: ChunkBuffer,
    length: number,
    options: SendChunkOptions,
  ): Promise<UploadAnswer>;
}

export interface SenderFacts {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly identity: UploadIdentity;
  readonly boundary: string;
}

export function createChunkSender({ connection, transport, identity, boundary }: SenderFacts): ChunkSender {
  const tail = encodeFormTail(boundary);
  const { filename, details } = identity;
  const redactions = listRedactions(connection.apiKey, { ...details, filename });
  return {
    send(chunkNumber, buffer, length, { sha256, signal, onFault, onWritten }) {
      const form = buildChunkForm(identity, chunkNumber, buffer.data(length), sha256);
      const head = encodeFormHead(form, boundary);
      const body = buffer.frame(head, length, tail);
      const note = (bytes: number): void => onWritten?.(Math.min(Math.max(bytes - head.length, 0), length));
      const attempt = async (): Promise<UploadAnswer> => {
        try {
          const answer = await transport.post(body, boundary, signal, note);
          return checkAnswer(answer, connection.clock(), redactions);
        } catch (error) {
          onFault?.(error);
          throw error;
        }
      };
      // Later chunks are worth more attempts than the first, which shows whether the address is right.
      const repeatsSlowConnects = chunkNumber > 0;
      return withRetries({ ...connection, repeatsSlowConnects }, attempt, signal);
    },
  };
}

function checkAnswer(answer: UploadAnswer, nowMs: number, redactions: readonly string[]): UploadAnswer {
  const { status, body, contentType } = answer;
  // Of a login page in between, say: the chunk is not where it should be.
  if (status < 300 && isWebPage(body, contentType)) {
    throw unreadable(uploading, 'the answer is a web page', status);
  }
  if ((status >= 200 && status < 300) || findDuplicate(answer) !== undefined) return answer;
  if (status < 400) throw refuseRedirect(uploading, status);
  throw refusalToError({ operation: uploading, nowMs, redactions, ...answer });
}

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

type Endpoint = Pick<Connection, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'assertKeyAllowed' | 'proxy'>;

/** Sends the requests of one upload. */
export interface Transport {
  /**
   * Posts one form. Resolves with whatever status the answer has; throws `connection`, `aborted`, and `timeout` if no
   * connection (with TLS) is made in `timeoutMs`, nothing moves on it for three times as long, or the whole answer has not arrived
   * in that time. As long as something of the request moves, a slow one may take any time.
   */
  post(
    body: Uint8Array,
    boundary: string,
    signal?: AbortSignal,
    onWritten?: (bytes: number) => void,
  ): Promise<UploadAnswer>;
  /** Ends the connections: nothing of them keeps the process alive. */
  close(): void;
}

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
    async post(body, boundary, signal, onWritten) {
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
            'x-api-key': endpoint.apiKey,
            accept: 'application/json, text/plain;q=0.9',
            ...userAgent,
            'content-type': `multipart/form-data; boundary=${boundary}`,
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
