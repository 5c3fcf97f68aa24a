import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';

import { createFaultRouter } from '../faults/create-fault-router.ts';
import { sendRefusal, sendUnknown } from '../service/control/control-answers.ts';
import { guardLocal } from '../web/guard-local.ts';
import { pageHeaders } from '../web/render-page.ts';
import { createKnobRouter } from './create-knob-router.ts';

export interface Showcase {
  readonly renderHome: () => string;
  readonly listReceived: () => readonly unknown[];
  readonly reset: () => void;
  /** Every plan of faults; a fault goes to the plan that has its kind. */
  readonly faults?: Parameters<typeof createFaultRouter>[0];
  readonly knobs?: Parameters<typeof createKnobRouter>[0];
  /** Adds what else can be asked under `/_sandbox`. */
  readonly addControls?: (router: Router) => void;
  readonly allowedHosts?: readonly string[] | undefined;
}

/** The page and the control routes under `/_sandbox`, for the machine's own people and tests. */
export function mountShowcase(app: Express, parts: Showcase): void {
  const guard = guardLocal(parts.allowedHosts);
  app.get('/', guard, (_request, response) => {
    response.set(pageHeaders).send(parts.renderHome());
  });
  const router = express.Router();
  router.get('/received', (_request, response) => {
    response.json({ received: parts.listReceived() });
  });
  router.post('/reset', (_request, response) => {
    parts.reset();
    response.json({ status: 'ok' });
  });
  parts.addControls?.(router);
  if (parts.faults !== undefined) router.use('/faults', createFaultRouter(parts.faults));
  if (parts.knobs !== undefined) router.use('/knobs', createKnobRouter(parts.knobs));
  router.use((_request, response) => {
    sendUnknown(response, 'The stand-in has no such control route.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof Error && 'status' in error) sendRefusal(response, 'The body must be JSON in UTF-8.');
    else next(error);
  });
  app.use('/_sandbox', guard, router);
}
