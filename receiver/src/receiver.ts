import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';

import { answerBrokenRequests } from './answer-broken-requests.ts';
import { createDeliveryHandler, type DeliveryHandlerOptions } from './delivery-handler.ts';
import { formatAddress } from './format-address.ts';
import { createOperatorApp } from './operator-app.ts';

export interface ReceiverOptions extends DeliveryHandlerOptions {
  readonly adminToken?: string;
  /** On the way down: how long idle connections stay open for a request that may be on its way. */
  readonly idleGraceMs?: number;
}

export interface Receiver {
  /** Port 0 takes a free one; the address that was taken comes back. */
  listen(where: { readonly host: string; readonly port: number }): Promise<{ readonly url: string }>;
  /** Stops accepting, answers what it holds, and resolves when the last answer is out. */
  close(): Promise<void>;
}

const HOOKS = '/hooks';
/** A request must be complete within ten seconds, its headers within half of that; a slow one is answered 408. */
const timeouts = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
const DRAIN_MS = 8000;
const DEFAULT_IDLE_GRACE_MS = 500;
const SWEEP_EVERY_MS = 20;

/**
 * The hosted endpoint. `/hooks/*` goes straight to the delivery handler and everything else to Express,
 * which costs several times the check of a signature.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  let closing = false;
  const handleDelivery = createDeliveryHandler(options);
  const operatorApp = createOperatorApp({
    inbox: options.inbox,
    log: options.log,
    isClosing: () => closing,
    ...(options.adminToken === undefined ? {} : { adminToken: options.adminToken }),
  });
  const server = createServer(timeouts, (request: IncomingMessage, response: ServerResponse) => {
    // On the way down each answer also ends its keep-alive connection.
    if (closing) response.shouldKeepAlive = false;
    const url = readTarget(request.url ?? '');
    if (url.startsWith(`${HOOKS}/`)) {
      request.url = url.slice(HOOKS.length);
      handleDelivery(request, response);
    } else {
      operatorApp(request, response);
    }
  });
  // Node 20 drops header lines past its count limit without a word, a signature among them perhaps.
  // Without the count the size cap stands alone, and it answers 431.
  server.maxHeadersCount = 0;
  answerBrokenRequests(server, options.log);

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.removeListener('error', reject);
          server.on('error', () => options.log.error({}, 'the listening socket failed'));
          // A listening TCP server always has an AddressInfo.
          resolve({ url: formatAddress(host, (server.address() as AddressInfo).port) });
        });
      }),
    close: () => {
      closing = true;
      return drain(server, options.idleGraceMs ?? DEFAULT_IDLE_GRACE_MS);
    },
  };
}

/** A server must also take the absolute form of a target (RFC 9112, 3.2.2). */
function readTarget(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * Waits for the answers that are under way. A connection that looks idle may have a request on its way, so
 * idle ones get a moment in which each answer says `Connection: close`; only then are they closed.
 */
function drain(server: Server, idleGraceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
    }, idleGraceMs);
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // The close of net, which only stops listening: http's own resets idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
  });
}
