import { createServer } from 'node:http';

import type { FaultPlan } from '../faults/fault-plan.ts';
import { createCallPace } from '../stand-ins/call-pace.ts';
import { createStandInApp, type Answer } from '../stand-ins/create-stand-in-app.ts';
import type { Intercept } from '../stand-ins/interception.ts';
import { createKnobBox, type KnobBox } from '../stand-ins/knob-box.ts';
import { createReceivedLog } from '../stand-ins/received-log.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { startListening, stopListening } from '../web/start-listening.ts';
import { createSlackCaller } from './answer-slack-call.ts';
import { createTsClock } from './create-ts-clock.ts';
import { addSlackFileRoute, mountSlackUploads } from './receive-slack-upload.ts';
import { renderSlackPage } from './render-slack-page.ts';
import { createBotRegistry } from './slack-bots.ts';
import type { SlackChannel } from './slack-channels.ts';
import { createSlackFaultPlans, describeSlackStatus, type SlackErrorFault } from './slack-faults.ts';
import { createSlackFiles } from './slack-files.ts';
import { slackKnobsSchema, usualSlackKnobs, type SlackKnobs } from './slack-knobs.ts';
import type { SlackMessage } from './slack-message.ts';
import { nameSlackTarget, slackTargets } from './slack-methods.ts';
import { sampleUsers, type SlackUser } from './slack-users.ts';
import type { SlackWorld } from './slack-world.ts';

export interface SlackStandInOptions {
  /** With a list, any other channel is `channel_not_found`; without one every channel exists. */
  readonly channels?: readonly SlackChannel[];
  /** Who is found by e-mail; default three people of `example.com`. */
  readonly users?: readonly SlackUser[];
  /** How Slack is played at the start; see `PATCH /_sandbox/knobs`. */
  readonly knobs?: Partial<SlackKnobs>;
  readonly intercept?: Intercept;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** With a seed, faults by chance hit the same calls in every run. */
  readonly seed?: number;
  /** Host names besides this machine's own that may open the page. */
  readonly allowedHosts?: readonly string[];
}

/** A Slack stand-in can also be told to fail. */
export interface SlackStandIn extends StandIn<SlackMessage> {
  /** Errors of Slack's own, as `{kind: 'error', error: 'fatal_error'}`. */
  readonly errorFaults: FaultPlan<SlackErrorFault>;
  readonly knobs: KnobBox<SlackKnobs>;
  /** The bytes of a file that was uploaded, by its id. */
  readonly readFile: (id: string) => Buffer | undefined;
}

/**
 * A local Slack under `<url>/api/` (the SDK's `slackApiUrl`): messages with threads, updates and metadata, files, people
 * and channels, as far as `slackMethods` goes, with Slack's own answers, checks and refusals.
 */
export function createSlackStandIn(options: SlackStandInOptions = {}): SlackStandIn {
  const now = options.clock ?? Date.now;
  const log = createReceivedLog<SlackMessage>();
  const plans = createSlackFaultPlans(slackTargets, options.seed);
  const world: SlackWorld = {
    log,
    files: createSlackFiles(),
    channels: options.channels,
    users: options.users ?? sampleUsers,
    knobs: createKnobBox(slackKnobsSchema, { ...usualSlackKnobs, ...options.knobs }),
    pace: createCallPace(now),
    makeTs: createTsClock(now),
    now,
  };
  const reset = (): void => {
    for (const part of [log, world.files, world.pace, plans.calls, plans.errors]) part.clear();
    world.knobs.reset();
  };
  const app = createStandInApp({
    apiPath: '/api',
    answerCall: createSlackCaller({ world, errorFaults: plans.errors, findBot: createBotRegistry() }),
    answerUnreadable: (): Answer => ({ status: 200, body: { ok: false, error: 'invalid_json' } }),
    callFaults: {
      plan: plans.calls,
      nameTarget: ({ path }) => nameSlackTarget(path),
      makeBody: describeSlackStatus,
    },
    mountOther: (router) => {
      mountSlackUploads(router, world.files);
    },
    addControls: (router) => {
      addSlackFileRoute(router, world.files);
    },
    faults: [plans.calls, plans.errors],
    knobs: world.knobs,
    renderHome: () => renderSlackPage(log.list(), world.users),
    listReceived: log.list,
    reset,
    intercept: options.intercept,
    allowedHosts: options.allowedHosts,
  });
  const server = createServer(app);
  return {
    faults: plans.calls,
    errorFaults: plans.errors,
    knobs: world.knobs,
    readFile: (id) => world.files.find(id)?.content,
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received: log.list,
    reset,
    onReceived: log.onReceived,
    close: () => stopListening(server),
  };
}
