import { createServer } from 'node:http';

import { callFaults, createFaultPlan, type StatusFault } from '../../faults.ts';
import { createOptionStore } from '../../option-store.ts';
import { startListening, stopListening } from '../../web/listen.ts';
import { createEmulatorApp, type Emulator, type Intercept } from '../emulator.ts';
import { createReceivedLog } from '../received-log.ts';
import { createSlackApi, slackTargetOf, slackTargets } from './api.ts';
import { createSlackFiles, mountUploads } from './files.ts';
import {
  defaultOptions,
  errorFaultSchema,
  optionsSchema,
  type SlackFault,
  type SlackOptions,
} from './options.ts';
import type { SlackChannel, SlackMessage, SlackShown, SlackState, SlackUser } from './state.ts';
import { sampleUsers } from './users.ts';

export interface SlackEmulatorSettings {
  /** With a list, any other channel is `channel_not_found`; without one every channel exists. */
  readonly channels?: readonly SlackChannel[];
  /** Default: three people of `example.com`. */
  readonly users?: readonly SlackUser[];
  /** The options at the start. */
  readonly options?: Partial<SlackOptions>;
  readonly intercept?: Intercept;
  /** Unix milliseconds; default: the system's clock. */
  readonly clock?: () => number;
  /** With a seed, faults with a probability hit the same calls in every run. */
  readonly seed?: number;
  /** How many messages it remembers; default 500. */
  readonly keeps?: number;
  /** Host names besides loopback that may open the control routes, and registered ones that the API is called by. */
  readonly allowedHosts?: readonly string[];
}

export interface SlackEmulator extends Emulator<SlackMessage, SlackFault, SlackOptions> {
  /** What one person alone saw, oldest first. */
  readonly shown: () => readonly SlackShown[];
  /** The bytes of an uploaded file, by its id. */
  readonly readFile: (id: string) => Buffer | undefined;
}

/**
 * A local Slack under `<url>/api/` (the SDK's `slackApiUrl`): messages with threads, updates and metadata, files, users
 * and channels, with Slack's own answers, checks and refusals.
 */
export function createSlackEmulator(settings: SlackEmulatorSettings = {}): SlackEmulator {
  const now = settings.clock ?? Date.now;
  const messages = createReceivedLog<SlackMessage>(settings.keeps);
  const faults = createFaultPlan<SlackFault>(
    [
      { ...callFaults, targets: slackTargets },
      { schema: errorFaultSchema, kinds: ['error'], targets: slackTargets },
    ],
    settings.seed,
  );
  const options = createOptionStore(optionsSchema, { ...defaultOptions, ...settings.options });
  const state: SlackState = {
    messages,
    shown: createReceivedLog<SlackShown>(),
    files: createSlackFiles(),
    channels: settings.channels,
    users: settings.users ?? sampleUsers,
    options,
    makeTs: createTsClock(now),
    now,
  };
  const reset = (): void => {
    messages.clear();
    state.shown.clear();
    state.files.clear();
    faults.reset();
    options.reset();
  };
  const app = createEmulatorApp({
    apiPath: '/api',
    answerCall: createSlackApi(state, faults),
    answerUnreadable: () => ({ status: 200, body: { ok: false, error: 'invalid_json' } }),
    faults,
    targetOf: ({ path }) => slackTargetOf(path),
    makeStatusBody: describeStatus,
    mountOther: (router) => {
      mountUploads(router, state.files);
    },
    place: 'slack',
    controls: { faults, options, reset, received: () => messages.list().map(addPreview) },
    intercept: settings.intercept,
    allowedHosts: settings.allowedHosts,
  });
  const server = createServer(app);
  return {
    faults,
    options,
    shown: state.shown.list,
    readFile: (id) => state.files.find(id)?.content,
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received: messages.list,
    reset,
    onReceived: messages.onReceived,
    close: () => stopListening(server),
  };
}

/** A message with an address that shows its blocks, for people. Only who opens it sends them to Slack. */
function addPreview(message: SlackMessage): object {
  const { blocks } = message;
  if (blocks === undefined) return message;
  const view = encodeURIComponent(JSON.stringify({ blocks }));
  return { ...message, blockKitBuilder: `https://app.slack.com/block-kit-builder#${view}` };
}

/** Makes message ids: the time in microseconds, always later than the one before. */
function createTsClock(clock: () => number): () => string {
  let lastMicroseconds = 0;
  return () => {
    lastMicroseconds = Math.max(Math.floor(clock()) * 1000, lastMicroseconds + 1);
    const seconds = Math.floor(lastMicroseconds / 1_000_000);
    return `${String(seconds)}.${String(lastMicroseconds % 1_000_000).padStart(6, '0')}`;
  };
}

const statusErrors: ReadonlyMap<number, string> = new Map([
  [401, 'invalid_auth'],
  [403, 'access_denied'],
  [404, 'unknown_method'],
  [408, 'request_timeout'],
  [429, 'ratelimited'],
  [503, 'service_unavailable'],
]);

/** Slack's body for a `status` fault. */
function describeStatus({ status }: StatusFault): object {
  return { ok: false, error: statusErrors.get(status) ?? (status >= 500 ? 'internal_error' : 'fatal_error') };
}
