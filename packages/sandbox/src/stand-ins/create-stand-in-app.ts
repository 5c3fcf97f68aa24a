import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { type MakeFaultBody, playFaults } from '../faults/fault-middleware.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';
import { guardOrigin } from '../web/guard-local.ts';
import type { Intercept, Interception } from './interception.ts';
import { mountShowcase, type Showcase } from './mount-showcase.ts';

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

export interface StandInAppParts extends Showcase {
  /** Paths under this one are the vendor's API. */
  readonly apiPath: string;
  /** Plays one call and returns the answer. */
  readonly answerCall: (call: Call) => Answer | Promise<Answer>;
  readonly answerUnreadable: (status: number) => Answer;
  /** The faults of calls: what a request is called in the plan, and the vendor's own error body. */
  readonly callFaults?: {
    readonly plan: FaultPlan<CallFault>;
    readonly nameTarget: (request: Request) => string | undefined;
    readonly makeBody: MakeFaultBody;
  };
  /** Mounts what else the vendor serves. */
  readonly mountOther?: (app: Express) => void;
  readonly intercept?: Intercept | undefined;
}

const bodyLimit = '2mb';

/**
 * The Express app every HTTP stand-in shares: the vendor's API with its faults, a page of what arrived, and the
 * control routes.
 */
export function createStandInApp(parts: StandInAppParts): Express {
  const app = express().disable('x-powered-by').disable('etag');
  mountShowcase(app, parts);
  app.use(guardOrigin(parts.allowedHosts));
  if (parts.callFaults !== undefined) {
    const { plan, nameTarget, makeBody } = parts.callFaults;
    app.use(playFaults(plan, nameTarget, makeBody));
  }
  parts.mountOther?.(app);
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
  const answer = await parts.answerCall(call);
  if (interception === 'drop_after') request.socket.destroy();
  else sendAnswer(response, answer);
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
