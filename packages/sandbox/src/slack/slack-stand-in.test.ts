import { type ChatPostMessageArguments, type KnownBlock, LogLevel, WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';

import type { Interception } from '../stand-ins/interception.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { createSlackStandIn, type SlackStandInOptions } from './create-slack-stand-in.ts';
import type { SlackMessage } from './slack-message.ts';

let standIn: StandIn<SlackMessage> | undefined;
let url = '';

afterEach(() => standIn?.close());

const mutedLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

async function start(options: SlackStandInOptions = {}, token: string | undefined = 'xoxb-1-test') {
  standIn = createSlackStandIn(options);
  ({ url } = await standIn.listen());
  const client = new WebClient(token, {
    slackApiUrl: `${url}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 2000,
    allowAbsoluteUrls: false,
    logger: mutedLogger,
  });
  return { client, slack: standIn };
}

const markBy = (key: string) => ({ event_type: 'recap_posted', event_payload: { key } });
const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const header = (text: string): KnownBlock => ({ type: 'header', text: { type: 'plain_text', text } });

/** Slack's error code for a message. */
async function refusalOf(client: WebClient, message: object): Promise<unknown> {
  return client.chat
    .postMessage({ channel: 'C0001', ...message } as ChatPostMessageArguments)
    .then(() => 'posted')
    .catch((error: unknown) => (error as { data?: { error?: string } }).data?.error ?? error);
}

describe('posting with the real SDK', () => {
  it('answers with channel, ts and message, and keeps what was sent', async () => {
    const { client, slack } = await start();
    const seen: string[] = [];
    slack.onReceived(({ text }) => seen.push(text));
    const blocks = [header('Recap'), section('*All well*')];
    const answer = await client.chat.postMessage({
      channel: 'C0001',
      text: 'Recap',
      blocks,
      metadata: markBy('k1'),
    });
    expect(answer).toMatchObject({
      ok: true,
      channel: 'C0001',
      message: { type: 'message', text: 'Recap', blocks },
    });
    expect(answer.ts).toMatch(/^\d{10}\.\d{6}$/);
    expect(slack.received()).toMatchObject([
      { channel: 'C0001', ts: answer.ts, text: 'Recap', blocks, metadata: markBy('k1') },
    ]);
    expect(seen).toEqual(['Recap']);
  });

  it('gives every message a later ts, also within one millisecond', async () => {
    const { client, slack } = await start({ clock: () => 1_783_425_600_000 });
    for (const text of ['a', 'b', 'c']) await client.chat.postMessage({ channel: 'C0001', text });
    expect(slack.received().map(({ ts }) => ts)).toEqual([
      '1783425600.000000',
      '1783425600.000001',
      '1783425600.000002',
    ]);
  });

  it('tells who is asking', async () => {
    const { client } = await start();
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      team: 'Aftermeet sandbox',
      bot_id: 'B0AFTERMEET',
    });
  });

  it('takes JSON as well', async () => {
    const { slack } = await start();
    const response = await fetch(`${url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer xoxb-1-test' },
      body: JSON.stringify({ channel: 'C0001', text: 'hi', blocks: [section('hi')] }),
    });
    expect(await response.json()).toMatchObject({ ok: true });
    expect(slack.received()).toHaveLength(1);
  });
});

