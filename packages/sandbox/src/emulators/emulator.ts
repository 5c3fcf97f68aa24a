import { createServer } from 'node:http';

import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import type { Servers } from '../control/action.ts';
import { mountActions } from '../control/mount-actions.ts';
import { applyFaults, type CallFaults, type MakeStatusBody } from '../fault-middleware.ts';
import type { FaultAim, FaultPlan } from '../faults.ts';
import type { OptionStore } from '../option-store.ts';
import { describeRequestFault, guardLocal, guardPages } from '../web/guards.ts';
import { startListening, stopListening, type ListenOptions } from '../web/listen.ts';

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

/** What every emulator can be told. */
export interface EmulatorSettings {
  /** Unix milliseconds; default: the system's clock. */
  readonly clock?: () => number;
  /** With a seed, faults with a probability hit the same calls in every run. */
  readonly seed?: number;
  /** Host names besides loopback that may open the control routes, and registered ones that an API is called by. */
  readonly allowedHosts?: readonly string[];
}

/** What the emulator of an API can be told as well. */
export interface ApiEmulatorSettings extends EmulatorSettings {
  readonly intercept?: Intercept;
  /** How many messages or pages it remembers; default 500. */
  readonly keeps?: number;
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
  readonly settings: ApiEmulatorSettings;
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
}

const bodyLimit = '2mb';

/** The server of an emulator: the vendor's API with its faults, and the control routes. */
export function createEmulatorServer(
  parts: EmulatorApp,
): Pick<Emulator<unknown, FaultAim>, 'listen' | 'close'> {
  const { allowedHosts } = parts.settings;
  const app = express().disable('x-powered-by').disable('etag');
  mountControls(app, parts.place, parts.controls, allowedHosts);
  app.use(guardPages(allowedHosts));
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
    const fault = describeRequestFault(error, bodyLimit);
    if (fault === undefined) next(error);
    else sendAnswer(response, parts.answerUnreadable(fault.status));
  });
  const server = createServer(app);
  return {
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    close: () => stopListening(server),
  };
}

async function handleCall(parts: EmulatorApp, request: Request, response: Response): Promise<void> {
  const call: Call = {
    method: request.method,
    path: request.baseUrl + request.path,
    query: request.query,
    body: request.body,
    header: (name) => request.get(name),
  };
  const interception: Interception = (await parts.settings.intercept?.(call)) ?? 'pass';
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
