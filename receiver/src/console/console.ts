import { pageStyle } from '@aftermeet/pages';
import type { Inbox, Log } from '@aftermeet/queue';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import type { DeliveryCounts } from '../delivery-tally.ts';
import { isOperator, isSame, readOnce } from '../is-operator.ts';
import { limitAtOnce } from '../limit-at-once.ts';
import { errorName } from '../logging.ts';
import { statusOfError } from '../request-status.ts';
import { carriesToken, type WrongTokens } from '../wrong-tokens.ts';
import {
  cookieName,
  cookieOptions,
  isOwnHost,
  isOwnOrigin,
  readCookie,
  readField,
  readOwnPath,
  setCookie,
} from './access.ts';
import { addApprovePage } from './approve-page.ts';
import type { ConsoleData } from './console-data.ts';
import { consoleStyle, type Frame, renderLogin, renderRefusal } from './frame.ts';
import { createLiveUpdates, LIVE_HEADER, liveScript } from './live.ts';
import { addPages, frameOf } from './routes.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';
import { addUnsubscribePage } from './unsubscribe-page.ts';

export interface ConsoleOptions {
  /** Asked once, at the first request; after a failure, at the next one again. */
  readonly openData: () => Promise<ConsoleData>;
  readonly inbox: Pick<Inbox, 'listRefusals'>;
  /** What this process has answered. */
  readonly readCounts: () => DeliveryCounts;
  readonly log: Log;
  /** Absent: the console answers to this machine alone. */
  readonly adminToken: string | undefined;
  /** Closes it as long as there is no token. */
  readonly requireToken: boolean | undefined;
  /** The public address; then `Host` is that or this machine. */
  readonly publicUrl: string | undefined;
  /** A header by which a proxy in front names who has logged in there, in lower case; absent: none is believed. */
  readonly trustHeader?: string | undefined;
  /** Whether a request comes from such a proxy. */
  readonly isFromProxy: (request: Request) => boolean;
  /** Counts and logs wrong tokens. */
  readonly wrongTokens: WrongTokens;
  readonly isClosing: () => boolean;
  readonly nowMs: () => number;
}

/** Requests of operators that are worked on at once: many here take nothing from the deliveries. */
const MAX_AT_ONCE = 16;
const MAX_FORM = '64kb';
const MAX_LOGIN = '4kb';

