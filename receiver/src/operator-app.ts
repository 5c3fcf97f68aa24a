import type { IncomingMessage } from 'node:http';

import type { Inbox, Log } from '@aftermeet/queue';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { createCommandRoute, type RunCommand } from './command-route.ts';
import type { ConsoleData } from './console/console-data.ts';
import { createConsole } from './console/console.ts';
import type { DeliveryCounts } from './delivery-tally.ts';
import { addFrontPage } from './front-page.ts';
import { isOperator } from './is-operator.ts';
import { errorName } from './logging.ts';
import { METRICS_CONTENT_TYPE, type ReceiverMetrics } from './metrics.ts';
import type { NamePeer } from './peer-name.ts';
import type { Readiness } from './readiness.ts';
import { statusOfError } from './request-status.ts';
import { createSlackInteractivity, type SlackInteractivity } from './slack-interactivity.ts';
import { refuseStranger, type WrongTokens } from './wrong-tokens.ts';

/** The result of reloading the endpoints. `problems` never hold a secret. */
export type ReloadResult =
  | {
      readonly ok: true;
      readonly endpoints: readonly string[];
      /** Endpoints that were removed on purpose; their deliveries get 503 for a while, then 404. */
      readonly removed?: readonly string[];
      /** Other changes, which need a restart. */
      readonly needRestart?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface OperatorAppOptions {
  readonly inbox: Inbox;
  readonly checkReady: () => Promise<Readiness>;
  readonly wrongTokens: WrongTokens;
  readonly log: Log;
  /** The bearer token of the management routes; without it they answer to loopback only. */
  readonly adminToken: string | undefined;
  /** Closes the management routes as long as there is no token. */
  readonly requireToken: boolean | undefined;
  readonly isClosing: () => boolean;
  readonly reload: (() => Promise<ReloadResult>) | undefined;
  readonly metrics: ReceiverMetrics;
  /** What this process has answered. */
  readonly readCounts: () => DeliveryCounts;
  /** The pages under `/console`; absent: there are none. */
  readonly console: ConsoleSettings | undefined;
  /** Buttons of our messages in Slack; absent: there is no such route. */
  readonly slack: SlackInteractivity | undefined;
  /** Runs commands of operators who are elsewhere; absent: there is no such route. */
  readonly runCommand: RunCommand | undefined;
  readonly namePeer: NamePeer;
  /** Whether a request comes from a trusted proxy. */
  readonly isFromProxy: (request: IncomingMessage) => boolean;
  readonly nowMs: () => number;
}

export interface ConsoleSettings {
  /** Opens what the pages show, at the first request. */
  readonly openData: () => Promise<ConsoleData>;
  /** The public address of the receiver. */
  readonly publicUrl?: string | undefined;
  /** A header by which a trusted proxy names who has logged in there; absent: none is believed. */
  readonly trustHeader?: string | undefined;
}

/** The two are one where management has no address of its own. */
export interface OperatorApps {
  /** Readiness, what links in mails open, and clicks in Slack; management too, unless that is apart. */
  readonly open: Express;
  /** Readiness and management. */
  readonly management: Express;
}

/**
 * Readiness for the balancer, management for the operator. `isApart`: management has an address of its own, and the open
 * app knows none of its paths.
 */
export function createOperatorApps(options: OperatorAppOptions, isApart: boolean): OperatorApps {
  const { log, nowMs, checkReady } = options;
  const open = express().disable('x-powered-by');
  const management = isApart ? express().disable('x-powered-by') : open;
  for (const app of new Set([open, management])) {
    addFrontPage(app, app !== open);
    app.get('/readyz', async (_request, response) => {
      const readiness = await checkReady();
      response.status(readiness.status === 'ready' ? 200 : 503).json(readiness);
    });
  }
  // The receiver answers it on the open address before it asks this app.
  if (isApart) management.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));

  if (options.console !== undefined) {
    const { pages, approve, unsubscribe } = createConsole({
      ...options,
      ...options.console,
      // The name of the open address is none of the console's own one.
      publicUrl: isApart ? undefined : options.console.publicUrl,
    });
    management.use('/console', pages);
    open.use('/approve', approve);
    open.use('/unsubscribe', unsubscribe);
  }
  if (options.slack !== undefined) {
    open.use('/slack', createSlackInteractivity({ ...options.slack, log, nowMs }));
  }
  addManagement(management, options);
  for (const app of new Set([open, management])) {
    refuseMethods(app, { '/': 'GET, HEAD', '/healthz': 'GET, HEAD', '/readyz': 'GET, HEAD' });
    addRefusals(app, log);
  }
  return { open, management };
}

/** What programs of the operator ask for. */
function addManagement(app: Express, options: OperatorAppOptions): void {
  const { inbox, log, reload, metrics, runCommand } = options;
  // The metrics are protected too: the causes of refusals would help a forger.
  app.use(['/api', '/metrics'], (request: Request, response: Response, next: NextFunction) => {
    if (isOperator(request, options)) next();
    else refuseStranger(request, response, options);
  });
  app.get('/metrics', async (_request, response) => {
    response.setHeader('content-type', METRICS_CONTENT_TYPE);
    response.end(await metrics.render());
  });
  app.get('/api/refusals', async (_request, response) => {
    // Stored by all receivers, and counted by this one.
    response.json({ refusals: await inbox.listRefusals(100), counts: options.readCounts() });
  });
  if (runCommand !== undefined) {
    app.use(
      '/api/commands',
      (_request: Request, response: Response, next: NextFunction) => {
        // A page in a browser on this machine must not run commands.
        if (options.adminToken !== undefined) next();
        else response.status(403).json({ status: 'refused', reason: 'needs_token' });
      },
      createCommandRoute(runCommand, log),
    );
  }
  if (reload !== undefined) {
    app.post('/api/reload', async (_request, response) => {
      const result = await reload();
      // 409: the request is valid, the file is not, and the old endpoints stay.
      response.status(result.ok ? 200 : 409).json(result);
    });
  }
  refuseMethods(app, {
    '/metrics': 'GET, HEAD',
    '/api/refusals': 'GET, HEAD',
    ...(reload === undefined ? {} : { '/api/reload': 'POST' }),
    ...(runCommand === undefined ? {} : { '/api/commands': 'POST' }),
  });
}

/** Answers 405 to the methods that no route above has taken. */
function refuseMethods(app: Express, allowed: Readonly<Record<string, string>>): void {
  for (const [path, allow] of Object.entries(allowed)) {
    app.all(path, (_request, response) => {
      response.status(405).set('allow', allow).json({ status: 'refused', reason: 'wrong_method' });
    });
  }
}

function addRefusals(app: Express, log: Log): void {
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ status: 'refused', reason: 'not_found' });
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const status = statusOfError(error);
    if (status === 503) log.error({ error: errorName(error) }, 'a management request failed');
    if (response.headersSent) next(error);
    else {
      const reason = status === 503 ? 'unavailable' : 'unreadable';
      response.status(status).json({ status: 'refused', reason });
    }
  });
}