describe('finding a message again', () => {
  it('reads it back by its metadata, newest first, page by page', async () => {
    const { client } = await start();
    for (const key of ['k1', 'k2', 'k3'])
      await client.chat.postMessage({ channel: 'C0001', text: key, metadata: markBy(key) });
    await client.chat.postMessage({ channel: 'C0002', text: 'elsewhere', metadata: markBy('k4') });
    const first = await client.conversations.history({
      channel: 'C0001',
      include_all_metadata: true,
      limit: 2,
    });
    expect(first.messages?.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['k3', markBy('k3')],
      ['k2', markBy('k2')],
    ]);
    expect(first.has_more).toBe(true);
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.history({
      channel: 'C0001',
      include_all_metadata: true,
      limit: 2,
      cursor,
    });
    expect(second.messages?.map(({ text }) => text)).toEqual(['k1']);
    expect([second.has_more, second.response_metadata?.next_cursor]).toEqual([false, '']);
  });

  it('leaves metadata out unless asked, replies always, and obeys oldest and latest', async () => {
    const { client } = await start({ clock: () => 1_783_425_600_000 });
    const { ts } = await client.chat.postMessage({ channel: 'C0001', text: 'first', metadata: markBy('k1') });
    await client.chat.postMessage({ channel: 'C0001', text: 'reply', thread_ts: ts ?? '' });
    await client.chat.postMessage({ channel: 'C0001', text: 'second' });
    const list = async (given: object) =>
      (await client.conversations.history({ channel: 'C0001', ...given })).messages ?? [];
    expect((await list({})).map(({ text, metadata }) => [text, metadata])).toEqual([
      ['second', undefined],
      ['first', undefined],
    ]);
    expect((await list({ oldest: '1783425600.000000' })).map(({ text }) => text)).toEqual(['second']);
    expect((await list({ oldest: '1783425600.000000', inclusive: true })).map(({ text }) => text)).toEqual([
      'second',
      'first',
    ]);
    expect((await list({ latest: '1783425600.000002' })).map(({ text }) => text)).toEqual(['first']);
    expect(await list({ oldest: '1783425601' })).toEqual([]);
  });

  it('also answers a GET', async () => {
    const { client } = await start();
    await client.chat.postMessage({ channel: 'C0001', text: 'hi' });
    const response = await fetch(`${url}/api/conversations.history?channel=C0001`, {
      headers: { Authorization: 'Bearer xoxb-1-test' },
    });
    expect(await response.json()).toMatchObject({ ok: true, messages: [{ text: 'hi' }] });
  });
});

