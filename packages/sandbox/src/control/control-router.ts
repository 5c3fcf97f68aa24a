import { join } from 'node:path';

import { pageStyle } from '@aftermeet/pages';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import type { AppState } from '../app-state.ts';
import { findAssets } from '../assets.ts';
import { loadExampleMeeting } from '../content/load-content.ts';
import { createFaultRouter } from '../fault-middleware.ts';
import { callTargets } from '../handlers/handlers.ts';
import type { PageLink } from '../sandbox-options.ts';
import { guardLocal, refuseUnreadBody } from '../web/guards.ts';
import { parseReceiver } from '../webhooks/delivery.ts';
import { controlActions, ControlRefusal } from './actions.ts';

export interface ControlSettings {
  readonly allowedHosts: readonly string[];
  readonly links: readonly PageLink[];
  readonly reset: () => void;
}

/** A meeting of one's own may have a long transcript. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** `/_sandbox`: a page for people, and the JSON routes that control the sandbox. It answers this machine only. */
export function createControlRouter(app: AppState, settings: ControlSettings): Router {
  const router = express.Router();
  // A client asks any host for it before it sends a key of a sandbox.
  router.get('/identity', (_request, response) => {
    response.json({ sandbox: 'aftermeet' });
  });
  router.use(guardLocal(settings.allowedHosts));
  addPage(router, app, settings.links);
  router.use(express.json({ limit: MAX_BODY_BYTES }), ...refuseUnreadBody);
  for (const { method, path, run } of controlActions) {
    const route = router.route(path);
    route[toVerb(method)]((request: Request, response: Response) => {
      const { id } = request.params;
      response.json(run(app, { id: typeof id === 'string' ? id : '', body: request.body ?? {} }));
    });
  }
  router.use('/faults', createFaultRouter(app.faults));
  router.post('/reset', (_request, response) => {
    settings.reset();
    response.json({ status: 'ok' });
  });
  router.use((_request, response) => {
    response.status(404).json({ code: 'NOT_FOUND', message: 'The sandbox has no such control route.' });
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const message = describeRequestFault(error);
    if (error instanceof ControlRefusal) response.status(error.status).json(error.body);
    else if (message === undefined) next(error);
    else response.status(400).json({ code: 'INVALID_REQUEST', message });
  });
  return router;
}

function toVerb(method: (typeof controlActions)[number]['method']) {
  return ({ GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const)[method];
}

/** Only the script of the package can run; it shows what the JSON routes answer, as text. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function addPage(router: Router, app: AppState, links: readonly PageLink[]): void {
  const folder = findAssets('page');
  for (const [path, file] of [
    ['/', 'index.html'],
    ['/page.js', 'page.js'],
    ['/page.css', 'page.css'],
  ] as const) {
    router.get(path, (_request, response) => {
      response.set(pageHeaders).sendFile(join(folder, file), { cacheControl: false });
    });
  }
  router.get('/console.css', (_request, response) => {
    response.set(pageHeaders).type('css').send(pageStyle);
  });
  router.get('/about', (_request, response) => {
    response.json({
      base_url: app.baseUrl(),
      links,
      actions: controlActions.flatMap(({ method, path, buttons = [] }) =>
        buttons.map((button) => ({ method, path, ...button })),
      ),
      call_targets: callTargets,
      // The path of a receiver may be a secret.
      default_receiver: app.defaultWebhook && parseReceiver(app.defaultWebhook.url)?.origin,
      example_meeting: loadExampleMeeting(),
    });
  });
}

/** The faults that Express and its body parser report. */
function describeRequestFault(error: unknown): string | undefined {
  if (error instanceof URIError) return 'The path must be percent-encoded UTF-8.';
  if (!(error instanceof Error && 'status' in error)) return undefined;
  return error.status === 413 ? 'The body must have at most 8 MiB.' : 'The body must be JSON in UTF-8.';
}
