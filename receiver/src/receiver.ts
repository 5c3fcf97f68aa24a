import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAdminListener } from './admin-listener.ts';
import type { RunCommand } from './command-route.ts';
import {
  beginRequest,
  capConnections,
  createStalledReaderSweep,
  drain,
  trackSockets,
} from './connections.ts';
import {
  createDeliveryHandler,
  DEFAULT_REFUSALS,
  type DeliveryHandlerOptions,
  type DeliveryLimits,
} from './delivery-handler.ts';
import { createDeliveryTally } from './delivery-tally.ts';
import { isOperator } from './is-operator.ts';
import { measureLoopLag } from './loop-lag.ts';
import { createReceiverMetrics } from './metrics.ts';
import { type ConsoleSettings, createOperatorApps, type ReloadResult } from './operator-app.ts';
import { createPeerNamer, createProxyCheck } from './peer-name.ts';
import { createPlainRoutes } from './plain-routes.ts';
import { createRateLimiter } from './rate-limits.ts';
import { createReadyCheck } from './readiness.ts';
import type { SlackInteractivity } from './slack-interactivity.ts';
import { answerBrokenRequests, answerUnusualRequests, askForBody } from './unusual-requests.ts';
import { createWrongTokens, refuseStranger } from './wrong-tokens.ts';

export interface ReceiverOptions extends DeliveryHandlerOptions {
  readonly adminToken?: string;
  /**
   * Without a token, closes the management routes: behind a proxy or a tunnel on this machine each request comes from
   * loopback.
   */
  readonly requireToken?: boolean;
  /** Console, metrics and API answer where `listenAdmin` listens, and are 404 on the open address. */
  readonly isAdminApart?: boolean;
  /** Reloads the endpoints, for `POST /api/reload`; without it there is no such route. */
  readonly reload?: () => Promise<ReloadResult>;
  /** The pages under `/console`; absent: there are none. */
  readonly console?: ConsoleSettings | undefined;
  /** `/slack/interactivity`; absent: there is no such route. */
  readonly slack?: SlackInteractivity | undefined;
  /** `POST /api/commands`; absent: there is no such route. */
  readonly runCommand?: RunCommand | undefined;
}

/** Limits that operators do not set; tests pass small ones. */
export interface ReceiverLimits extends DeliveryLimits {
  /** Open connections; for one more, the longest idle one is closed. Default 4000. */
  readonly maxConnections: number;
  /** How long idle connections stay open during a stop, for requests that are on their way. Default 500. */
  readonly idleGraceMs: number;
}

interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Lets other processes listen on the same port; Linux with Node 22.12 or newer. */
  readonly reusePort?: boolean;
}

export interface Receiver {
  /** Resolves with the address, which names the port that was taken. */
  listen(where: ListenOptions): Promise<{ readonly url: string }>;
  /** The address of management, where that is apart. */
  listenAdmin(where: Omit<ListenOptions, 'reusePort'>): Promise<{ readonly url: string }>;
  /** Stops listening, sends the pending answers, and resolves when the last one is out. */
  close(): Promise<void>;
}

const HOOKS = '/hooks';
/** A request must be complete within ten seconds, its headers within five; a slower one gets 408. */
const timeouts = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
const SWEEP_INTERVAL_MS = 1000;

/**
 * The hosted endpoint. `/hooks/*` goes straight to the delivery handler, what strangers ask for is answered plainly, and
 * the rest goes to Express, which costs several times the check of a signature.
 */
