import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';

import { applyFaults, createFaultRouter, type CallFaults, type MakeStatusBody } from '../fault-middleware.ts';
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

interface EmulatorControls {
  /** What the list of arrivals shows, oldest first. */
  readonly received: () => readonly unknown[];
  readonly reset: () => void;
  readonly faults: Parameters<typeof createFaultRouter>[0];
  /** Absent: it has none. */
  readonly options?: Pick<OptionStore<object>, 'get' | 'trySet' | 'reset'>;
  readonly allowedHosts?: readonly string[] | undefined;
}

export interface EmulatorApp extends EmulatorControls {
  /** The path of the vendor's API. */
  readonly apiPath: string;
  readonly answerCall: (call: Call) => Answer | Promise<Answer>;
  /** The answer to a body that cannot be parsed. */
  readonly answerUnreadable: (status: number) => Answer;
  readonly faults: EmulatorControls['faults'] & CallFaults;
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
  mountControls(app, parts);
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
export function mountControls(app: Express, parts: EmulatorControls): void {
  const guard = guardLocal(parts.allowedHosts);
  app.get(['/', '/_sandbox/received'], guard, (_request, response) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    response.json({ received: parts.received() });
  });
  const router = express.Router();
  router.post('/reset', (_request, response) => {
    parts.reset();
    response.json({ status: 'ok' });
  });
  router.use('/faults', createFaultRouter(parts.faults));
  if (parts.options !== undefined) router.use('/options', createOptionRouter(parts.options));
  router.use((_request, response) => {
    sendError(response, 404, 'NOT_FOUND', 'The emulator has no such control route.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (clientErrorOf(error) === undefined) next(error);
    else sendError(response, 400, 'INVALID_REQUEST', 'The body must be JSON in UTF-8.');
  });
  app.use('/_sandbox', guard, router);
}

function createOptionRouter(options: NonNullable<EmulatorControls['options']>): Router {
  const router = express.Router();
  router.use(express.json());
  router.get('/', (_request, response) => {
    response.json({ options: options.get() });
  });
  router.patch('/', (request, response) => {
    const outcome = options.trySet(request.body);
    if ('refusal' in outcome) sendError(response, 400, 'INVALID_REQUEST', outcome.refusal);
    else response.json({ options: outcome.options });
  });
  router.delete('/', (_request, response) => {
    options.reset();
    response.json({ options: options.get() });
  });
  return router;
}

function sendError(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ code, message });
}
