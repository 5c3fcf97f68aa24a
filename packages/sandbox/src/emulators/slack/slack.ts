import { createCollection } from '../../collection.ts';
import { callFaults, createFaultPlan, type StatusFault } from '../../faults.ts';
import { createOptionStore } from '../../option-store.ts';
import { createEmulatorServer, type ApiEmulatorSettings, type Emulator } from '../emulator.ts';
import { createReceivedLog } from '../received-log.ts';
import { createSlackApi, slackTargetOf, slackTargets } from './api.ts';
import { mountUploads } from './files.ts';
import {
  defaultOptions,
  errorFaultSchema,
  optionsSchema,
  type SlackFault,
  type SlackOptions,
} from './options.ts';
import type { SlackChannel, SlackMessage, SlackShown, SlackState, SlackUser } from './state.ts';
import { sampleUsers } from './users.ts';

export interface SlackEmulatorSettings extends ApiEmulatorSettings {
  /** With a list, any other channel is `channel_not_found`; without one every channel exists. */
  readonly channels?: readonly SlackChannel[];
  /** Default: three people of `example.com`. */
  readonly users?: readonly SlackUser[];
  /** The options at the start. */
  readonly options?: Partial<SlackOptions>;
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
  let lastFile = 0;
  const state: SlackState = {
    messages,
    shown: createReceivedLog<SlackShown>(),
    files: createCollection({ keyOf: ({ id }) => id, limit: 100 }),
    channels: settings.channels,
    users: settings.users ?? sampleUsers,
    options,
    makeTs: createTsClock(now),
    makeFileId() {
      lastFile += 1;
      return `F${String(lastFile).padStart(9, '0')}`;
    },
    now,
  };
  const reset = (): void => {
    messages.clear();
    state.shown.clear();
    state.files.clear();
    lastFile = 0;
    faults.reset();
    options.reset();
  };
  const server = createEmulatorServer({
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
    settings,
  });
  return {
    faults,
    options,
    shown: state.shown.list,
    readFile: (id) => state.files.find(id)?.content,
    ...server,
    received: messages.list,
    reset,
    onReceived: messages.onReceived,
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
