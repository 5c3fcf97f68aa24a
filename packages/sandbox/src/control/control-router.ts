import { join } from 'node:path';

import { operations } from '@aftermeet/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { z } from 'zod';

import { keyPattern, planNames, type Plan } from '../account.ts';
import type { AppState } from '../app-state.ts';
import { findAssets } from '../assets.ts';
import { MAX_ADVANCE_MS } from '../clock.ts';
import { contentLanguages, findContentLanguage, loadExampleMeeting } from '../content/load-content.ts';
import { createFaultRouter } from '../fault-middleware.ts';
import { addGivenMeeting, readGivenMeeting, withDefaultWebhook } from '../given-meeting.ts';
import { callTargets, validateInput } from '../handlers/handlers.ts';
import { recordMeeting } from '../handlers/recordings.ts';
import { advanceClock } from '../lifecycle.ts';
import { announceEvent, completeMeeting, failMeeting, type Finish } from '../meeting-changes.ts';
import type { Meeting } from '../meetings.ts';
import type { PageLink } from '../sandbox-options.ts';
import { seedMeetings, seedSchema } from '../seed.ts';
import { shapeAnswer } from '../service-answer.ts';
import { validateServiceOptions } from '../service-options.ts';
import { guardLocal, refuseUnreadBody } from '../web/guards.ts';
import { parseReceiver } from '../webhooks/delivery.ts';

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
  addMeetingRoutes(router, app);
  addDeliveryRoutes(router, app);
  addClockRoutes(router, app);
  addOptionRoutes(router, app);
  addAccountRoutes(router, app);
  router.use('/faults', createFaultRouter(app.faults));
  router.get('/uploads', (_request, response) => {
    response.json({ uploads: app.uploads.list() });
  });
  router.post('/reset', (_request, response) => {
    settings.reset();
    response.json({ status: 'ok' });
  });
  router.use((_request, response) => {
    sendUnknown(response, 'The sandbox has no such control route.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const message = describeRequestFault(error);
    if (message === undefined) next(error);
    else sendRefusal(response, message);
  });
  return router;
}

/** Only the script of the package can run; it shows what the JSON routes answer, as text. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function addPage(router: Router, app: AppState, links: readonly PageLink[]): void {
  const folder = findAssets('page');
  router.get('/', (_request, response) => {
    response.set(pageHeaders).sendFile(join(folder, 'index.html'), { cacheControl: false });
  });
  router.get('/page.js', (_request, response) => {
    response.set(pageHeaders).sendFile(join(folder, 'page.js'), { cacheControl: false });
  });
  router.get('/about', (_request, response) => {
    response.json({
      base_url: app.baseUrl(),
      links,
      call_targets: callTargets,
      // The path of a receiver may be a secret.
      default_receiver: app.defaultWebhook && parseReceiver(app.defaultWebhook.url)?.origin,
      example_meeting: loadExampleMeeting(),
    });
  });
}

const completionSchema = z.strictObject({
  is_transcript_empty: z.boolean().optional(),
  language: z
    .string()
    .transform(findContentLanguage)
    .refine((language) => language !== undefined, {
      error: `must be one of ${contentLanguages.join(', ')}`,
    })
    .optional(),
});

const failureSchema = z.strictObject({
  reason: z
    .string()
    .regex(/^[^]{1,2000}$/, { error: 'must be text of 1 to 2000 characters' })
    .optional(),
});

const announcementSchema = z.strictObject({
  // It goes into a header.
  event: z.string().regex(/^[\x21-\x7e]{1,256}$/, {
    error: 'must be an event kind: 1 to 256 characters of visible ASCII',
  }),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** An empty field is left out, as a form sends it. */
const recordingSchema = z
  .record(z.string(), z.unknown())
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));

