import { createServer } from 'node:http';

import { deliveryHeaderNames } from '@aftermeet/webhooks';
import express, { type Router } from 'express';

import { createAccount } from './account.ts';
import type { AppState } from './app-state.ts';
import { createSandboxClock, type SandboxClock } from './clock.ts';
import { createControlRouter } from './control/control-router.ts';
import { applyFaults } from './fault-middleware.ts';
import {
  callFaults,
  createFaultPlan,
  deliveryFaultKinds,
  deliveryFaults,
  type CallFault,
  type DeliveryFault,
  type FaultPlan,
} from './faults.ts';
import { callTargets } from './handlers/handlers.ts';
import { createIdMaker } from './ids.ts';
import { advanceClock, createLifecycle, parseTransitions } from './lifecycle.ts';
import type { McpRouter } from './mcp.ts';
import {
  completeMeeting,
  failMeeting,
  moveMeeting,
  type Completion,
  type Failure,
  type Finish,
} from './meeting-changes.ts';
import { createMeetingStore } from './meetings.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { seedMeetings, seedSchema, type Seeding, type SeedOptions } from './seed.ts';
import { createServiceOptions, type ServiceOptionStore } from './service-options.ts';
import { createServiceRouter } from './service-router.ts';
import { createTagStore } from './tags.ts';
import { createUploadStore, type UploadView } from './uploads/upload-store.ts';
import { guardHost, guardPages } from './web/guards.ts';
import { startListening, stopListening, type ListenOptions } from './web/listen.ts';
import type { DeliveryView } from './webhooks/delivery.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';

/** An emulator of the service. Its state ends with the process. */
export interface Sandbox {
  /** Starts it; `url` is the base address, without a slash at its end. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>;
  /** As `POST /_sandbox/meetings/:id/complete`; undefined for an unknown meeting. */
  readonly completeMeeting: (meetingId: string, completion?: Completion) => Finish | undefined;
  /** As `POST /_sandbox/meetings/:id/fail`. */
  readonly failMeeting: (meetingId: string, failure?: Failure) => Finish | undefined;
  /** As `POST /_sandbox/seed`: adds finished meetings of the last days. Throws `ZodError` where the route answers 400. */
  readonly seed: (options?: SeedOptions) => Seeding;
  /** Newest first. */
  readonly deliveries: () => readonly DeliveryView[];
  /** As `POST /_sandbox/deliveries/:id/redeliver`; false for an unknown delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** As `GET /_sandbox/uploads`, oldest first. */
  readonly uploads: () => readonly UploadView[];
  /** The time of the sandbox; `advance` as `POST /_sandbox/clock`. */
  readonly clock: Pick<SandboxClock, 'now' | 'advance'>;
  readonly options: ServiceOptionStore;
  readonly faults: FaultPlan<CallFault | DeliveryFault>;
  /** The valid API key. */
  readonly key: () => string;
  /** As `POST /_sandbox/key`: the new key; the old one is invalid at once. */
  readonly changeKey: (key?: string) => string;
  /** Back to the start, except for the time; what is under way is aborted. */
  readonly reset: () => void;
  /** Stops the server, every attempt and every timer. */
  readonly close: () => Promise<void>;
}

