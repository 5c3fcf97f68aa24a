import { createServer } from 'node:http';

import { deliveryHeaderNames } from '@aftermeet/webhooks';
import express from 'express';

import { startListening, stopListening, type ListenOptions } from '../web/start-listening.ts';
import { createControlRouter } from './create-control-router.ts';
import { createIdMaker } from './create-id-maker.ts';
import { createServiceRouter } from './create-service-router.ts';
import { createWebhookSender } from './create-webhook-sender.ts';
import type { DeliveryView } from './delivery.ts';
import {
  completeMeeting,
  failMeeting,
  type Completion,
  type Failure,
  type Finish,
} from './finish-meeting.ts';
import { createMcpRouter } from './mcp/create-mcp-router.ts';
import { createMeetingStore } from './meeting-store.ts';
import type { PageLink } from './render-sandbox-page.ts';
import type { SandboxStep } from './sandbox-step.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { createTagStore } from './tags/tag-store.ts';
import { createUploadStore } from './uploads/upload-store.ts';
import type { UploadView } from './uploads/upload.ts';

export interface SandboxOptions {
  /** Default `sandbox_key`. */
  readonly apiKey?: string;
  /** Of the four delivery headers; default `X-Service`. */
  readonly headerPrefix?: string;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** With a seed, every id comes in the same order at every start. */
  readonly seed?: number;
  /** Sends deliveries; default the platform's. */
  readonly fetch?: typeof fetch;
  readonly observe?: (step: SandboxStep) => void;
  /** Waits before the second, third, ... attempt; default 1 min, 5 min, 15 min, 1 h, 3 h, as observed. */
  readonly retryDelaysMs?: readonly number[];
  /** False: retries carry the first attempt's timestamp and signature. Default true. */
  readonly resign?: boolean;
  /** How long a receiver may take; default 10 s, as observed. */
  readonly deliveryTimeoutMs?: number;
  /** True: deliveries may leave this machine. Default false. */
  readonly allowRemoteReceivers?: boolean;
  /** The address that `report_url` begins with, where others reach the sandbox; default its own. */
  readonly publicUrl?: string;
  /** Host names besides this machine's own under which it can be steered, and its MCP endpoint be reached. */
  readonly allowedHosts?: readonly string[];
  /** Shown on the page for people. */
  readonly links?: readonly PageLink[];
}

/** A stand-in of the service. All state is in memory, chunks of an upload in a temporary folder; only the control routes move a meeting on. */
export interface Sandbox {
  /** Starts it; `url` is the base address, without a slash at its end. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>;
  /** As `POST /_sandbox/meetings/:id/complete`; undefined when no meeting has the id. */
  readonly completeMeeting: (meetingId: string, completion?: Completion) => Finish | undefined;
  /** As `POST /_sandbox/meetings/:id/fail`. */
  readonly failMeeting: (meetingId: string, failure?: Failure) => Finish | undefined;
  /** Oldest first. */
  readonly deliveries: () => readonly DeliveryView[];
  /** As `POST /_sandbox/deliveries/:id/redeliver`; false when there is no such delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** As `GET /_sandbox/uploads`, oldest first. */
  readonly uploads: () => readonly UploadView[];
  /** Forgets meetings, tags, uploads and deliveries and ends what is under way. */
  readonly reset: () => void;
  /** Stops the server, every attempt and every timer. */
  readonly close: () => Promise<void>;
}

const minuteMs = 60_000;
const observedRetryDelaysMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);
const observedTimeoutMs = 10_000;

/** Makes a sandbox that is not listening yet. Throws `RangeError` on an empty key or a header prefix that no header can have. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const {
    apiKey = 'sandbox_key',
    clock = Date.now,
    observe = () => {},
    headerPrefix = 'X-Service',
  } = options;
  if (apiKey === '') throw new RangeError('The API key is empty; leave it out to use sandbox_key.');
  deliveryHeaderNames(headerPrefix);
  let ownUrl = '';
  const sender = createWebhookSender({
    fetch: options.fetch ?? fetch,
    headerPrefix,
    timeoutMs: options.deliveryTimeoutMs ?? observedTimeoutMs,
    allowRemoteReceivers: options.allowRemoteReceivers ?? false,
    retryDelaysMs: options.retryDelaysMs ?? observedRetryDelaysMs,
    resign: options.resign ?? true,
    clock,
    observe,
  });
  const meetings = createMeetingStore();
  const tags = createTagStore();
  const uploads = createUploadStore();
  const makeId = createIdMaker(options.seed);
  const world: SandboxWorld = {
    meetings,
    tags,
    uploads,
    sender,
    clock,
    makeId,
    observe,
    baseUrl: () => options.publicUrl ?? ownUrl,
  };
  const reset = (): void => {
    meetings.clear();
    tags.clear();
    sender.reset();
    // The files go in the background; closing waits for them.
    uploads.clear().catch(() => {});
  };
  const { allowedHosts = [], links = [] } = options;
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/_sandbox', createControlRouter(world, { allowedHosts, links, reset }));
  app.get('/', (_request, response) => {
    response.redirect('/_sandbox');
  });
  const mcp = createMcpRouter(allowedHosts, async () =>
    (await import('./mcp/serve-mcp.ts')).serveMcp(world, apiKey),
  );
  app.use('/mcp', mcp.router);
  app.use(createServiceRouter(world, apiKey));
  const server = createServer(app);
  return {
    async listen(address) {
      ownUrl = `http://${await startListening(server, address)}`;
      return { url: ownUrl };
    },
    completeMeeting: (meetingId, completion = {}) => completeMeeting(world, meetingId, completion),
    failMeeting: (meetingId, failure = {}) => failMeeting(world, meetingId, failure),
    deliveries: sender.list,
    redeliver: sender.redeliver,
    uploads: uploads.list,
    reset,
    async close() {
      sender.reset();
      try {
        await Promise.all([stopListening(server), mcp.close()]);
      } finally {
        await uploads.clear();
      }
    },
  };
}
