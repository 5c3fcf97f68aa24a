import { createSlackStandIn } from '@aftermeet/sandbox';
import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ProbeResult } from '../shipment.ts';
import { findSlackMessage } from './find-slack-message.ts';

const channel = 'C0123456789';
const startMs = 1_795_000_000_000;
const minuteMs = 60_000;
const bounds = { pageLength: 2, mostPages: 3 };
let time: number;
let calls: number;
let standIn: ReturnType<typeof createSlackStandIn>;
let client: WebClient;

beforeEach(async () => {
  time = startMs;
  calls = 0;
  standIn = createSlackStandIn({
    clock: () => time,
    intercept: ({ path }) => {
      if (path.endsWith('conversations.history')) calls += 1;
      return 'pass';
    },
  });
  const { url } = await standIn.listen();
  client = new WebClient('xoxb-test', { slackApiUrl: `${url}/api/`, logLevel: LogLevel.ERROR });
});
afterEach(() => standIn.close());

async function chat(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
    await client.chat.postMessage({ channel, text: 'chat' });
  }
}

async function postOurs(): Promise<string> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
  const { ts = '' } = await client.chat.postMessage({
    channel,
    text: 'recap',
    metadata: { event_type: 'aftermeet_effect', event_payload: { key: 'k1' } },
  });
  return `${channel}/${ts}`;
}

function find(sinceMs = startMs, timeoutMs = 10_000): Promise<ProbeResult> {
  return findSlackMessage(client, { effectKey: 'k1', target: channel }, sinceMs, timeoutMs, bounds);
}

describe('findSlackMessage', () => {
  it('needs one call for a channel that has little news', async () => {
    await chat(1);
    expect(await find()).toEqual({ result: 'absent' });
    const reference = await postOurs();
    expect(await find()).toEqual({ result: 'found', reference });
    expect(calls).toBe(2);
  });

  it('finds a message of the first minutes behind any number of newer ones', async () => {
    await chat(3);
    const reference = await postOurs();
    time = startMs + 10 * minuteMs;
    await chat(25);
    expect(await find()).toEqual({ result: 'found', reference });
    expect(calls).toBe(2);
  });

  it('finds a message of a later attempt behind some pages', async () => {
    await chat(4);
    time = startMs + 10 * minuteMs;
    const reference = await postOurs();
    await chat(5);
    expect(await find()).toEqual({ result: 'found', reference });
  });

  it('is sure that there is none only when it has read everything', async () => {
    await chat(5);
    time = startMs + 10 * minuteMs;
    await chat(6);
    expect(await find()).toEqual({ result: 'absent' });
    await chat(1);
    expect(await find()).toEqual({
      result: 'unsure',
      cause: 'the channel has more new messages than were looked through',
    });
    expect(calls).toBe(7 + 7);
  });

  it('looks at nothing that is older than the attempt, but for what clocks may differ', async () => {
    await postOurs();
    expect(await find(startMs + 10 * minuteMs)).toMatchObject({ result: 'found' });
    expect(await find(startMs + 10 * minuteMs + 1000)).toEqual({ result: 'absent' });
  });

  it('comes to an end with a history that takes too long', async () => {
    await chat(5);
    expect(await find(startMs, 0)).toEqual({
      result: 'not_asked',
      cause: 'the history of the channel could not be read in time',
      contact: 'answered',
    });
  });
});
