import { ServiceError } from '@aftermeet/client/pure';

import { isFileStream } from '../transport/file-stream.ts';
import { requestRaw } from '../transport/request-raw.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import type { McpExchange } from './exchange.ts';

/** The result is there already. */
const GOODBYE_WITHIN_MS = 5000;

export interface ExchangeFacts {
  /** Of the MCP endpoint, without `/mcp`. */
  readonly mcpUrl: string;
  readonly doing: string;
  /** For a whole request, its answer included: an event stream may stay open. */
  readonly timeoutMs: number;
}

/** Sends through n8n, whose credential adds the bearer token (credentials/sign-request.ts). */
export function exchangeWithN8n(context: ServiceContext, facts: ExchangeFacts): McpExchange {
  const { mcpUrl, doing, timeoutMs } = facts;
  return async ({ method, headers, message }) => {
    const withinMs = method === 'DELETE' ? Math.min(timeoutMs, GOODBYE_WITHIN_MS) : timeoutMs;
    const answer = await requestRaw(context, {
      doing,
      method,
      url: `${mcpUrl}/mcp`,
      headers,
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
      timeoutMs: withinMs,
      limitMs: withinMs,
    });
    const { status, readHeader, body, explain } = answer;
    if (!isFileStream(body)) {
      throw new ServiceError({ code: 'unreadable', doing, status, detail: 'the answer is no stream' });
    }
    return {
      status,
      readHeader,
      pieces: readPieces(body, explain),
      giveUp: () => void body.destroy(),
    };
  };
}

async function* readPieces(
  body: AsyncIterable<unknown>,
  explain: (error: unknown) => ServiceError,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('a piece is not made of bytes');
      yield piece;
    }
  } catch (error) {
    throw explain(error);
  }
}
