import type { Inbox, Log } from '@aftermeet/queue';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { errorName } from './error-name.ts';
import { isOperator } from './is-operator.ts';

export interface OperatorAppOptions {
  readonly inbox: Inbox;
  readonly log: Log;
  /** Opens the management routes to whoever sends it; without it they answer to loopback only. */
  readonly adminToken?: string;
  readonly isClosing: () => boolean;
}

/** Everything that is not a delivery: health for the balancer, management for the operator. */
export function createOperatorApp({ inbox, log, adminToken, isClosing }: OperatorAppOptions): Express {
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
  app.get('/api/refusals', async (request, response) => {
    if (!isOperator(request, adminToken)) {
      response.status(401).json({ status: 'refused', reason: 'unauthorized' });
      return;
    }
    response.json({ refusals: await inbox.listRefusals(100) });
  });
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
