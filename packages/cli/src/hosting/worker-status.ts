import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Log } from '@aftermeet/queue';
import { formatAddress, isOperator, METRICS_CONTENT_TYPE } from '@aftermeet/receiver';
import type { Worker } from '@aftermeet/recipes';

import { listenOn } from '../listen-on.ts';
import type { Settings } from '../settings/settings.ts';
import { requiresToken } from './requires-token.ts';

export interface WorkerStatus {
  readonly url: string;
  close(): Promise<void>;
}

type StatusSettings = Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies' | 'adminToken'> & {
  readonly workerPort: number;
};

/** A balancer that hears nothing takes the worker for dead. */
const ANSWER_WITHIN_MS = 900;
const MOST_CONNECTIONS = 100;

/** Says over HTTP how a worker is: alive, ready, and its figures for operators, by the receiver's rule. */
export async function openWorkerStatus(
  settings: StatusSettings,
  worker: Pick<Worker, 'ping' | 'renderMetrics'>,
  log: Log,
): Promise<WorkerStatus> {
  const { host, workerPort, adminToken } = settings;
  const rule = { adminToken, requireToken: requiresToken(settings) };
  const checkReady = createReadyCheck(worker);
  const server = createServer({ headersTimeout: 5000, requestTimeout: 10_000 }, (request, response) => {
    answer(request, response, { worker, rule, checkReady }).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  const advice = 'Choose another with WORKER_PORT; 0 takes any free one.';
  await listenOn(
    async (port) => {
      server.listen(port, host);
      await once(server, 'listening');
    },
    workerPort,
    advice,
  );
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : workerPort;
  if (adminToken === undefined && rule.requireToken) {
    log.info({}, '/metrics answers 401: others may reach it, so ADMIN_TOKEN opens it');
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
  readonly worker: Pick<Worker, 'renderMetrics'>;
  readonly rule: Parameters<typeof isOperator>[1];
  readonly checkReady: () => Promise<boolean>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { worker, rule, checkReady }: Answers,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (path !== '/healthz' && path !== '/readyz' && path !== '/metrics') {
    sendJson(response, 404, { status: 'refused', reason: 'not_found' });
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    sendJson(response, 405, { status: 'refused', reason: 'wrong_method' });
  } else if (path === '/healthz') {
    sendJson(response, 200, { status: 'ok' });
  } else if (path === '/readyz') {
    const isReady = await checkReady();
    sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'queue_unavailable' });
  } else if (isOperator(Object.assign(request, { originalUrl: request.url ?? '' }), rule)) {
    response.setHeader('content-type', METRICS_CONTENT_TYPE);
    response.end(worker.renderMetrics());
  } else {
    sendJson(response, 401, { status: 'refused', reason: 'unauthorized' });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** All who ask share one question to the store: while that is away it is not answered, however often it is put. */
function createReadyCheck({ ping }: Pick<Worker, 'ping'>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = (): Promise<boolean> =>
    ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
  return async () => {
    asking ??= ask();
    const patience = new AbortController();
    const late = delay(ANSWER_WITHIN_MS, false, { signal: patience.signal }).catch(() => false);
    try {
      return await Promise.race([asking, late]);
    } finally {
      patience.abort();
    }
  };
}