export function createReceiver(options: ReceiverOptions, limits: Partial<ReceiverLimits> = {}): Receiver {
  let closing = false;
  const { maxConnections = 4000, idleGraceMs = 500 } = limits;
  const { inbox, log, adminToken, requireToken, reload, nowMs = Date.now } = options;
  const lag = measureLoopLag();
  const metrics = options.metrics ?? createReceiverMetrics(options.endpoints, lag);
  const tally = createDeliveryTally(nowMs);
  const refusals = createRateLimiter(limits.refusals ?? DEFAULT_REFUSALS);
  const handleDelivery = createDeliveryHandler({ ...options, metrics, tally }, limits, {
    refusals,
    isOverloaded: () => lag.isBeyond(),
  });
  const isClosing = (): boolean => closing;
  const namePeer = createPeerNamer(options.trustedProxies ?? []);
  const checkReady = createReadyCheck({ inbox, endpoints: options.endpoints, isClosing, log, nowMs });
  const wrongTokens = createWrongTokens({ log, namePeer, nowMs });
  const isAdminApart = options.isAdminApart ?? false;
  const operatorApps = createOperatorApps(
    {
      inbox,
      checkReady,
      wrongTokens,
      log,
      isClosing,
      adminToken,
      requireToken,
      reload,
      metrics,
      readCounts: () => tally.read(),
      console: options.console,
      slack: options.slack,
      runCommand: options.runCommand,
      namePeer,
      isFromProxy: createProxyCheck(options.trustedProxies ?? []),
      nowMs,
    },
    isAdminApart,
  );
  const answerPlainly = createPlainRoutes({
    checkReady,
    refuseManagement: isAdminApart
      ? undefined
      : (request, response) => {
          const asked = Object.assign(request, { originalUrl: request.url ?? '' });
          if (isOperator(asked, { adminToken, requireToken })) return false;
          refuseStranger(request, response, { wrongTokens, adminToken });
          return true;
        },
    countUnknown(request) {
      const taken = refusals.take(namePeer(request), nowMs());
      return taken.ok ? undefined : taken.retryAfterSeconds;
    },
  });
  const admin = isAdminApart ? createAdminListener(operatorApps.management, { log, isClosing }) : undefined;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // During a stop each answer also ends its keep-alive connection.
    if (closing) response.shouldKeepAlive = false;
    if (!beginRequest(open, response)) return;
    // Node drops what follows an offer to upgrade. The connection ends here, so that the sender repeats it.
    if (offersUpgrade(request)) response.shouldKeepAlive = false;
    if (hasRepeatedHost(request)) {
      refuseRepeatedHost(response);
      return;
    }
    const url = readTarget(request.url ?? '');
    if (url.startsWith(`${HOOKS}/`)) {
      request.url = url.slice(HOOKS.length);
      handleDelivery(request, response);
    } else if (!answerPlainly(request, response, url)) {
      askForBody(request, response);
      operatorApps.open(request, response);
    }
  };
  const server = createServer(timeouts, listener);
  // Node 20 silently drops header lines above its count limit, possibly a signature.
  // Without that limit the size limit remains, and it answers 431.
  server.maxHeadersCount = 0;
  // A sender may close its half of the connection after its request and still wait for the answer. The option is old;
  // Node's types lack it.
  Object.assign(server, { httpAllowHalfOpen: true });
  const open = trackSockets(server);
  capConnections(server, maxConnections, { open, log, metrics, nowMs });
  answerUnusualRequests(server, open, listener);
  answerBrokenRequests(server, open, { log, nowMs });
  const sweepStalledReaders = createStalledReaderSweep(open);
  let sweeping: NodeJS.Timeout | undefined;

  return {
    listen: ({ host, port, reusePort = false }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, reusePort }, () => {
          server.removeListener('error', reject);
          sweeping = setInterval(sweepStalledReaders, SWEEP_INTERVAL_MS).unref();
          server.on('error', () => log.error({}, 'the listening socket failed'));
          // A listening TCP server always has an AddressInfo.
          resolve({ url: formatAddress(host, (server.address() as AddressInfo).port) });
        });
      }),
    listenAdmin: async ({ host, port }) => {
      if (admin === undefined) throw new Error('listenAdmin needs isAdminApart');
      return { url: formatAddress(host, await admin.listen(host, port)) };
    },
    close: () => {
      closing = true;
      const drained = [drain(server, open, idleGraceMs)];
      if (admin !== undefined) drained.push(admin.close(idleGraceMs));
      return Promise.all(drained).then(() => {
        clearInterval(sweeping);
        lag.stop();
      });
    },
  };
}

function offersUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '');
}

/** A server must also accept the absolute form of a target (RFC 9112, 3.2.2). */
function readTarget(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Node keeps the first of two `Host` lines; a proxy in front may have used the other one. */
function hasRepeatedHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** A server must answer 400 (RFC 9112, 3.2). What follows on the connection cannot be trusted either. */
function refuseRepeatedHost(response: ServerResponse): void {
  response.writeHead(400, { 'content-length': '0', connection: 'close' });
  response.end();
}

/** The address of a server as this machine reaches it: IPv6 in brackets, a wildcard as loopback. */
export function formatAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
