import { join } from 'node:path';

import { operations } from '@aftermeet/contract';
import { pageStyle } from '@aftermeet/pages';
import express, { type Router } from 'express';

import type { AppState } from '../app-state.ts';
import { findAssets } from '../assets.ts';
import { contentLanguages, findContentLanguage, loadExampleMeeting } from '../content/load-content.ts';
import { addGivenMeeting, readGivenMeeting, withDefaultWebhook } from '../given-meeting.ts';
import { callTargets, validateInput } from '../handlers/handlers.ts';
import { recordMeeting } from '../handlers/recordings.ts';
import { advanceClock } from '../lifecycle.ts';
import { announceEvent, completeMeeting, failMeeting } from '../meeting-changes.ts';
import { readOptions } from '../option-store.ts';
import type { PageLink } from '../sandbox-options.ts';
import { seedMeetings, seedSchema } from '../seed.ts';
import { shapeAnswer } from '../service-answer.ts';
import { guardLocal } from '../web/guards.ts';
import { parseReceiver } from '../webhooks/delivery.ts';
import { type ControlledService, ControlRefusal, refuse } from './action.ts';
import { controlActions } from './actions.ts';
import { mountActions } from './mount-actions.ts';

export interface ControlSettings {
  readonly allowedHosts: readonly string[];
  readonly links: readonly PageLink[];
  readonly reset: () => void;
}

/** `/_sandbox`: a page for people, and the JSON routes that control the sandbox. It answers this machine only. */
export function createControlRouter(app: AppState, settings: ControlSettings): Router {
  const router = express.Router();
  // A client asks any host for it before it sends a key of a sandbox.
  router.get('/identity', (_request, response) => {
    response.json({ sandbox: 'aftermeet' });
  });
  router.use(guardLocal(settings.allowedHosts));
  addPage(router, app, settings.links);
  mountActions(router, 'service', controlService(app, settings.reset));
  return router;
}

/** The service as the actions see it. */
function controlService(app: AppState, reset: () => void): ControlledService {
  return {
    ...app,
    reset,
    complete(id, { isTranscriptEmpty, language: code }) {
      const language = code === undefined ? undefined : findContentLanguage(code);
      if (code !== undefined && language === undefined) {
        throw refuse(`language: must be one of ${contentLanguages.join(', ')}.`);
      }
      return completeMeeting(app, id, { isTranscriptEmpty, language });
    },
    fail: (id, failure) => failMeeting(app, id, failure),
    announce: (id, announcement) => announceEvent(app, id, announcement),
    addMeeting(body) {
      const read = readGivenMeeting(body);
      if (read.ok) return addGivenMeeting(app, read.meeting);
      throw refuse(`${read.problems.join('; ')}.`, read.problems);
    },
    record: (body) => record(app, body),
    seed(body) {
      const read = readOptions(seedSchema, body);
      if ('refusal' in read) throw refuse(read.refusal);
      return seedMeetings(app, read.options);
    },
    advance: (byMs) => advanceClock(app, byMs),
  };
}

/** An empty field is left out, as a form sends it. */
function record(app: AppState, given: unknown): object {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse('The body: must be an object.');
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const fields = withDefaultWebhook(app, filled);
  const body = 'link' in fields ? fields : { ...fields, link: `https://meet.example/${app.makeId()}` };
  const valid = validateInput(operations.recordings.start, { path: {}, query: {}, body, form: {} });
  const started = valid.ok ? recordMeeting(app, valid.input) : { refusal: valid.answer };
  if ('refusal' in started) {
    const refusal = shapeAnswer(started.refusal, { errorShape: 'json', extraFields: false });
    throw new ControlRefusal(refusal.status, 'json' in refusal ? Object(refusal.json) : {});
  }
  const { id, status, title, source, localDateTime } = started.meeting;
  return { meeting_id: id, status, title, source, local_date_time: localDateTime };
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
      actions: controlActions.flatMap(({ route, buttons = [] }) =>
        buttons.map((button) => ({ route, ...button })),
      ),
      forms: controlActions.flatMap(({ form, route, arguments: known = {} }) => {
        const fields = Object.entries(known).map(([name, { help, input }]) => ({ name, help, input }));
        return form === undefined ? [] : [{ id: form, route, fields }];
      }),
      call_targets: callTargets,
      // The path of a receiver may be a secret.
      default_receiver: app.defaultWebhook && parseReceiver(app.defaultWebhook.url)?.origin,
      example_meeting: loadExampleMeeting(),
    });
  });
}
