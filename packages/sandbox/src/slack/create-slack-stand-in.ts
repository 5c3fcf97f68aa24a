import { createServer } from 'node:http';

import { createStandInApp, type Answer } from '../stand-ins/create-stand-in-app.ts';
import type { Intercept } from '../stand-ins/interception.ts';
import { createReceivedLog } from '../stand-ins/received-log.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { startListening, stopListening } from '../web/start-listening.ts';
import { createSlackCaller } from './answer-slack-call.ts';
import { createTsClock } from './create-ts-clock.ts';
import { renderSlackPage } from './render-slack-page.ts';
import type { SlackChannel } from './slack-channels.ts';
import type { SlackMessage } from './slack-message.ts';

export interface SlackStandInOptions {
  /** With a list, any other channel is `channel_not_found`; without one every channel exists. */
  readonly channels?: readonly SlackChannel[];
  readonly intercept?: Intercept;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** Host names besides this machine's own that may open the page. */
  readonly allowedHosts?: readonly string[];
}

/**
 * A local Slack: `chat.postMessage`, `conversations.history` and `auth.test` under `<url>/api/`
 * (the SDK's `slackApiUrl`), with Slack's own answers and refusals.
 */
export function createSlackStandIn(options: SlackStandInOptions = {}): StandIn<SlackMessage> {
  const log = createReceivedLog<SlackMessage>();
  const app = createStandInApp({
    apiPath: '/api',
    answerCall: createSlackCaller({
      log,
      channels: options.channels,
      makeTs: createTsClock(options.clock ?? Date.now),
    }),
    answerUnreadable: (): Answer => ({ status: 200, body: { ok: false, error: 'invalid_json' } }),
    renderHome: () => renderSlackPage(log.list()),
    listReceived: log.list,
    reset: log.clear,
    intercept: options.intercept,
    allowedHosts: options.allowedHosts,
  });
  const server = createServer(app);
  return {
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received: log.list,
    reset: log.clear,
    onReceived: log.onReceived,
    close: () => stopListening(server),
  };
}
