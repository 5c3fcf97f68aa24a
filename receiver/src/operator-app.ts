import type { Inbox, Log } from '@aftermeet/queue';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import type { MeterReading } from './delivery-meter.ts';
import { errorName } from './error-name.ts';
import { isOperator } from './is-operator.ts';
import { createReadyCheck } from './ready-check.ts';
import { METRICS_CONTENT_TYPE, renderMetrics } from './render-metrics.ts';

/** What became of the wish to read the endpoints anew. `problems` never hold a secret. */
export type ReloadResult =
  | {
      readonly ok: true;
      readonly endpoints: readonly string[];
      /** That were there before: their deliveries are answered 404 now. */
      readonly removed?: readonly string[];
      /** What else has changed, and takes effect with a restart only. */
      readonly needRestart?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface OperatorAppOptions {
  readonly inbox: Inbox;
  readonly log: Log;
  /** Opens the management routes to whoever sends it; without it they answer to loopback only. */
  readonly adminToken: string | undefined;
  /** Without a token it then opens them to nobody. */
  readonly requireToken: boolean | undefined;
  readonly isClosing: () => boolean;
  readonly reload: (() => Promise<ReloadResult>) | undefined;
  readonly listReadings: () => Promise<readonly MeterReading[]>;
  readonly nowMs: () => number;
}

/** Readiness for the balancer, management for the operator. */
export function createOperatorApp(options: OperatorAppOptions): Express {
  const { inbox, log, isClosing, reload, listReadings, nowMs } = options;
  const checkReady = createReadyCheck(inbox, { log, nowMs });
  const app = express();
  app.disable('x-powered-by');

  app.get('/readyz', async (_request, response) => {
    if (isClosing()) {
      response.status(503).json({ status: 'closing' });
      return;
    }
    const status = await checkReady();
    response.status(status === 'ready' ? 200 : 503).json({ status });
  });

  // The metrics too: how many forgeries come, and why they fail, is what a forger would like to know.
  app.use(['/api', '/metrics'], (request: Request, response: Response, next: NextFunction) => {
    if (isOperator(request, options)) next();
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
