import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { z } from 'zod';

import { guardLocal } from '../web/guard-local.ts';
import { pageHeaders } from '../web/render-page.ts';
import { completeMeeting, failMeeting, type Finish } from './finish-meeting.ts';
import { renderSandboxPage, type PageLink } from './render-sandbox-page.ts';
import type { SandboxWorld } from './sandbox-world.ts';

export interface ControlSettings {
  readonly allowedHosts: readonly string[];
  readonly links: readonly PageLink[];
  readonly reset: () => void;
}

/** A form of the page carries text only. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const completionSchema = z.strictObject({ is_transcript_empty: flag.optional() }).prefault({});
const failureSchema = z.strictObject({ reason: z.string().min(1).max(2000).optional() }).prefault({});

/** `/_sandbox`: a page for people, and what moves meetings and deliveries on. Answers to this machine only. */
export function createControlRouter(world: SandboxWorld, settings: ControlSettings): Router {
  const router = express.Router();
  router.use(guardLocal(settings.allowedHosts), express.json(), express.urlencoded({ extended: false }));
  router.get('/', (_request, response) => {
    response
      .set(pageHeaders)
      .send(renderSandboxPage(world.meetings.list(), world.sender.list(), settings.links));
  });
  router.get('/deliveries', (_request, response) => {
    response.json({ deliveries: world.sender.list() });
  });
  router.get('/uploads', (_request, response) => {
    response.json({ uploads: world.uploads.list() });
  });
  router.post('/deliveries/:id/redeliver', (request, response) => {
    if (world.sender.redeliver(request.params.id))
      sendDone(request, response, { delivery_id: request.params.id });
    else sendUnknown(response, 'No delivery has this id.');
  });
  router.post('/meetings/:id/complete', (request, response) => {
    const completion = completionSchema.safeParse(request.body);
    if (!completion.success) {
      sendRefusal(response, 'The body may hold is_transcript_empty (true or false) and nothing else.');
      return;
    }
    const isTranscriptEmpty = completion.data.is_transcript_empty;
    sendFinish(request, response, completeMeeting(world, request.params.id, { isTranscriptEmpty }));
  });
  router.post('/meetings/:id/fail', (request, response) => {
    const failure = failureSchema.safeParse(request.body);
    if (failure.success) sendFinish(request, response, failMeeting(world, request.params.id, failure.data));
    else sendRefusal(response, 'The body may hold reason (text of 1 to 2000 characters) and nothing else.');
  });
  router.post('/reset', (request, response) => {
    settings.reset();
    sendDone(request, response, { status: 'ok' });
  });
  router.use((_request, response) => {
    sendUnknown(response, 'The sandbox has no such control route.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof Error && 'status' in error) sendRefusal(response, 'The body must be JSON in UTF-8.');
    else next(error);
  });
  return router;
}

function sendFinish(request: Request, response: Response, finish: Finish | undefined): void {
  if (finish === undefined) sendUnknown(response, 'No meeting has this id.');
  else {
    const { meetingId, status, deliveryId } = finish;
    sendDone(request, response, {
      meeting_id: meetingId,
      status,
      ...(deliveryId && { delivery_id: deliveryId }),
    });
  }
}

/** A form of the page goes back to the page; a program gets JSON. */
function sendDone(request: Request, response: Response, body: object): void {
  if (request.is('urlencoded')) response.redirect(303, '/_sandbox');
  else response.json(body);
}

function sendUnknown(response: Response, message: string): void {
  response.status(404).json({ code: 'NOT_FOUND', message });
}

function sendRefusal(response: Response, message: string): void {
  response.status(400).json({ code: 'INVALID_REQUEST', message });
}