function addMeetingRoutes(router: Router, app: AppState): void {
  router.get('/meetings', (_request, response) => {
    response.json({ meetings: app.meetings.list().map((meeting) => describeMeeting(app, meeting)) });
  });
  router.post('/meetings', (request, response) => {
    const read = readGivenMeeting(request.body ?? {});
    if (read.ok) sendFinish(response, addGivenMeeting(app, read.meeting));
    else sendRefusal(response, `${read.problems.join('; ')}.`, read.problems);
  });
  // The operation that starts a recording, without a key; link and webhook are filled in where there is none.
  router.post('/recordings', (request, response) => {
    const given = readControlBody(request, response, recordingSchema);
    if (given === undefined) return;
    const fields = withDefaultWebhook(app, given);
    const body = 'link' in fields ? fields : { ...fields, link: `https://meet.example/${app.makeId()}` };
    const valid = validateInput(operations.recordings.start, { path: {}, query: {}, body, form: {} });
    const started = valid.ok ? recordMeeting(app, valid.input) : { refusal: valid.answer };
    if ('refusal' in started) {
      const refusal = shapeAnswer(started.refusal, { errorShape: 'json', extraFields: false });
      response.status(refusal.status).json('json' in refusal ? refusal.json : {});
    } else {
      const { id, status, title, source, localDateTime } = started.meeting;
      response.json({ meeting_id: id, status, title, source, local_date_time: localDateTime });
    }
  });
  router.post('/meetings/:id/complete', (request, response) => {
    const body = readControlBody(request, response, completionSchema);
    if (body === undefined) return;
    const completion = { isTranscriptEmpty: body.is_transcript_empty, language: body.language };
    sendFinish(response, completeMeeting(app, request.params.id, completion));
  });
  router.post('/meetings/:id/fail', (request, response) => {
    const body = readControlBody(request, response, failureSchema);
    if (body !== undefined) sendFinish(response, failMeeting(app, request.params.id, body));
  });
  router.post('/meetings/:id/announce', (request, response) => {
    const body = readControlBody(request, response, announcementSchema);
    if (body !== undefined) sendFinish(response, announceEvent(app, request.params.id, body));
  });
  router.post('/seed', (request, response) => {
    const plan = readControlBody(request, response, seedSchema);
    if (plan === undefined) return;
    const { meetingIds, tagIds } = seedMeetings(app, plan);
    response.json({ meeting_ids: meetingIds, tag_ids: tagIds });
  });
}

function describeMeeting({ lifecycle }: AppState, meeting: Meeting): object {
  const nextChangeMs = lifecycle.nextChangeMs(meeting.id);
  return {
    meeting_id: meeting.id,
    title: meeting.title,
    status: meeting.status,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
    ...(meeting.cron !== undefined && { cron: meeting.cron }),
    script: meeting.scriptId,
    ...(nextChangeMs !== undefined && { next_change_at: new Date(nextChangeMs).toISOString() }),
  };
}

function sendFinish(response: Response, finish: Finish | undefined): void {
  if (finish === undefined) {
    sendUnknown(response, 'No meeting has this id.');
    return;
  }
  const { meetingId, status, deliveryId } = finish;
  response.json({ meeting_id: meetingId, status, ...(deliveryId && { delivery_id: deliveryId }) });
}

const UNKNOWN_DELIVERY = 'No delivery has this id; GET /_sandbox/deliveries lists them.';

function addDeliveryRoutes(router: Router, app: AppState): void {
  router.get('/deliveries', (_request, response) => {
    response.json({ deliveries: app.sender.list() });
  });
  router.get('/deliveries/:id', (request, response) => {
    const delivery = app.sender.find(completeId(app, request.params.id));
    if (delivery === undefined) sendUnknown(response, UNKNOWN_DELIVERY);
    else response.json({ delivery });
  });
  router.post('/deliveries/:id/redeliver', (request, response) => {
    const id = completeId(app, request.params.id);
    if (app.sender.redeliver(id)) response.json({ delivery_id: id });
    else sendUnknown(response, UNKNOWN_DELIVERY);
  });
}

/** The id of the one delivery that begins with these eight characters or more; otherwise what was given. */
function completeId({ sender }: AppState, given: string): string {
  const found = given.length < 8 ? [] : sender.list().filter(({ id }) => id.startsWith(given));
  return found.length === 1 ? (found[0]?.id ?? given) : given;
}

