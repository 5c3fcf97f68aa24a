import type { LookupAddress } from 'node:dns';
import {
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import { readErrorCode } from './guard-address.ts';

/** Bytes of an answer that are read and returned; the connection ends after them. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Methods that send a body. */
export const httpMethods = ['POST', 'PUT', 'PATCH'] as const;
export type HttpMethod = (typeof httpMethods)[number];

interface PostCall {
  readonly method: HttpMethod;
  readonly url: URL;
  /** The request connects to one of these. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For connecting, sending and reading the answer together. */
  readonly timeoutMs: number;
}

export type PostOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The beginning of its body. */
      readonly text: string;
      /** The body broke off, or is longer than what is read. */
      readonly isCut?: true;
    }
  /** No connection: nothing was sent. */
  | { readonly kind: 'unsent'; readonly code: string }
  /** A part of the request at least was sent, and no answer came. */
  | { readonly kind: 'unanswered'; readonly code: string };

/**
 * Sends one request over a connection of its own, because a reused one would outlive the check of its address. A redirect is an
 * answer like any other; proxies of the environment are not used. Never rejects.
 */
export function postOnce({
  method,
  url,
  addresses,
  headers,
  body,
  timeoutMs,
}: PostCall): Promise<PostOutcome> {
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = { method, headers, agent: false, lookup: pinLookup(addresses) };
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    } catch (error) {
      // Node refuses a header.
      resolve({ kind: 'unsent', code: readErrorCode(error) });
      return;
    }
    let head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
    const pieces: Buffer[] = [];
    let isWhole = false;
    let isConnected = false;
    let code = 'ECONNRESET';
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    request.once('response', (response) => {
      const { statusCode = 0, headers: heads } = response;
      head = { status: statusCode, retryAfter: heads['retry-after'] };
      response.once('end', () => {
        isWhole = true;
      });
      readAnswer(response, request, pieces);
    });
    request.on('error', (error) => {
      code = readErrorCode(error);
    });
    request.once('close', () => {
      clearTimeout(timer);
      if (head === undefined) resolve({ kind: isConnected ? 'unanswered' : 'unsent', code });
      else {
        const text = Buffer.concat(pieces).toString('utf8');
        resolve({ kind: 'answer', ...head, text, ...(isWhole ? {} : { isCut: true }) });
      }
    });
    request.end(body);
  });
}

function readAnswer(response: IncomingMessage, request: ClientRequest, pieces: Buffer[]): void {
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    pieces.push(piece.subarray(0, MAX_ANSWER_BYTES - bytes));
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) request.destroy();
  });
  // The head is enough; `isCut` says that the body broke off.
  response.on('error', () => {});
}

/** Answers every lookup with the addresses that were checked. */
function pinLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, answer) => {
    const [first] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}
