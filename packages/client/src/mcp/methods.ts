import { readPieces } from '../answer-pieces.ts';
import type { Client, McpListOptions } from '../client.ts';
import { type OperationName, ServiceError } from '../errors.ts';
import { type Connection, isRedirect, refuseRedirect } from '../http.ts';
import { checkTimeout, withRetries } from '../retries.ts';
import { refuseInput } from '../service-fault.ts';
import type { McpExchange } from './message.ts';
import type { McpClientInfo } from './revision.ts';
import { createMcpSession } from './session.ts';
import { callingTool, callTool, listingTools, listTools, type McpLimits } from './tools.ts';

/** The methods of one client, which share what was agreed on with the server. */
export function createMcpMethods(
  connection: Connection,
  mcpUrl: string,
  clientInfo: McpClientInfo,
): Client['mcp'] {
  const session = createMcpSession({
    exchange: createExchange(connection, mcpUrl),
    clientInfo,
    clock: connection.clock,
    redactions: [connection.apiKey],
  });
  return {
    async listTools(options = {}) {
      const limits = readLimits(connection, options, listingTools);
      return withRetries(connection, (leftMs) => listTools(session, within(limits, leftMs)), options.signal);
    },
    async callTool(name, input = {}, options = {}) {
      const limits = readLimits(connection, options, callingTool);
      const call = { name, input, onProgress: options.onProgress, ...limits };
      return withRetries(connection, (leftMs) => callTool(session, within(call, leftMs)), options.signal);
    },
  };
}

/** Of one attempt: what is usual, and never more than is left. */
function within<Limits extends McpLimits>(limits: Limits, leftMs: number): Limits {
  return { ...limits, timeoutMs: Math.min(limits.timeoutMs, leftMs) };
}

function readLimits(
  connection: Connection,
  { timeoutMs = connection.timeoutMs, signal }: McpListOptions,
  operation: OperationName,
): McpLimits {
  const problems = checkTimeout(timeoutMs);
  if (problems.length > 0) throw refuseInput(operation, problems);
  return { timeoutMs, signal };
}

/** Sends to the MCP address and to no other, with the key as bearer token. */
function createExchange(connection: Connection, mcpUrl: string): McpExchange {
  const address = new URL(`${mcpUrl}/mcp`);
  return async ({ headers, body, operation, timeoutMs, signal }) => {
    if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation, unsent: true });
    await connection.assertKeyAllowed(mcpUrl, operation, signal);
    const limit = connection.startTimeLimit(timeoutMs, signal);
    // Progress gives a tool more time, but no more than a request may take in all.
    const endsMs = connection.clock() + (connection.totalMs ?? Infinity);
    const toError = (error: unknown): ServiceError =>
      connection.explainFault(error, { operation, signal, timeout: limit.timeout, timeoutMs });
    try {
      const response = await connection.fetch(address, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${connection.apiKey}` },
        body,
        // A redirect would carry the key to another address.
        redirect: 'manual',
        signal: limit.signal,
      });
      if (isRedirect(response)) throw refuseRedirect(operation, response.status);
      return {
        status: response.status,
        readHeader: (name) => response.headers.get(name),
        pieces: readBytes(response, toError),
        restart: () => {
          if (connection.clock() + timeoutMs <= endsMs) limit.restart();
        },
        close: () => limit.stop(),
      };
    } catch (error) {
      limit.stop();
      throw toError(error);
    }
  };
}

async function* readBytes(
  response: Response,
  toError: (error: unknown) => ServiceError,
): AsyncGenerator<Uint8Array> {
  const pieces = readPieces(response);
  try {
    for await (const piece of pieces) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
      yield piece;
    }
  } catch (error) {
    throw toError(error);
  }
}
