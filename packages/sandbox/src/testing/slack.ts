import { type ChatPostMessageArguments, type KnownBlock, LogLevel, WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';

import {
  createSlackEmulator,
  type SlackEmulator,
  type SlackEmulatorSettings,
} from '../emulators/slack/slack.ts';

const mutedLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

/** A listening emulator and the real SDK in front of it, configured as recipes do. */
export interface TestSlack {
  readonly slack: SlackEmulator;
  readonly url: string;
  readonly client: WebClient;
  /** The SDK with another token, or without one. */
  readonly connect: (token: string | undefined, timeoutMs?: number) => WebClient;
  /** A control route: its status and its body. */
  readonly control: (method: string, path: string, body?: object) => Promise<readonly [number, unknown]>;
}

export async function startTestSlack(options: SlackEmulatorSettings = {}): Promise<TestSlack> {
  const slack = createSlackEmulator(options);
  const { url } = await slack.listen();
  onTestFinished(() => slack.close());
  const connect = (token: string | undefined, timeoutMs = 5000): WebClient =>
    new WebClient(token, {
      slackApiUrl: `${url}/api/`,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: timeoutMs,
      allowAbsoluteUrls: false,
      logger: mutedLogger,
    });
  async function control(method: string, path: string, body?: object): Promise<readonly [number, unknown]> {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json' },
    });
    return [response.status, await response.json()];
  }
  return { slack, url, client: connect('xoxb-1-test'), connect, control };
}

/** Slack's error code for a call, or what else it threw; `done` if it succeeded. */
export async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'done',
    (error: unknown) => (error as { data?: { error?: string } }).data?.error ?? error,
  );
}

/** Posts to C0001 what the SDK's types may not allow. */
export function post(client: WebClient, message: object): ReturnType<WebClient['chat']['postMessage']> {
  return client.chat.postMessage({ channel: 'C0001', ...message } as ChatPostMessageArguments);
}

export const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
export const header = (text: string): KnownBlock => ({ type: 'header', text: { type: 'plain_text', text } });
export const markBy = (key: string) => ({ event_type: 'recap_posted', event_payload: { key } });
