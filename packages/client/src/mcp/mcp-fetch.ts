import type { FetchLike } from '@modelcontextprotocol/client';

import { parseAnswer } from '../answers.ts';
import { type OperationName, ServiceError } from '../errors.ts';
import { type Connection, isRedirect, MAX_ANSWER_BYTES, readText, refuseRedirect } from '../http.ts';
import { refusalToError, toServiceError } from '../service-fault.ts';

export interface McpFetch {
  readonly address: URL;
  readonly fetch: FetchLike;
  /** What went wrong with the last request, which the SDK wraps, replaces by its own error or waits out. */
  readonly lastFault: () => ServiceError | undefined;
}

export interface McpFetchFacts {
  /** Without `/mcp`. */
  readonly mcpUrl: string;
  readonly operation: OperationName;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Called when the stream of an answer breaks off or does not end. */
  readonly onBroken: (fault: ServiceError) => void;
}

/** Statuses whose answers have no body by definition. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The `fetch` for the SDK. It adds the key itself, so that the SDK never holds it, and sends it to the one address and
 * to no other.
 */
export function createMcpFetch(
  connection: Connection,
  { mcpUrl, operation, signal, onBroken }: McpFetchFacts,
): McpFetch {
  const address = new URL(`${mcpUrl}/mcp`);
  let lastFault: ServiceError | undefined;

  const send: FetchLike = async (url, init = {}) => {
    if (new URL(url).href !== address.href) {
      const detail = 'the key goes to the MCP address only';
      throw new ServiceError({ code: 'redirected', operation, detail });
    }
    // A stream for messages that the server begins: the client does not listen to it.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    await connection.assertKeyAllowed(mcpUrl, operation, signal);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${connection.apiKey}`);
    const response = await connection.fetch(address, {
      ...init,
      headers,
      redirect: 'manual',
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
    if (isRedirect(response)) throw refuseRedirect(operation, response.status);
    return response;
  };

  /** Read here, where a fault is still known for what it is; the SDK gets a copy. */
  const copyAnswer = async (response: Response): Promise<Response> => {
    const { status, statusText } = response;
    const text = await readText(response);
    if (!response.ok) {
      lastFault = refusalToError({
        operation,
        status,
        body: parseAnswer(text, response.headers),
        retryAfter: response.headers.get('retry-after'),
        nowMs: connection.clock(),
        redactions: [connection.apiKey],
      });
    }
    // What was decoded must not be announced as encoded.
    const headers = new Headers(response.headers);
    headers.delete('content-encoding');
    headers.delete('content-length');
    return new Response(bodiless.has(status) ? null : text, { status, statusText, headers });
  };

  return {
    address,
    async fetch(url, init) {
      lastFault = undefined;
      try {
        const response = await send(url, init);
        const type = response.headers.get('content-type') ?? '';
        if (!response.ok || !/^\s*text\/event-stream\b/i.test(type)) return await copyAnswer(response);
        return limitBody(response, MAX_ANSWER_BYTES, (error) => {
          lastFault = toServiceError(error, { operation });
          // A stream that the SDK itself has given up is no fault of the session.
          if (lastFault.code !== 'aborted' || signal.aborted) onBroken(lastFault);
        });
      } catch (error) {
        lastFault = toServiceError(error, { operation });
        throw lastFault;
      }
    },
    lastFault: () => lastFault,
  };
}

/**
 * The same answer, which ends with a `RangeError` beyond `maxBytes`. `onBroken` gets that error, and the one of a body
 * that breaks off, which the SDK would wait out.
 */
export function limitBody(
  response: Response,
  maxBytes: number,
  onBroken: (error: unknown) => void,
): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  let size = 0;
  const readPiece = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await reader.read();
    if (done) return undefined;
    size += value.length;
    if (size <= maxBytes) return value;
    const error = new RangeError(`the answer is over ${maxBytes} bytes`);
    // The rest is not wanted; a failure to cancel it would change nothing.
    void reader.cancel(error).catch(() => {});
    throw error;
  };
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const piece = await readPiece();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      } catch (error) {
        onBroken(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
