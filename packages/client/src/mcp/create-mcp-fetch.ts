import type { FetchLike } from '@modelcontextprotocol/client';

import { explainAnswer, explainFault } from '../explain-fault.ts';
import { isRedirect, refuseRedirect } from '../open-answer.ts';
import { MAX_ANSWER_BYTES, parseAnswer, readText } from '../read-answer.ts';
import type { Connection } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import { watchBody } from './watch-body.ts';

export interface McpFetch {
  readonly fetch: FetchLike;
  /** What went wrong with the last request, which the SDK wraps, replaces by its own error or waits out. */
  readonly lastFault: () => ServiceError | undefined;
}

export interface McpFetchFacts {
  readonly address: URL;
  readonly doing: string;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Told when the stream of an answer breaks off or does not end. */
  readonly onBroken: (fault: ServiceError) => void;
}

/** Statuses whose answers have no body by definition. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The `fetch` for the SDK. It adds the key itself, so that nothing of the SDK ever holds it, and sends it to
 * the one address and nowhere else.
 */
export function createMcpFetch(
  connection: Connection,
  { address, doing, signal, onBroken }: McpFetchFacts,
): McpFetch {
  let lastFault: ServiceError | undefined;
  const secrets = [connection.apiKey];

  const send: FetchLike = async (url, init = {}) => {
    if (new URL(url).href !== address.href) {
      throw new ServiceError({ code: 'redirected', doing, detail: 'the key goes to the MCP address only' });
    }
    // A stream for messages of the server's own: nobody here listens to it.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    await connection.admitKey(address.href, doing, signal);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${connection.apiKey}`);
    const response = await connection.fetch(address, {
      ...init,
      headers,
      redirect: 'manual',
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
    if (isRedirect(response)) throw refuseRedirect(doing, response.status);
    return response;
  };

  /** Read here, where a fault is still known for what it is; the SDK gets a copy. */
  const copyAnswer = async (response: Response): Promise<Response> => {
    const { status, statusText } = response;
    const text = await readText(response);
    if (!response.ok) {
      const body = parseAnswer(text, response.headers);
      const retryAfter = response.headers.get('retry-after');
      lastFault = explainAnswer({ doing, status, body, retryAfter, nowMs: connection.clock(), secrets });
    }
    // What was decoded must not be announced as encoded.
    const headers = new Headers(response.headers);
    headers.delete('content-encoding');
    headers.delete('content-length');
    return new Response(bodiless.has(status) ? null : text, { status, statusText, headers });
  };

  return {
    async fetch(url, init) {
      lastFault = undefined;
      try {
        const response = await send(url, init);
        const type = response.headers.get('content-type') ?? '';
        if (!response.ok || !/^\s*text\/event-stream\b/i.test(type)) return await copyAnswer(response);
        return watchBody(response, MAX_ANSWER_BYTES, (error) => {
          lastFault = explainFault(error, { doing });
          // A stream that the SDK itself has given up is no fault of the session.
          if (lastFault.code !== 'aborted' || signal.aborted) onBroken(lastFault);
        });
      } catch (error) {
        lastFault = explainFault(error, { doing });
        throw lastFault;
      }
    },
    lastFault: () => lastFault,
  };
}
