import { describe, expect, it } from 'vitest';

import { header, markBy, post, refusalOf, section, startTestSlack } from '../../testing/slack.ts';

const nowMs = 1_783_425_600_000;
const auth = { Authorization: 'Bearer xoxb-1-test' };

describe('posting with the real SDK', () => {
  it('answers with channel, ts and message, and keeps what was sent', async () => {
    const { client, slack } = await startTestSlack();
    const seen: string[] = [];
    slack.onReceived(({ text }) => seen.push(text));
    const blocks = [header('Recap'), section('*All well*')];
    const answer = await client.chat.postMessage({
      channel: 'C0001',
      text: 'Recap',
      blocks,
      metadata: markBy('k1'),
      unfurl_links: false,
    });
    expect(answer).toMatchObject({
      ok: true,
      channel: 'C0001',
      message: { type: 'message', text: 'Recap', blocks },
    });
    expect(answer.ts).toMatch(/^\d{10}\.\d{6}$/);
    expect(slack.received()).toEqual([
      {
        channel: 'C0001',
        ts: answer.ts,
        botId: 'B0AFTERMEET',
        text: 'Recap',
        blocks,
        metadata: markBy('k1'),
        otherArguments: { unfurl_links: false },
      },
    ]);
    expect(seen).toEqual(['Recap']);
  });

  it('gives every message a later ts, also within one millisecond', async () => {
    const { client, slack } = await startTestSlack({ clock: () => nowMs });
    for (const text of ['a', 'b', 'c']) await client.chat.postMessage({ channel: 'C0001', text });
    expect(slack.received().map(({ ts }) => ts)).toEqual([
      '1783425600.000000',
      '1783425600.000001',
      '1783425600.000002',
    ]);
  });

  it('takes JSON as well, and a GET', async () => {
    const { slack, url } = await startTestSlack();
    const response = await fetch(`${url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...auth },
      body: JSON.stringify({ channel: 'C0001', text: 'hi', blocks: [section('hi')] }),
    });
    expect(await response.json()).toMatchObject({ ok: true });
    expect(slack.received()).toHaveLength(1);
    const history = await fetch(`${url}/api/conversations.history?channel=C0001`, { headers: auth });
    expect(await history.json()).toMatchObject({ ok: true, messages: [{ text: 'hi' }] });
  });
});

describe('finding a message again', () => {
  it('reads it back by its metadata, newest first, page by page', async () => {
    const { client } = await startTestSlack();
    for (const key of ['k1', 'k2', 'k3']) await post(client, { text: key, metadata: markBy(key) });
    await post(client, { channel: 'C0002', text: 'elsewhere', metadata: markBy('k4') });
    const asked = { channel: 'C0001', include_all_metadata: true, limit: 2 };
    const first = await client.conversations.history(asked);
    expect(first.messages?.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['k3', markBy('k3')],
      ['k2', markBy('k2')],
    ]);
    expect(first.has_more).toBe(true);
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.history({ ...asked, cursor });
    expect(second.messages?.map(({ text }) => text)).toEqual(['k1']);
    expect([second.has_more, second.response_metadata?.next_cursor]).toEqual([false, '']);
  });

  it('leaves metadata out unless asked, replies always, and obeys oldest and latest', async () => {
    const { client } = await startTestSlack({ clock: () => nowMs });
    const { ts = '' } = await post(client, { text: 'first', metadata: markBy('k1') });
    await post(client, { text: 'reply', thread_ts: ts });
    await post(client, { text: 'second' });
    const list = async (given: object) => {
      const { messages = [] } = await client.conversations.history({ channel: 'C0001', ...given });
      return messages.map(({ text, metadata }) => [text, metadata]);
    };
    expect(await list({})).toEqual([
      ['second', undefined],
      ['first', undefined],
    ]);
    expect(await list({ oldest: '1783425600.000000' })).toEqual([['second', undefined]]);
    expect(await list({ oldest: '1783425600.000000', inclusive: true })).toHaveLength(2);
    expect(await list({ latest: '1783425600.000002' })).toEqual([['first', undefined]]);
    expect(await list({ oldest: '1783425601' })).toEqual([]);
  });

  it('refuses times and cursors that are none', async () => {
    const { client } = await startTestSlack();
    const ask = (given: object) => refusalOf(client.conversations.history({ channel: 'C0001', ...given }));
    expect(await ask({ oldest: 'yesterday' })).toBe('invalid_ts_oldest');
    expect(await ask({ latest: '-1' })).toBe('invalid_ts_latest');
    expect(await ask({ cursor: 'nonsense' })).toBe('invalid_cursor');
  });
});

describe('who may do what where', () => {
  it('wants a bot token', async () => {
    const { connect } = await startTestSlack();
    expect(await refusalOf(connect(undefined).auth.test())).toBe('not_authed');
    expect(await refusalOf(connect('wrong').auth.test())).toBe('invalid_auth');
  });

  it('knows only the listed channels', async () => {
    const { client } = await startTestSlack({
      channels: [
        { id: 'C0001', name: 'sales' },
        { id: 'C0002', name: 'old', isArchived: true },
        { id: 'C0003', name: 'others', isMember: false },
        { id: 'C0004', name: 'secret', isMember: false, isPrivate: true },
      ],
    });
    for (const [channel, outcome] of [
      ['C0001', 'done'],
      ['C0002', 'is_archived'],
      ['C0003', 'not_in_channel'],
      ['C0004', 'channel_not_found'],
      ['C9999', 'channel_not_found'],
      ['#sales', 'channel_not_found'],
    ] as const) {
      expect([channel, await refusalOf(post(client, { channel, text: 'hi' }))]).toEqual([channel, outcome]);
    }
    expect(await refusalOf(client.conversations.history({ channel: 'C0003' }))).toBe('not_in_channel');
  });

  it('refuses methods that it does not have, and calls without a required argument', async () => {
    const { client } = await startTestSlack();
    await expect(client.apiCall('chat.scheduleMessage')).rejects.toMatchObject({
      data: {
        error: 'unknown_method',
        response_metadata: {
          messages: [
            '[ERROR] the emulator has no chat.scheduleMessage; it has auth.test, chat.delete, chat.getPermalink, chat.postEphemeral, chat.postMessage, chat.update, conversations.history, conversations.info, conversations.list, conversations.open, conversations.replies, files.completeUploadExternal, files.delete, files.getUploadURLExternal, users.info, users.list, users.lookupByEmail, views.open',
          ],
        },
      },
    });
    await expect(client.apiCall('chat.update', { channel: 'C0001' })).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: ["[ERROR] must have required property 'ts'"] },
      },
    });
    await expect(
      client.apiCall('conversations.history', { channel: 'C0001', limit: 'many' }),
    ).rejects.toMatchObject({
      data: { response_metadata: { messages: ['[ERROR] must be number [json-pointer:/limit]'] } },
    });
  });
});

describe('hostile calls', () => {
  it('are refused and change nothing', async () => {
    const { url, slack } = await startTestSlack();
    const calls: readonly (readonly [string, string, string, string])[] = [
      ['no JSON', 'application/json', '{', 'invalid_json'],
      ['a list', 'application/json', '[1]', 'invalid_arguments'],
      ['a text', 'application/json', '"x"', 'invalid_json'],
      ['an unknown type', 'text/xml', '<a/>', 'invalid_arguments'],
      [
        'a form with an array',
        'application/x-www-form-urlencoded',
        'channel=C0001&channel=C0002',
        'invalid_arguments',
      ],
      [
        'a prototype',
        'application/json',
        '{"__proto__":{"channel":"C0001"},"text":"x"}',
        'invalid_arguments',
      ],
      [
        'blocks nested for ever',
        'application/json',
        `{"channel":"C0001","blocks":[{"type":"data_visualization","a":${'['.repeat(9000)}${']'.repeat(9000)}}]}`,
        'invalid_blocks_format',
      ],
    ];
    const outcomes: unknown[] = [];
    for (const [name, type, body] of calls) {
      const headers = { 'Content-Type': type, ...auth };
      const response = await fetch(`${url}/api/chat.postMessage`, { method: 'POST', headers, body });
      outcomes.push([name, ((await response.json()) as { error?: string }).error]);
    }
    expect(outcomes).toEqual(calls.map(([name, , , error]) => [name, error]));
    expect(slack.received()).toEqual([]);
  });
});
