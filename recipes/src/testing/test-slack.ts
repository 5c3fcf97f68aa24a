import {
  createSlackEmulator,
  type InterceptedCall,
  type Interception,
  type SlackEmulatorSettings,
} from '@aftermeet/sandbox';
import { onTestFinished } from 'vitest';

import { openSlack } from '../destinations/slack/connector.ts';
import type { SlackMessage } from '../destinations/slack/message.ts';
import type { ServiceActions } from '../engine/destination.ts';
import type { Preparation, SendResult, SendLabel } from '../engine/prepared-send.ts';
import { takePrepared } from './bring-to-end.ts';

export const testChannel = 'C0123456789';
export const testStartMs = 1_795_000_000_000;

interface TestSlackOptions extends SlackEmulatorSettings {
  readonly timeoutMs?: number;
  readonly service?: ServiceActions;
}

/** The connector and the emulator it talks to, until the test ends. */
export async function openTestSlack({ timeoutMs, service, ...options }: TestSlackOptions = {}) {
  const state = {
    nowMs: testStartMs,
    /** Decides what happens to a request. */
    rule: (_request: InterceptedCall): Interception => 'pass',
    /** Paths of the requests so far. */
    paths: [] as string[],
  };
  const emulator = createSlackEmulator({
    clock: () => state.nowMs,
    intercept: (request) => {
      state.paths.push(request.path.replace('/api/', ''));
      return state.rule(request);
    },
    ...options,
  });
  const apiUrl = `${(await emulator.listen()).url}/api/`;
  const settings = { token: 'xoxb-test', apiUrl, channel: testChannel };
  const slack = openSlack(settings, timeoutMs, service, () => state.nowMs);
  onTestFinished(async () => {
    await slack.close();
    await emulator.close();
  });

  const tryPrepare = (message: SlackMessage, label: Partial<SendLabel> = {}): Promise<Preparation> =>
    slack.prepare(message, { effectKey: 'k1', target: testChannel, ...label });

  return {
    state,
    apiUrl,
    emulator,
    slack,
    tryPrepare,
    prepare: async (message: SlackMessage, label: Partial<SendLabel> = {}) =>
      takePrepared(await tryPrepare(message, label)),
    /** Sends a message and returns its reference. */
    post: async (message: SlackMessage, label: Partial<SendLabel> = {}): Promise<string> =>
      referenceOf(await takePrepared(await tryPrepare(message, label)).send()),
    /** What happens to every request from now on. */
    always: (interception: Interception): void => {
      state.rule = () => interception;
    },
    /** What happens to the next request of a method. */
    once: (method: string, interception: Interception): void => {
      let isOver = false;
      state.rule = ({ path }) => {
        if (isOver || !path.endsWith(method)) return 'pass';
        isOver = true;
        return interception;
      };
    },
    /** What another app or person does in the workspace. */
    call: async (method: string, body: object, token = 'xoxb-test'): Promise<void> => {
      await fetch(`${apiUrl}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    },
  };
}

export function referenceOf(sent: SendResult): string {
  if (sent.result !== 'sent') throw new Error(sent.cause);
  return sent.reference;
}
