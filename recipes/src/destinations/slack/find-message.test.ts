import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';

import { openTestSlack, testChannel as channel, testStartMs as startMs } from '../../testing/test-slack.ts';
import { findSlackMessage } from './find-message.ts';

const minuteMs = 60_000;
/** A short history that is longer than the probe reads. */
const limits = { pageLength: 2, maxPages: 3 };

async function open() {
  const { state, apiUrl } = await openTestSlack();
  const client = new WebClient('xoxb-test', { slackApiUrl: apiUrl, logLevel: LogLevel.ERROR });
  return {
    wait: (ms: number): void => {
      state.nowMs += ms;
    },
    chat: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) await client.chat.postMessage({ channel, text: 'chat' });
    },
    /** Posts the message of the effect; its reference. */
    postOurs: async (): Promise<string> => {
      const metadata = { event_type: 'aftermeet_effect', event_payload: { key: 'k1' } };
      const { ts = '' } = await client.chat.postMessage({ channel, text: 'recap', metadata });
      return `${channel}/${ts}`;
    },
    find: (sinceMs = startMs, timeoutMs = 10_000) =>
      findSlackMessage(client, { effectKey: 'k1', channel }, sinceMs, timeoutMs, limits),
    /** Calls that read the history. */
    calls: () => state.paths.filter((path) => path === 'conversations.history').length,
  };
}

describe('findSlackMessage', () => {
  it('needs one call for a quiet channel', async () => {
    const { chat, postOurs, find, calls } = await open();
    await chat(1);
    expect(await find()).toEqual({ result: 'absent' });
    const reference = await postOurs();
    expect(await find()).toEqual({ result: 'found', reference });
    expect(calls()).toBe(2);
  });

  it('finds a message of the first minutes behind any number of newer ones', async () => {
    const { chat, postOurs, find, calls, wait } = await open();
    await chat(3);
    const reference = await postOurs();
    wait(10 * minuteMs);
    await chat(25);
    expect(await find()).toEqual({ result: 'found', reference });
    expect(calls()).toBe(2);
  });

  it('finds a message of a later attempt behind a few pages', async () => {
    const { chat, postOurs, find, wait } = await open();
    await chat(4);
    wait(10 * minuteMs);
    const reference = await postOurs();
    await chat(5);
    expect(await find()).toEqual({ result: 'found', reference });
  });

  it('says absent only if it has read everything', async () => {
    const { chat, find, calls, wait } = await open();
    await chat(5);
    wait(10 * minuteMs);
    await chat(6);
    expect(await find()).toEqual({ result: 'absent' });
    await chat(1);
    expect(await find()).toEqual({
      result: 'unsure',
      cause: 'the channel has more new messages than were looked through',
    });
    expect(calls()).toBe(7 + 7);
  });

  it('reads nothing older than the attempt, but for the clock skew', async () => {
    const { postOurs, find } = await open();
    await postOurs();
    expect(await find(startMs + 10 * minuteMs)).toMatchObject({ result: 'found' });
    expect(await find(startMs + 10 * minuteMs + 1000)).toEqual({ result: 'absent' });
  });

  it('ends in time', async () => {
    const { chat, find } = await open();
    await chat(5);
    expect(await find(startMs, 0)).toEqual({
      result: 'not_asked',
      cause: 'the history of the channel could not be read in time',
      contact: 'answered',
    });
  });
});
