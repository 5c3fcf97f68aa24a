import type { LookupAddress } from 'node:dns';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import { readErrorCode } from './read-error-code.ts';

/** So much of an answer is read, so as not to hang up rudely, and kept. */
const mostAnswerBytes = 64 * 1024;

export interface PostCall {
  readonly url: URL;
  /** It connects to one of these and to nothing else. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For everything: connecting, sending, and the answer to its end. */
  readonly timeoutMs: number;
}

export type PostOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The beginning of its body. */
      readonly text: string;
      /** It broke off, or is longer than what is read of it. */
      readonly isCut?: true;
    }
  /** No connection came about: nothing was sent. */
  | { readonly kind: 'unsent'; readonly code: string }
  /** It was sent at least in part, and no answer came. */
  | { readonly kind: 'unanswered'; readonly code: string };

/**
 * One POST over a connection of its own: a connection that is kept would outlive the check of its address. Redirects
 * are answers like any other, proxies of the environment are not asked. Never rejects.
 */
export function postOnce({ url, addresses, headers, body, timeoutMs }: PostCall): Promise<PostOutcome> {
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = { method: 'POST', headers, agent: false, lookup: pinLookup(addresses) };
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    } catch (error) {
      // A header that Node does not take.
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
      keep(response, request, pieces);
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

function keep(response: IncomingMessage, request: ClientRequest, pieces: Buffer[]): void {
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    pieces.push(piece.subarray(0, mostAnswerBytes - bytes));
    bytes += piece.length;
    if (bytes > mostAnswerBytes) request.destroy();
  });
  // The head has said everything.
  response.on('error', () => {});
}

/** Answers every question with the same addresses: the one that was checked is the one that is connected to. */
function pinLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, answer) => {
    const [first] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}
