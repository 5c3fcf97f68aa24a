import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { guardLocal } from '../web/guard-local.ts';
import { pageHeaders } from '../web/render-page.ts';
import type { Intercept, Interception } from './interception.ts';

/** A vendor's answer to one call. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One call to the vendor's API, read. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** A header's value, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface StandInAppParts {
  /** Paths under this one are the vendor's API. */
  readonly apiPath: string;
  /** Plays one call and returns the answer. */
  readonly answerCall: (call: Call) => Answer;
  readonly answerUnreadable: (status: number) => Answer;
  readonly renderHome: () => string;
  readonly listReceived: () => readonly unknown[];
  readonly reset: () => void;
  readonly intercept?: Intercept | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
}

const bodyLimit = '2mb';

/** The Express app every HTTP stand-in shares: the vendor's API, a page of what arrived, `/_sandbox/received` and `/_sandbox/reset`. */
export function createStandInApp(parts: StandInAppParts): Express {
  const app = express().disable('x-powered-by').disable('etag');
  mountShowcase(app, parts);
  app.use(
    parts.apiPath,
    express.json({ limit: bodyLimit }),
    express.urlencoded({ extended: false, limit: bodyLimit }),
    (request: Request, response: Response, next: NextFunction) => {
      playCall(parts, request, response).catch(next);
    },
  );
  app.use(parts.apiPath, (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const status = readStatus(error);
    if (status === undefined) next(error);
    else sendAnswer(response, parts.answerUnreadable(status));
  });
  return app;
}

async function playCall(parts: StandInAppParts, request: Request, response: Response): Promise<void> {
  const call = readCall(request);
  const interception: Interception = (await parts.intercept?.(call)) ?? 'pass';
  if (interception === 'hang') return;
  if (typeof interception === 'object') {
    sendAnswer(response, { ...interception, body: interception.body });
    return;
  }
  const answer = parts.answerCall(call);
  if (interception === 'drop_after') request.socket.destroy();
  else sendAnswer(response, answer);
}

/** The page and the control routes, for the machine's own people and tests. */
export function mountShowcase(
  app: Express,
  parts: Pick<StandInAppParts, 'renderHome' | 'listReceived' | 'reset' | 'allowedHosts'>,
): void {
  const guard = guardLocal(parts.allowedHosts);
  app.get('/', guard, (_request, response) => {
    response.set(pageHeaders).send(parts.renderHome());
  });
  app.get('/_sandbox/received', guard, (_request, response) => {
    response.json({ received: parts.listReceived() });
  });
  app.post('/_sandbox/reset', guard, (_request, response) => {
    parts.reset();
    response.json({ status: 'ok' });
  });
}

function readCall(request: Request): Call {
  return {
    method: request.method,
    path: request.baseUrl + request.path,
    query: request.query,
    body: request.body,
    header: (name) => request.get(name),
  };
}

function sendAnswer(response: Response, answer: Answer): void {
  response.status(answer.status).set(answer.headers ?? {});
  if (answer.body === undefined) response.end();
  else if (typeof answer.body === 'string') response.send(answer.body);
  else response.json(answer.body);
}

/** The client error that a body parser raised, if it is one. */
function readStatus(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
