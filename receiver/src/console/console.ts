import { pageStyle } from '@aftermeet/pages';
import type { Inbox, Log } from '@aftermeet/queue';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { isOperator, isSame } from '../is-operator.ts';
import { errorName } from '../logging.ts';
import type { NamePeer } from '../peer-name.ts';
import { createRateLimiter } from '../rate-limits.ts';
import {
  cookieName,
  cookieOptions,
  isOwnHost,
  isOwnOrigin,
  readCookie,
  readField,
  readOwnPath,
  readQuery,
  setCookie,
} from './access.ts';
import type { ConsoleAction, ConsoleData, ReplayChoice } from './console-data.ts';
import {
  renderApprovals,
  renderAttention,
  renderDone,
  renderEffect,
  renderHeld,
  renderMessagePage,
  renderReplay,
  renderReplayForm,
  renderWaiting,
} from './effect-pages.ts';
import { consoleStyle, type Frame, renderLogin, renderRefusal } from './frame.ts';
import { renderMeeting, renderMeetings, renderOverview, renderUnknown } from './meeting-pages.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';

export interface ConsoleOptions {
  /** Asked once, at the first request; after a failure, at the next one again. */
  readonly openData: () => Promise<ConsoleData>;
  readonly inbox: Pick<Inbox, 'listRefusals'>;
  readonly log: Log;
  /** Absent: the console answers to this machine alone. */
  readonly adminToken: string | undefined;
  /** Closes it as long as there is no token. */
  readonly requireToken: boolean | undefined;
  /** The public address; then `Host` is that or this machine. */
  readonly publicUrl: string | undefined;
  readonly namePeer: NamePeer;
  readonly nowMs: () => number;
}

const MAX_ROWS = 50;
/** Requests that are worked on at once: a flood here takes nothing from the deliveries. */
const MAX_AT_ONCE = 16;
const MAX_FORM = '64kb';
/** Failed logins: five a minute of one peer, thirty of all. */
const PEER_LOGINS = { burst: 5, perSecond: 5 / 60 };
const ALL_LOGINS = { burst: 30, perSecond: 30 / 60 };

/** Nothing from elsewhere is loaded, no script runs, no other site frames it or gets a form of it. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** A mail is a page of its own: it may have a style, loads nothing, and stands in a frame of the console alone. */
const mailHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
  'X-Frame-Options': 'SAMEORIGIN',
} as const;

