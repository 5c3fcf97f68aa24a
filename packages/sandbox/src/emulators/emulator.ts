import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import type { Servers } from '../control/action.ts';
import { mountActions } from '../control/mount-actions.ts';
import { applyFaults, type CallFaults, type MakeStatusBody } from '../fault-middleware.ts';
import type { FaultAim, FaultPlan } from '../faults.ts';
import type { OptionStore } from '../option-store.ts';
import { guardLocal, guardPages } from '../web/guards.ts';
import type { ListenOptions } from '../web/listen.ts';

/** A local server that behaves like a vendor's: it keeps what it receives. */
export interface Emulator<Item, Fault extends FaultAim, Options extends object = object> {
  /** Starts it; `url` has no trailing slash. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>;
  /** What arrived, oldest first (the newest 500). */
  readonly received: () => readonly Item[];
  /** As `/_sandbox/faults`. */
  readonly faults: FaultPlan<Fault>;
  /** As `/_sandbox/options`. */
  readonly options: OptionStore<Options>;
  /** Back to the start: forgets what arrived and the faults, and resets the options. */
  readonly reset: () => void;
  /** Calls the listener for each later arrival; returns a function that unsubscribes it. */
  readonly onReceived: (listener: (item: Item) => void) => () => void;
  /** Stops it and closes open connections. */
  readonly close: () => Promise<void>;
}

/** One call to a vendor's API. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined without one. */
  readonly body: unknown;
  /** A header's value, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * What happens to a call: it is handled (`pass`); it is neither handled nor answered (`hang`); it is handled and the
 * connection closed without an answer (`drop_after`); or it gets this answer without being handled. A body that is not
 * text is sent as JSON.
 */
export type Interception =
  | 'pass'
  | 'hang'
  | 'drop_after'
  | (Omit<Answer, 'body'> & { readonly body?: unknown });

/** A test's hook into every call: for what depends on the body of a call, which a fault does not see. */
export type Intercept = (call: InterceptedCall) => Interception | Promise<Interception>;

export type InterceptedCall = Pick<Call, 'method' | 'path' | 'body'>;

export interface EmulatorApp {
  /** Which one it is, for its control routes. */
  readonly place: 'slack' | 'notion';
  readonly controls: Servers['slack'];
  readonly allowedHosts?: readonly string[] | undefined;
  /** The path of the vendor's API. */
  readonly apiPath: string;
  readonly answerCall: (call: Call) => Answer | Promise<Answer>;
  /** The answer to a body that cannot be parsed. */
  readonly answerUnreadable: (status: number) => Answer;
  readonly faults: CallFaults;
  /** The method that a request means, as faults name it; undefined if none. */
  readonly targetOf: (request: Request) => string | undefined;
  /** The vendor's body for a `status` fault. */
  readonly makeStatusBody: MakeStatusBody;
  /** Mounts what else the vendor serves. */
  readonly mountOther?: (app: Express) => void;
  readonly intercept?: Intercept | undefined;
}

const bodyLimit = '2mb';

/** The Express app of an emulator: the vendor's API with its faults, and the control routes. */
export function createEmulatorApp(parts: EmulatorApp): Express {
  const app = express().disable('x-powered-by').disable('etag');
  mountControls(app, parts.place, parts.controls, parts.allowedHosts);
  app.use(guardPages(parts.allowedHosts));
  app.use(applyFaults(parts.faults, parts.targetOf, parts.makeStatusBody));
  parts.mountOther?.(app);
  app.use(
    parts.apiPath,
    express.json({ limit: bodyLimit }),
    express.urlencoded({ extended: false, limit: bodyLimit }),
    (request: Request, response: Response, next: NextFunction) => {
      handleCall(parts, request, response).catch(next);
    },
  );
  app.use(parts.apiPath, (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const status = clientErrorOf(error);
    if (status === undefined) next(error);
    else sendAnswer(response, parts.answerUnreadable(status));
  });
  return app;
}

async function handleCall(parts: EmulatorApp, request: Request, response: Response): Promise<void> {
  const call: Call = {
    method: request.method,
    path: request.baseUrl + request.path,
    query: request.query,
    body: request.body,
    header: (name) => request.get(name),
  };
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

function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(status).set(headers);
  if (body === undefined) response.end();
  else if (typeof body === 'string') response.send(body);
  else response.json(body);
}

/** The status of a 4xx error that a body parser raised. */
function clientErrorOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

/** What arrived at `/`, and the control routes under `/_sandbox`, for this machine only. */
export function mountControls<At extends 'slack' | 'notion' | 'mail'>(
  app: Express,
  place: At,
  controls: Servers[At],
  allowedHosts?: readonly string[],
): void {
  const guard = guardLocal(allowedHosts);
  app.get(['/', '/_sandbox/received'], guard, (_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    next();
  });
  app.get('/', (_request, response) => {
    response.json({ received: controls.received() });
  });
  const router = express.Router();
  mountActions(router, place, controls);
  app.use('/_sandbox', guard, router);
}
