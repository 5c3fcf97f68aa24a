import type { Inbox, Log } from '@aftermeet/queue';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import type { MeterReading } from './delivery-meter.ts';
import { errorName } from './error-name.ts';
import { isOperator } from './is-operator.ts';
import { METRICS_CONTENT_TYPE, renderMetrics } from './render-metrics.ts';

/** What became of the wish to read the endpoints anew. `problems` never hold a secret. */
export type ReloadResult =
  | {
      readonly ok: true;
      readonly endpoints: readonly string[];
      /** What else has changed, and takes effect with a restart only. */
      readonly needRestart?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface OperatorAppOptions {
  readonly inbox: Inbox;
  readonly log: Log;
  /** Opens the management routes to whoever sends it; without it they answer to loopback only. */
  readonly adminToken: string | undefined;
  readonly isClosing: () => boolean;
  readonly reload: (() => Promise<ReloadResult>) | undefined;
  readonly listReadings: () => Promise<readonly MeterReading[]>;
}

/** Everything that is not a delivery: health for the balancer, management for the operator. */
export function createOperatorApp(options: OperatorAppOptions): Express {
  const { inbox, log, adminToken, isClosing, reload, listReadings } = options;
  const app = express();
  app.disable('x-powered-by');

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    if (isClosing()) {
      response.status(503).json({ status: 'closing' });
      return;
    }
    try {
      await inbox.ping();
      response.json({ status: 'ready' });
    } catch (error) {
      log.warn({ error: errorName(error) }, 'not ready: the queue is away');
      response.status(503).json({ status: 'queue_unavailable' });
    }
  });

  // The metrics too: how many forgeries come, and why they fail, is what a forger would like to know.
  app.use(['/api', '/metrics'], (request: Request, response: Response, next: NextFunction) => {
    if (isOperator(request, adminToken)) next();
    else response.status(401).json({ status: 'refused', reason: 'unauthorized' });
  });
  app.get('/metrics', async (_request, response) => {
    response.setHeader('content-type', METRICS_CONTENT_TYPE);
    response.end(renderMetrics(await listReadings()));
  });
  app.get('/api/refusals', async (_request, response) => {
    response.json({ refusals: await inbox.listRefusals(100) });
  });
  if (reload !== undefined) {
    app.post('/api/reload', async (_request, response) => {
      const result = await reload();
      // What holds now is what held before: the request was fine, the file is not.
      response.status(result.ok ? 200 : 409).json(result);
    });
  }

  for (const [path, allow] of [
    ['/healthz', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
    ['/metrics', 'GET, HEAD'],
    ['/api/refusals', 'GET, HEAD'],
    ...(reload === undefined ? [] : [['/api/reload', 'POST'] as const]),
  ] as const) {
    app.all(path, (_request, response) => {
      response.status(405).set('allow', allow).json({ status: 'refused', reason: 'wrong_method' });
    });
  }
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ status: 'refused', reason: 'not_found' });
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    log.error({ error: errorName(error) }, 'a management request failed');
    if (response.headersSent) next(error);
    else response.status(503).json({ status: 'refused', reason: 'unavailable' });
  });
  return app;
}