/** Nothing from elsewhere is loaded, no script runs, no other site frames it or gets a form of it. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer` browsers send `Origin: null` with every form.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** The pages under `/console`, and those that links in mails open. */
export function createConsole(options: ConsoleOptions): {
  readonly pages: Router;
  readonly approve: Router;
  readonly unsubscribe: Router;
} {
  const { openData, inbox, readCounts, log, adminToken, publicUrl, wrongTokens, nowMs } = options;
  const isOpen = adminToken === undefined;
  let opening: Promise<Opened> | undefined;
  const open = async () => {
    const key = adminToken ?? 'this machine';
    opening ??= openData().then((data) => ({
      data,
      sessions: createSessions(data.sessions, key, nowMs),
      // A cookie of these opens nothing without the header.
      proxySessions: createSessions(data.sessions, `proxy ${key}`, nowMs),
    }));
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const router = express.Router({ caseSensitive: true });

  router.use((request, response, next) => {
    response.set(headers);
    if (!isOwnHost(request, publicUrl, isOpen)) {
      response.status(421).send(renderRefusal('Not here', 'The console does not answer under this name.'));
    } else next();
  });
  router.get('/style.css', (_request, response) => {
    response.set({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=300' });
    response.send(`${pageStyle}${consoleStyle}`);
  });
  router.get('/live.js', (_request, response) => {
    response.set({ 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'max-age=300' });
    response.send(liveScript);
  });
  const takePlace = limitAtOnce(MAX_AT_ONCE, (response) => {
    response.send(renderRefusal('Busy', 'Too many requests at once: try again in a second.'));
  });
  const readForm = express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 10 });

  router.post(
    '/login',
    express.urlencoded({ extended: false, limit: MAX_LOGIN, parameterLimit: 10 }),
    async (request, response) => {
      const next = readOwnPath(readField(request, 'next'));
      if (adminToken === undefined || !isOwnOrigin(request, publicUrl)) {
        refuse(response, 403, 'This form is not of this page.');
        return;
      }
      if (!isSame(readField(request, 'token'), adminToken)) {
        const waitSeconds = wrongTokens.count(request);
        if (waitSeconds !== undefined) refuseMore(response, waitSeconds, next);
        else response.status(401).send(renderLogin('This is not the ADMIN_TOKEN.', next));
        return;
      }
      const { sessions } = await open();
      const { cookie } = await sessions.begin();
      setCookie(request, response, cookie);
      response.redirect(303, next);
    },
  );

  router.use(async (request: Request, response: Response, next: NextFunction) => {
    const session = await recognise(request, response);
    if (session === 'stranger') {
      const asked = request.method === 'GET' ? readOwnPath(request.originalUrl) : '/console';
      const waitSeconds = carriesToken(request, adminToken) ? wrongTokens.count(request) : undefined;
      if (waitSeconds !== undefined) {
        refuseMore(response, waitSeconds, asked);
        return;
      }
      response.status(401);
      if (isOpen) {
        const how =
          'Set ADMIN_TOKEN to open the console to others; without it, it answers to this machine alone.';
        response.send(renderRefusal('Not from here', how));
      } else response.send(renderLogin(undefined, asked));
      return;
    }
    response.locals['frame'] = { session, isOpen } satisfies Frame;
    next();
  });
  // Open as long as its page: it takes no place of the others.
  router.get(
    '/changes',
    createLiveUpdates({ readMark: async () => (await readData()).readMark(), isClosing: options.isClosing }),
  );
  // Only those who are known take a place, and have their forms read.
  router.use(takePlace, readForm, (request: Request, response: Response, next: NextFunction) => {
    const { session } = frameOf(response);
    const isForm = request.method === 'POST';
    const isRightForm =
      session === undefined ||
      (isOwnOrigin(request, publicUrl) && isSame(readField(request, 'form'), session.csrf));
    if (isForm && !isRightForm) {
      refuse(response, 403, 'This form is not of this page, or its session is over: load the page again.');
      return;
    }
    next();
  });

  /** `stranger`: nobody who may see anything. Undefined: the bearer of the token, who has no session. */
  async function recognise(request: Request, response: Response): Promise<Session | undefined | 'stranger'> {
    const cookie = readCookie(request);
    const { sessions, proxySessions } = await open();
    const isUsed = !/^\/changes\/?$/.test(request.path) && readOnce(request, LIVE_HEADER) === undefined;
    const user = readUser(request, options);
    if (user !== undefined) {
      const begun = await proxySessions.find(cookie, isUsed);
      if (begun !== undefined) return { ...begun, user };
      const { cookie: fresh, session } = await proxySessions.begin();
      setCookie(request, response, fresh);
      return { ...session, user };
    }
    if (isOpen && !isOperator(request, options)) return 'stranger';
    const known = await sessions.find(cookie, isUsed);
    if (known !== undefined) return known;
    if (!isOpen) return isOperator(request, options) ? undefined : 'stranger';
    // Who sits at this machine is let in; the session makes forms of other sites useless.
    const { cookie: own, session } = await sessions.begin();
    setCookie(request, response, own);
    return session;
  }

  router.post('/logout', async (request, response) => {
    const { sessions, proxySessions } = await open();
    await Promise.all([sessions, proxySessions].map((each) => each.end(readCookie(request))));
    response.clearCookie(cookieName(request), cookieOptions(request));
    response.set('Clear-Site-Data', '"cache", "cookies"');
    response.redirect(303, '/console');
  });

  const readData = async (): Promise<ConsoleData> => (await open()).data;
  addPages(router, { readData, inbox, readCounts, log, nowMs });
  router.use(answerError);

  return {
    pages: router,
    approve: mountLinkPage(addApprovePage),
    unsubscribe: mountLinkPage(addUnsubscribePage),
  };

  function mountLinkPage(addPage: typeof addApprovePage): Router {
    const page = express.Router({ caseSensitive: true });
    page.use((_request, response, next) => {
      // Its addresses hold a token, and its form is not asked for an origin.
      response.set({ ...headers, 'Referrer-Policy': 'no-referrer' });
      next();
    });
    addPage(page, { readData, log });
    page.use(answerError);
    return page;
  }

  function answerError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = statusOfError(error);
    if (status >= 500) log.error({ error: errorName(error) }, 'a page of the console failed');
    const sentence = status >= 500 ? 'The store does not answer: try again.' : 'This request cannot be read.';
    refuse(response, status, sentence);
  }
}

interface Opened {
  readonly data: ConsoleData;
  readonly sessions: Sessions;
  readonly proxySessions: Sessions;
}

/** Who has logged in at the proxy in front. Its header counts from it alone: anybody else can write one too. */
function readUser(
  request: Request,
  { trustHeader, isFromProxy, adminToken }: ConsoleOptions,
): string | undefined {
  if (trustHeader === undefined || adminToken === undefined || !isFromProxy(request)) return undefined;
  const user = readOnce(request, trustHeader)?.trim() ?? '';
  return /^[\x20-\x7E]{1,100}$/.test(user) ? user : undefined;
}

/** Any refusal that is no page of the console. */
function refuse(response: Response, status: number, sentence: string): void {
  response.status(status).send(renderRefusal('Refused', sentence));
}

/** A peer that has tried too many tokens. */
function refuseMore(response: Response, waitSeconds: number, next: string): void {
  response.status(429).set('Retry-After', String(waitSeconds));
  response.send(renderLogin('Too many wrong tokens from here. The right one is let in at any time.', next));
}
