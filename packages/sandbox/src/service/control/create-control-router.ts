import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { guardLocal } from '../../web/guard-local.ts';
import { refuseUnreadBody } from '../../web/refuse-unread-body.ts';
import { pageHeaders } from '../../web/render-page.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { DataFolderError } from '../state/data-folder-error.ts';
import { addAccountRoutes } from './account-routes.ts';
import { addClockRoutes } from './clock-routes.ts';
import { sendDone, sendError, sendRefusal, sendUnknown } from './control-answers.ts';
import { addDeliveryRoutes } from './delivery-routes.ts';
import { addFaultRoutes } from './fault-routes.ts';
import { addFormRoutes } from './form-routes.ts';
import { addKnobRoutes } from './knob-routes.ts';
import { addMeetingRoutes } from './meeting-routes.ts';
import { addRecordRoutes } from './record-routes.ts';
import { renderSandboxPage, type PageLink } from './render-sandbox-page.ts';
import { addSeedRoutes } from './seed-routes.ts';
import { addUploadRoutes } from './upload-routes.ts';

export interface ControlSettings {
  readonly allowedHosts: readonly string[];
  readonly links: readonly PageLink[];
  readonly reset: () => void;
}

/** Tells a client that this is a sandbox, before it sends a key; to everybody, and nothing else. */
const identity = { sandbox: 'aftermeet' };

/** `/_sandbox`: a page for people, and what steers the sandbox. Answers to this machine only. */
export function createControlRouter(world: SandboxWorld, settings: ControlSettings): Router {
  const router = express.Router();
  router.get('/identity', (_request, response) => {
    response.json(identity);
  });
  router.use(guardLocal(settings.allowedHosts), express.json(), express.urlencoded({ extended: false }));
  router.use(...refuseUnreadBody);
  router.get('/', (_request, response) => {
    response.set(pageHeaders).send(renderSandboxPage(world, settings.links));
  });
  addMeetingRoutes(router, world);
  addRecordRoutes(router, world);
  addDeliveryRoutes(router, world);
  addUploadRoutes(router, world);
  addClockRoutes(router, world);
  addFaultRoutes(router, world);
  addKnobRoutes(router, world);
  addAccountRoutes(router, world);
  addSeedRoutes(router, world);
  addFormRoutes(router, world);
  router.post('/reset', (request, response) => {
    settings.reset();
    sendDone(request, response, { status: 'ok' });
  });
  router.use((_request, response) => {
    sendUnknown(response, 'The sandbox has no such control route.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const message = describeFault(error);
    if (error instanceof DataFolderError) {
      sendError(response, 500, { code: 'STORAGE_FAILED', message: error.message });
    } else if (message === undefined) next(error);
    else sendRefusal(response, message);
  });
  return router;
}

/** The faults that Express and its body parser report. */
function describeFault(error: unknown): string | undefined {
  if (error instanceof URIError) return 'The path must be percent-encoded UTF-8.';
  if (!(error instanceof Error && 'status' in error)) return undefined;
  return error.status === 413 ? 'The body must have at most 100 kB.' : 'The body must be JSON in UTF-8.';
}