/** The pages under `/console`. */
export function createConsole(options: ConsoleOptions): Router {
  const { openData, inbox, log, adminToken, publicUrl, namePeer, nowMs } = options;
  const isOpen = adminToken === undefined;
  let opening: Promise<{ readonly data: ConsoleData; readonly sessions: Sessions }> | undefined;
  const open = async () => {
    opening ??= openData().then((data) => ({
      data,
      sessions: createSessions(data.sessions, adminToken ?? 'this machine', nowMs),
    }));
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const peers = createRateLimiter(PEER_LOGINS);
  const all = createRateLimiter(ALL_LOGINS);
  let working = 0;
  const router = express.Router({ caseSensitive: true });

  router.use((request, response, next) => {
    response.set(headers);
    if (!isOwnHost(request, publicUrl, isOpen)) {
      response.status(421).send(renderRefusal('Not here', 'The console does not answer under this name.'));
    } else if (working >= MAX_AT_ONCE) {
      response.status(503).set('Retry-After', '1');
      response.send(renderRefusal('Busy', 'Too many requests at once: try again in a second.'));
    } else {
      working += 1;
      response.once('close', () => (working -= 1));
      next();
    }
  });
  router.get('/style.css', (_request, response) => {
    response.set({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=300' });
    response.send(`${pageStyle}${consoleStyle}`);
  });
  router.use(express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 10 }));

  router.post('/login', async (request, response) => {
    const next = readOwnPath(readField(request, 'next'));
    if (adminToken === undefined || !isOwnOrigin(request, publicUrl)) {
      refuse(response, 403, 'This form is not of this page.');
      return;
    }
    const peer = namePeer(request);
    const taken = [peers.take(peer, nowMs()), all.take('all', nowMs())].find(({ ok }) => !ok);
    if (taken?.ok === false) {
      response.status(429).set('Retry-After', String(taken.retryAfterSeconds));
      response.send(renderLogin('Too many logins: wait a minute.', next));
      return;
    }
    if (!isSame(readField(request, 'token'), adminToken)) {
      log.warn({ peer }, 'a login to the console failed');
      response.status(401).send(renderLogin('This is not the ADMIN_TOKEN.', next));
      return;
    }
    const { sessions } = await open();
    const { cookie } = await sessions.begin();
    setCookie(request, response, cookie);
    response.redirect(303, next);
  });

  router.use(async (request: Request, response: Response, next: NextFunction) => {
    const session = await recognise(request, response);
    if (session === 'stranger') {
      const asked = request.method === 'GET' ? readOwnPath(request.originalUrl) : '/console';
      response.status(401);
      if (isOpen) {
        const how =
          'Set ADMIN_TOKEN to open the console to others; without it, it answers to this machine alone.';
        response.send(renderRefusal('Not from here', how));
      } else response.send(renderLogin(undefined, asked));
      return;
    }
    const isForm = request.method === 'POST';
    const isRightForm =
      session === undefined ||
      (isOwnOrigin(request, publicUrl) && isSame(readField(request, 'form'), session.csrf));
    if (isForm && !isRightForm) {
      refuse(response, 403, 'This form is not of this page, or its session is over: load the page again.');
      return;
    }
    response.locals['frame'] = { session, isOpen } satisfies Frame;
    next();
  });

  /** `stranger`: nobody who may see anything. Undefined: the bearer of the token, who has no session. */
  async function recognise(request: Request, response: Response): Promise<Session | undefined | 'stranger'> {
    const cookie = readCookie(request);
    const { sessions } = await open();
    if (isOpen && !isOperator(request, options)) return 'stranger';
    const known = await sessions.find(cookie);
    if (known !== undefined) return known;
    if (!isOpen) return isOperator(request, options) ? undefined : 'stranger';
    // Who sits at this machine is let in; the session makes forms of other sites useless.
    const { cookie: own, session } = await sessions.begin();
    setCookie(request, response, own);
    return session;
  }

  router.post('/logout', async (request, response) => {
    const { sessions } = await open();
    await sessions.end(readCookie(request));
    response.clearCookie(cookieName(request), cookieOptions(request));
    response.set('Clear-Site-Data', '"cache", "cookies"');
    response.redirect(303, '/console');
  });

  router.get('/', async (request, response) => {
    const { data } = await open();
    const words = readQuery(request, 'words').slice(0, 200);
    const day = readQuery(request, 'day');
    const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
    const after = readQuery(request, 'after');
    const list = await data.listMeetings({
      words,
      limit: MAX_ROWS,
      ...(isDay ? { day } : {}),
      ...(after === '' ? {} : { after }),
    });
    response.send(renderMeetings(frameOf(response), list, { words, day: isDay ? day : '' }));
  });
  router.get('/meetings/:id', async (request, response) => {
    const { data } = await open();
    const { id } = request.params;
    const meeting = await data.readMeeting(id);
    if (meeting === undefined) await answerUnknown(response, 'meeting', id);
    else response.send(renderMeeting(frameOf(response), meeting));
  });
  router.get('/attention', async (_request, response) => {
    const { data } = await open();
    response.send(renderAttention(frameOf(response), await data.listAttention(MAX_ROWS)));
  });
  router.get('/waiting', async (_request, response) => {
    const { data } = await open();
    response.send(renderWaiting(frameOf(response), await data.listWaiting(MAX_ROWS)));
  });
  router.get('/overview', async (_request, response) => {
    const { data } = await open();
    const [overview, refusals] = await Promise.all([data.readOverview(), inbox.listRefusals(MAX_ROWS)]);
    const lines = refusals.map(({ endpoint, reason, receivedAt }) => ({
      endpoint,
      cause: reason,
      atMs: Date.parse(receivedAt),
    }));
    response.send(renderOverview(frameOf(response), overview, lines));
  });
  router.get('/effects/:key', async (request, response) => {
    const { data } = await open();
    const { key } = request.params;
    const effect = await data.readEffect(key);
    if (effect === undefined) await answerUnknown(response, 'effect', key);
    else response.send(renderEffect(frameOf(response), effect));
  });
  router.get('/approvals', async (_request, response) => {
    const { data } = await open();
    response.send(renderApprovals(frameOf(response), await data.listHeld(MAX_ROWS)));
  });
  router.get('/approvals/:key', async (request, response) => {
    const { data } = await open();
    const { key } = request.params;
    const message = await data.readMessage(key);
    if (message === undefined) await answerUnknown(response, 'effect', key);
    else response.send(renderHeld(frameOf(response), message));
  });
  router.get('/effects/:key/message', async (request, response) => {
    const { data } = await open();
    const { key } = request.params;
    const message = await data.readMessage(key);
    if (message === undefined) await answerUnknown(response, 'effect', key);
    else {
      log.info({ effectKey: key, who: whoIs(response) }, 'a message was shown in the console');
      response.send(renderMessagePage(frameOf(response), message));
    }
  });
  router.get('/effects/:key/mail', async (request, response) => {
    const { data } = await open();
    const { html: body } = (await data.readMessage(request.params.key)) ?? {};
    if (body === undefined) await answerUnknown(response, 'mail', request.params.key);
    else response.set(mailHeaders).type('html').send(body);
  });
  router.get('/meetings/:id/replay', async (request, response) => {
    await replay(response, { meetingId: request.params.id }, true);
  });
  router.post('/meetings/:id/replay', async (request, response) => {
    await replay(response, { meetingId: request.params.id }, false);
  });
  router.get('/replay', async (request, response) => {
    const [from, until] = [readQuery(request, 'from'), readQuery(request, 'until')];
    const range = readRange(from, until);
    if (range !== undefined) await replay(response, range, true);
    else {
      const isAsked = from !== '' || until !== '';
      response.send(
        renderReplayForm(frameOf(response), isAsked ? 'Give two times, the earlier one first.' : undefined),
      );
    }
  });
  router.post('/replay', async (request, response) => {
    const range = readRange(readField(request, 'from'), readField(request, 'until'));
    if (range === undefined) refuse(response, 400, 'This range of time cannot be read.');
    else await replay(response, range, false);
  });

  async function replay(response: Response, choice: ReplayChoice, isDryRun: boolean): Promise<void> {
    const { data } = await open();
    const who = whoIs(response);
    const view = await data.replay(choice, { isDryRun, who });
    if (!isDryRun) log.info({ ...choice, deliveries: view.deliveries, who }, 'replayed in the console');
    const form =
      'meetingId' in choice
        ? {
            title: `Replay of the meeting ${choice.meetingId}`,
            action: `/console/meetings/${encodeURIComponent(choice.meetingId)}/replay`,
            fields: {},
          }
        : {
            title: `Replay of ${writeMinute(choice.fromMs)} to ${writeMinute(choice.toMs)} UTC`,
            action: '/console/replay',
            fields: { from: writeMinute(choice.fromMs), until: writeMinute(choice.toMs) },
          };
    response.send(renderReplay(frameOf(response), view, { ...form, isDone: !isDryRun }));
  }

  router.post('/effects/:key/:action', async (request, response) => {
    const { key, action } = request.params;
    const who = whoIs(response);
    if (action === 'dismiss') {
      await act(response, { effectKey: key, kind: action, reason: readField(request, 'reason'), who });
    } else if (action === 'retry' || action === 'sent' || action === 'not-sent') {
      await act(response, { effectKey: key, kind: action, who });
    } else await answerUnknown(response, 'action', action);
  });
  router.post('/approvals/:key/discard', async (request, response) => {
    await act(response, { effectKey: request.params.key, kind: 'discard', who: whoIs(response) });
  });
  router.post('/approvals/:key/approve', async (request, response) => {
    const contentHash = readField(request, 'content');
    await act(response, {
      effectKey: request.params.key,
      kind: 'approve',
      contentHash,
      who: whoIs(response),
    });
  });

  async function act(response: Response, action: ConsoleAction): Promise<void> {
    const { data } = await open();
    const effect = await data.readEffect(action.effectKey);
    const sentence = effect === undefined ? undefined : await data.act(action);
    if (sentence === undefined) {
      await answerUnknown(response, 'effect', action.effectKey);
      return;
    }
    log.info({ effectKey: action.effectKey, action: action.kind, who: action.who }, 'done in the console');
    response.send(renderDone(frameOf(response), sentence, effect));
  }

  async function answerUnknown(response: Response, what: string, name: string): Promise<void> {
    const { data } = await open();
    response.status(404).send(renderUnknown(frameOf(response), what, name.slice(0, 200), data.queueName));
  }

  router.use(async (request: Request, response: Response) => {
    await answerUnknown(response, 'page', request.path);
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = readStatus(error);
    if (status >= 500) log.error({ error: errorName(error) }, 'a page of the console failed');
    const sentence = status >= 500 ? 'The store does not answer: try again.' : 'This request cannot be read.';
    refuse(response, status, sentence);
  });
  return router;
}

/** A middleware before every page has set it. */
function frameOf(response: Response): Frame {
  const frame: Frame = response.locals['frame'];
  return frame;
}

function whoIs(response: Response): string {
  const { session } = frameOf(response);
  return session === undefined ? 'the console (token)' : `the console (session ${session.label})`;
}

function refuse(response: Response, status: number, sentence: string): void {
  response.status(status).send(renderRefusal('Refused', sentence));
}

/** What Express says of a form that it cannot read. */
function readStatus(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 503;
}

const minutePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Two times in UTC to the minute: `2026-07-07T14:03`. */
function readRange(
  from: string,
  until: string,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  if (!minutePattern.test(from) || !minutePattern.test(until)) return undefined;
  const [fromMs, toMs] = [Date.parse(`${from}Z`), Date.parse(`${until}Z`)];
  return fromMs <= toMs ? { fromMs, toMs } : undefined;
}

function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}
