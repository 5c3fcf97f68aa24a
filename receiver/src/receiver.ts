import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerBrokenRequests } from './answer-broken-requests.ts';
import { answerHealth, asksForHealth } from './answer-health.ts';
import { answerOddRequests } from './answer-odd-requests.ts';
import { askForBody } from './awaited-bodies.ts';
import { beginRequest } from './bound-turns.ts';
import { capConnections } from './cap-connections.ts';
import { createDeafSweep } from './deaf-peers.ts';
import { createDeliveryHandler, type DeliveryHandlerOptions } from './delivery-handler.ts';
import { createDeliveryMeter, type MeterReading } from './delivery-meter.ts';
import { hasDoubledHost, refuseDoubledHost } from './doubled-host.ts';
import { drain } from './drain.ts';
import { formatAddress } from './format-address.ts';
import { trackSockets } from './open-sockets.ts';
import { createOperatorApp, type ReloadResult } from './operator-app.ts';

export interface ReceiverOptions extends DeliveryHandlerOptions {
  readonly adminToken?: string;
  /**
   * Without a token nobody is the operator: for a receiver behind a proxy or a tunnel on this machine, where everybody's
   * request comes from loopback.
   */
  readonly requireToken?: boolean;
  /** On the way down: how long idle connections stay open for a request that may be on its way. */
  readonly idleGraceMs?: number;
  /** Connections at once; for one more, the one that has been idle for the longest is closed. 4000. */
  readonly maxConnections?: number;
  /** Reads the endpoints anew, for `POST /api/reload`; without it there is no such route. */
  readonly reload?: () => Promise<ReloadResult>;
  /** The readings that `GET /metrics` adds up, where several processes serve; this receiver's alone by default. */
  readonly listReadings?: () => Promise<readonly MeterReading[]>;
}

export interface Receiver {
  /** Port 0 takes a free one; the address that was taken comes back. */
  listen(where: { readonly host: string; readonly port: number }): Promise<{ readonly url: string }>;
  /** What this receiver counted. */
  read(): MeterReading;
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
const SWEEP_EVERY_MS = 1000;
const DEFAULT_IDLE_GRACE_MS = 500;
const DEFAULT_MAX_CONNECTIONS = 4000;

/**
 * The hosted endpoint. `/hooks/*` goes straight to the delivery handler and everything else to Express,
 * which costs several times the check of a signature.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  let closing = false;
  const { inbox, log, adminToken, requireToken, reload, nowMs = Date.now } = options;
  const meter = options.meter ?? createDeliveryMeter();
  const handleDelivery = createDeliveryHandler({ ...options, meter });
  const operatorApp = createOperatorApp({
    inbox,
    log,
    isClosing: () => closing,
    adminToken,
    requireToken,
    reload,
    nowMs,
    listReadings: options.listReadings ?? (() => Promise.resolve([meter.read()])),
  });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // On the way down each answer also ends its keep-alive connection.
    if (closing) response.shouldKeepAlive = false;
    if (!beginRequest(open, response)) return;
    // Node drops what stands behind an offer to upgrade; at the end of the connection the sender repeats it.
    if (offersUpgrade(request)) response.shouldKeepAlive = false;
    if (hasDoubledHost(request)) {
      refuseDoubledHost(response);
      return;
    }
    const url = readTarget(request.url ?? '');
    if (url.startsWith(`${HOOKS}/`)) {
      request.url = url.slice(HOOKS.length);
      handleDelivery(request, response);
    } else if (asksForHealth(request, url)) {
      answerHealth(request, response);
    } else {
      askForBody(request, response);
      operatorApp(request, response);
    }
  };
  const server = createServer(timeouts, listener);
  // Node 20 drops header lines past its count limit without a word, a signature among them perhaps.
  // Without the count the size cap stands alone, and it answers 431.
  server.maxHeadersCount = 0;
  // A sender may close its half of the connection after its request, and still waits for the answer. Node has had this
  // switch since its beginnings; its types have not.
  Object.assign(server, { httpAllowHalfOpen: true });
  const open = trackSockets(server);
  capConnections(server, options.maxConnections ?? DEFAULT_MAX_CONNECTIONS, { open, log, meter, nowMs });
  answerOddRequests(server, open, listener);
  answerBrokenRequests(server, open, { log, nowMs });
  const sweep = createDeafSweep(open);
  let sweeping: NodeJS.Timeout | undefined;

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.removeListener('error', reject);
          sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref();
          server.on('error', () => options.log.error({}, 'the listening socket failed'));
          // A listening TCP server always has an AddressInfo.
          resolve({ url: formatAddress(host, (server.address() as AddressInfo).port) });
        });
      }),
    read: () => meter.read(),
    close: () => {
      closing = true;
      return drain(server, open, options.idleGraceMs ?? DEFAULT_IDLE_GRACE_MS).finally(() =>
        clearInterval(sweeping),
      );
    },
  };
}

function offersUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
}

/** A server must also take the absolute form of a target (RFC 9112, 3.2.2). */
function readTarget(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