const MAX_ADVANCE_SECONDS = MAX_ADVANCE_MS / 1000;
const advanceError = `must be 0 to ${String(MAX_ADVANCE_SECONDS)} (a year); call several times for more`;

const clockSchema = z.strictObject({
  advance_seconds: z
    .number({ error: 'must be a number' })
    .min(0, { error: advanceError })
    .max(MAX_ADVANCE_SECONDS, { error: advanceError })
    .optional(),
});

/** Everything that becomes due by an advance has happened before the answer. */
function addClockRoutes(router: Router, app: AppState): void {
  const describeClock = (): object => ({
    now: new Date(app.clock.now()).toISOString(),
    transitions: app.lifecycle.transitions,
  });
  router.get('/clock', (_request, response) => {
    response.json(describeClock());
  });
  router.post('/clock', (request, response) => {
    const change = readControlBody(request, response, clockSchema);
    if (change === undefined) return;
    try {
      if (change.advance_seconds !== undefined) advanceClock(app, change.advance_seconds * 1000);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      sendRefusal(response, error.message);
      return;
    }
    response.json(describeClock());
  });
}

const optionsSchema = z.record(z.string(), z.unknown());

function addOptionRoutes(router: Router, { options }: AppState): void {
  router.get('/options', (_request, response) => {
    response.json({ options: options.get() });
  });
  router.patch('/options', (request, response) => {
    const changes = readControlBody(request, response, optionsSchema);
    if (changes === undefined) return;
    const result = validateServiceOptions({ ...options.get(), ...changes });
    if (!result.ok) return sendRefusal(response, result.message);
    options.set(changes);
    response.json({ options: options.get() });
  });
  router.delete('/options', (_request, response) => {
    options.reset();
    response.json({ options: options.get() });
  });
}

const keySchema = z.strictObject({
  key: z.string().regex(keyPattern, { error: 'must be 1 to 200 visible ASCII characters' }).optional(),
});

const minutesError = 'must be a whole number of minutes, or null for minutes that are not counted';

const planSchema = z.strictObject({
  plan: z.enum(planNames),
  minutes_left: z.int({ error: minutesError }).min(0, { error: minutesError }).nullable().optional(),
});

function addAccountRoutes(router: Router, { account }: AppState): void {
  router.post('/key', (request, response) => {
    const change = readControlBody(request, response, keySchema);
    if (change !== undefined) response.json({ key: account.changeKey(change.key) });
  });
  router.get('/plan', (_request, response) => {
    response.json(describePlan(account.plan()));
  });
  router.post('/plan', (request, response) => {
    const change = readControlBody(request, response, planSchema);
    if (change === undefined) return;
    const { plan: name, minutes_left: minutesLeft = account.plan().minutesLeft } = change;
    account.changePlan({ name, minutesLeft });
    response.json(describePlan(account.plan()));
  });
}

function describePlan({ name, minutesLeft }: Plan): object {
  return { plan: name, minutes_left: minutesLeft };
}

/** The faults that Express and its body parser report. */
function describeRequestFault(error: unknown): string | undefined {
  if (error instanceof URIError) return 'The path must be percent-encoded UTF-8.';
  if (!(error instanceof Error && 'status' in error)) return undefined;
  return error.status === 413 ? 'The body must have at most 8 MiB.' : 'The body must be JSON in UTF-8.';
}

function sendUnknown(response: Response, message: string): void {
  response.status(404).json({ code: 'NOT_FOUND', message });
}

/** `problems`: all that is wrong, where there may be more than one. */
function sendRefusal(response: Response, message: string, problems?: readonly string[]): void {
  response.status(400).json({ code: 'INVALID_REQUEST', message, problems });
}

/** The validated body; undefined when it was refused, with an answer that names the wrong field. An absent body is an empty one. */
function readControlBody<T>(request: Request, response: Response, schema: z.ZodType<T>): T | undefined {
  const result = schema.safeParse(request.body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  sendRefusal(response, `${place}: ${issue?.message ?? 'is invalid'}.`);
  return undefined;
}
