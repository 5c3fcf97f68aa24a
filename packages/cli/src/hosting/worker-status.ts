import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Log } from '@aftermeet/queue';
import type { isOperator, WrongTokens } from '@aftermeet/receiver';
import type { Worker } from '@aftermeet/recipes';

import { MAX_SKEW_MS } from '../console/workers.ts';
import type { Settings } from '../settings/settings.ts';
import { requiresToken } from './admin-access.ts';
import { listenOn } from './resources.ts';

export interface WorkerStatus {
  readonly url: string;
  close(): Promise<void>;
}

type StatusSettings = Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies' | 'adminToken'> & {
  readonly workerPort: number;
};

/** Below the timeout of a balancer, which takes a silent worker for dead. */
const ANSWER_WITHIN_MS = 900;
const MAX_CONNECTIONS = 100;

/** Serves health, readiness and, to operators as defined by the receiver, metrics of a worker. */
export async function openWorkerStatus(
  settings: StatusSettings,
  worker: Pick<Worker, 'ping' | 'renderMetrics' | 'readClockAheadMs'>,
  log: Log,
): Promise<WorkerStatus> {
  const { createPeerNamer, createWrongTokens, formatAddress } = await import('@aftermeet/receiver');
  const { host, workerPort, adminToken } = settings;
  const rule = { adminToken, requireToken: requiresToken(settings) };
  const namePeer = createPeerNamer(settings.trustedProxies);
  const wrongTokens = createWrongTokens({ log, namePeer, nowMs: Date.now });
  const checkReady = createReadyCheck(worker);
  const server = createServer({ headersTimeout: 5000, requestTimeout: 10_000 }, (request, response) => {
    answer(request, response, { worker, rule, wrongTokens, checkReady }).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listenOn(
    async (port) => {
      server.listen(port, host);
      await once(server, 'listening');
    },
    workerPort,
    'Choose another with WORKER_PORT; 0 takes any free one.',
  );
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : workerPort;
  if (adminToken === undefined && rule.requireToken) {
    log.info({}, '/metrics answers 401: other machines may reach it, so set ADMIN_TOKEN');
  }
  return {
    url: formatAddress(host, port),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Answers {
  readonly worker: Pick<Worker, 'renderMetrics' | 'readClockAheadMs'>;
  readonly rule: Parameters<typeof isOperator>[1];
  readonly wrongTokens: WrongTokens;
  readonly checkReady: () => Promise<boolean>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { worker, rule, wrongTokens, checkReady }: Answers,
): Promise<void> {
  const { isOperator, METRICS_CONTENT_TYPE, refuseStranger } = await import('@aftermeet/receiver');
  const [path] = (request.url ?? '').split('?');
  if (path !== '/healthz' && path !== '/readyz' && path !== '/metrics') {
    sendJson(response, 404, { status: 'refused', reason: 'not_found' });
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    sendJson(response, 405, { status: 'refused', reason: 'wrong_method' });
  } else if (path === '/healthz') {
    const aheadSeconds = Math.round(worker.readClockAheadMs() / 1000);
    const isOff = Math.abs(aheadSeconds) * 1000 > MAX_SKEW_MS;
    sendJson(response, 200, { status: 'ok', ...(isOff ? { clock_ahead_seconds: aheadSeconds } : {}) });
  } else if (path === '/readyz') {
    const isReady = await checkReady();
    sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'queue_unavailable' });
  } else if (isOperator(Object.assign(request, { originalUrl: request.url ?? '' }), rule)) {
    const metrics = await worker.renderMetrics();
    response.setHeader('content-type', METRICS_CONTENT_TYPE);
    response.end(metrics);
  } else {
    refuseStranger(request, response, { wrongTokens, adminToken: rule.adminToken });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** Concurrent requests share one ping: while the store is away it answers none, however many are sent. */
function createReadyCheck({ ping }: Pick<Worker, 'ping'>): () => Promise<boolean> {
  let pinging: Promise<boolean> | undefined;
  const start = (): Promise<boolean> =>
    ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pinging = undefined;
      });
  return async () => {
    pinging ??= start();
    const timer = new AbortController();
    const late = delay(ANSWER_WITHIN_MS, false, { signal: timer.signal }).catch(() => false);
    try {
      return await Promise.race([pinging, late]);
    } finally {
      timer.abort();
    }
  };
}