/** Makes a sandbox that is not listening yet. Throws `RangeError` for a wrong option. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  let ownUrl = '';
  const { app, reset } = createAppState(options, () => ownUrl);
  const { allowedHosts = [], links = [], publicUrl } = options;
  // Not for the control routes: a tunnel to this machine may have the public name.
  const publicHosts =
    publicUrl === undefined || !URL.canParse(publicUrl) ? [] : [new URL(publicUrl).hostname];
  const web = express().disable('x-powered-by').disable('etag');
  web.use(guardPages([...allowedHosts, ...publicHosts]));
  web.use('/_sandbox', createControlRouter(app, { allowedHosts, links, reset }));
  web.get('/', (_request, response) => {
    response.redirect('/_sandbox');
  });
  const mcp = createLazyMcp(app);
  web.use(
    '/mcp',
    applyFaults(app.faults, () => 'mcp'),
    guardHost(allowedHosts),
    mcp.router,
  );
  web.use(createServiceRouter(app));
  const server = createServer(web);
  return {
    async listen(address) {
      ownUrl = `http://${await startListening(server, address)}`;
      return { url: ownUrl };
    },
    completeMeeting: (meetingId, completion = {}) => completeMeeting(app, meetingId, completion),
    failMeeting: (meetingId, failure = {}) => failMeeting(app, meetingId, failure),
    seed: (wanted = {}) => seedMeetings(app, seedSchema.parse(wanted)),
    deliveries: app.sender.list,
    redeliver: app.sender.redeliver,
    uploads: app.uploads.list,
    clock: { now: app.clock.now, advance: (byMs) => advanceClock(app, byMs) },
    options: app.options,
    faults: app.faults,
    key: app.account.key,
    changeKey: app.account.changeKey,
    reset,
    async close() {
      app.clock.stop();
      app.sender.stop();
      app.lifecycle.reset();
      try {
        await Promise.all([stopListening(server), mcp.close()]);
      } finally {
        await app.uploads.clear();
      }
    },
  };
}

const MINUTE_MS = 60_000;
const observedRetryDelaysMs = [1, 5, 15, 60, 180].map((minutes) => minutes * MINUTE_MS);
const OBSERVED_TIMEOUT_MS = 10_000;

function createAppState(options: SandboxOptions, ownUrl: () => string) {
  const { apiKey, observe = () => {}, seed } = options;
  if (apiKey === '') throw new RangeError('The API key is empty; leave it out to use sandbox_key.');
  const clock = createSandboxClock(options.clock ?? Date.now);
  const makeId = createIdMaker(seed);
  const meetings = createMeetingStore();
  const serviceOptions = createServiceOptions(options.options);
  const app: AppState = {
    meetings,
    tags: createTagStore(),
    uploads: createUploadStore(),
    sender: createWebhookSender({
      names: deliveryHeaderNames(options.headerPrefix ?? 'X-Service'),
      timeoutMs: options.deliveryTimeoutMs ?? OBSERVED_TIMEOUT_MS,
      allowRemoteReceivers: options.allowRemoteReceivers ?? false,
      retryDelaysMs: options.retryDelaysMs ?? observedRetryDelaysMs,
      clock,
      takeFault: () => app.faults.take('deliveries', deliveryFaultKinds),
      observe,
    }),
    account: createAccount({ givenKey: apiKey, makeId, now: clock.now, options: serviceOptions }),
    options: serviceOptions,
    lifecycle: createLifecycle({
      transitions: parseTransitions(options.transitions),
      clock,
      find: meetings.find,
      move: (meeting) => moveMeeting(app, meeting),
    }),
    clock,
    faults: createFaultPlan<CallFault | DeliveryFault>(
      [{ ...callFaults, targets: callTargets }, deliveryFaults],
      seed,
    ),
    makeId,
    observe,
    defaultWebhook: options.defaultWebhook,
    baseUrl: () => options.publicUrl ?? ownUrl(),
  };
  const reset = (): void => {
    app.meetings.clear();
    app.tags.clear();
    app.sender.reset();
    app.lifecycle.reset();
    app.clock.reset();
    app.account.reset();
    app.options.reset();
    app.faults.reset();
    // The files are removed in the background; `close` waits for it.
    app.uploads.clear().catch(() => {});
  };
  return { app, reset };
}

/** Loads the MCP endpoint with its first request: its SDK takes longer to load than everything else. */
function createLazyMcp(app: AppState): McpRouter {
  let loading: Promise<McpRouter> | undefined;
  const router: Router = express.Router();
  router.use(async (request, response, next) => {
    loading ??= import('./mcp.ts').then(({ createMcpRouter }) => createMcpRouter(app));
    try {
      (await loading).router(request, response, next);
    } catch (error) {
      loading = undefined;
      throw error;
    }
  });
  return {
    router,
    async close() {
      await (await loading?.catch(() => {}))?.close();
    },
  };
}