describe('refusals', () => {
  it('wants a bot token', async () => {
    await start();
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/api/auth.test`, { method: 'POST', headers })).json();
    expect(await ask({})).toEqual({ ok: false, error: 'not_authed' });
    expect(await ask({ Authorization: 'Bearer wrong' })).toEqual({ ok: false, error: 'invalid_auth' });
  });

  it('knows only the listed channels, and makes an id of a name when there is no list', async () => {
    const { client } = await start({ channels: [{ id: 'C0001', name: 'sales' }] });
    expect(await refusalOf(client, { channel: 'C9999', text: 'hi' })).toBe('channel_not_found');
    expect((await client.chat.postMessage({ channel: '#sales', text: 'hi' })).channel).toBe('C0001');
    await standIn?.close();
    const { client: other } = await start();
    const answer = await other.chat.postMessage({ channel: '#sales', text: 'hi' });
    expect(answer.channel).toMatch(/^C[0-9A-F]{10}$/);
    expect((await other.conversations.history({ channel: answer.channel ?? '' })).messages).toHaveLength(1);
    await expect(other.conversations.history({ channel: '#sales' })).rejects.toMatchObject({
      data: { error: 'channel_not_found' },
    });
  });

  it.each([
    ['nothing to say', { text: '' }, 'no_text'],
    ['a text that is too long', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['blocks that are no list', { text: 'x', blocks: 'no' }, 'invalid_blocks_format'],
    ['an unknown block', { text: 'x', blocks: [{ type: 'banner' }] }, 'invalid_blocks'],
    ['a block for modals', { text: 'x', blocks: [{ type: 'alert', text: 'x' }] }, 'invalid_blocks'],
    [
      '51 blocks',
      { text: 'x', blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) },
      'invalid_blocks',
    ],
    ['a header of 151', { text: 'x', blocks: [header('x'.repeat(151))] }, 'invalid_blocks'],
    [
      'a header in mrkdwn',
      { text: 'x', blocks: [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }] },
      'invalid_blocks',
    ],
    ['a section of 3001', { text: 'x', blocks: [section('x'.repeat(3001))] }, 'invalid_blocks'],
    ['a section of nothing', { text: 'x', blocks: [{ type: 'section' }] }, 'invalid_blocks'],
    ['metadata without a type', { text: 'x', metadata: { event_payload: {} } }, 'invalid_metadata_format'],
  ])('refuses %s', async (_name, message, error) => {
    const { client, slack } = await start();
    expect(await refusalOf(client, message)).toBe(error);
    expect(slack.received()).toEqual([]);
  });

  it('takes messages that reach the limits', async () => {
    const { client } = await start();
    const blocks = [header('x'.repeat(150)), ...Array.from({ length: 49 }, () => section('x'.repeat(3000)))];
    expect(await refusalOf(client, { text: 'x', blocks })).toBe('posted');
  });

  it('says where the fault is', async () => {
    const { client } = await start();
    const failure = client.chat.postMessage({
      channel: 'C0001',
      text: 'x',
      blocks: [header('x'.repeat(151))],
    });
    await expect(failure).rejects.toMatchObject({
      data: { errors: ['must be less than 151 characters [json-pointer:/blocks/0/text/text]'] },
    });
  });

  it('refuses methods that it does not play', async () => {
    const { client } = await start();
    await expect(client.apiCall('chat.update')).rejects.toMatchObject({ data: { error: 'unknown_method' } });
  });
});

describe('faults', () => {
  const withFault = (fault: Interception) =>
    start({ intercept: ({ path }) => (path.endsWith('postMessage') ? fault : 'pass') });

  it('hang: the call is never answered and has no effect', async () => {
    const { slack } = await withFault('hang');
    const client = new WebClient('xoxb-1', {
      slackApiUrl: `${url}/api/`,
      retryConfig: { retries: 0 },
      timeout: 100,
      logger: mutedLogger,
    });
    await expect(client.chat.postMessage({ channel: 'C0001', text: 'x' })).rejects.toThrow('timeout');
    expect(slack.received()).toEqual([]);
  });

  it('drop_after: the message is posted, the answer is lost', async () => {
    const { client, slack } = await withFault('drop_after');
    await expect(client.chat.postMessage({ channel: 'C0001', text: 'x' })).rejects.toThrow('fetch failed');
    expect(slack.received()).toHaveLength(1);
  });

  it('an answer of the test itself', async () => {
    const { client, slack } = await withFault({
      status: 429,
      headers: { 'Retry-After': '7' },
      body: { ok: false, error: 'ratelimited' },
    });
    await expect(client.chat.postMessage({ channel: 'C0001', text: 'x' })).rejects.toMatchObject({
      retryAfter: 7,
    });
    expect(slack.received()).toEqual([]);
  });
});

describe('the page', () => {
  it('shows messages to people, escaped, without script', async () => {
    const { client } = await start();
    await client.chat.postMessage({
      channel: '#sales',
      text: 'fallback',
      blocks: [
        header('<script>alert(1)</script>'),
        section('See <javascript:alert(1)|this> and <https://example.com/?a=1&amp;b=2|that> *now*'),
      ],
    });
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(page).not.toContain('<script');
    expect(page).not.toContain('href="javascript');
    expect(page).toContain('&lt;script&gt;');
    expect(page).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(page).toContain('<strong>now</strong>');
  });

  it('lists what arrived as JSON and forgets it on reset', async () => {
    const { client } = await start();
    await client.chat.postMessage({ channel: 'C0001', text: 'hi' });
    expect(await (await fetch(`${url}/_sandbox/received`)).json()).toMatchObject({
      received: [{ text: 'hi' }],
    });
    await fetch(`${url}/_sandbox/reset`, { method: 'POST' });
    expect(await (await fetch(`${url}/_sandbox/received`)).json()).toEqual({ received: [] });
  });
});
