import { describe, expect, it } from 'vitest';

import { header, markBy, post, refusalOf, section, startTestSlack } from '../../testing/slack.ts';

const nowMs = 1_783_425_600_000;
const channel = 'C0001';

describe('a thread', () => {
  it('is read oldest first from its parent or any reply, page by page', async () => {
    const { client } = await startTestSlack({ clock: () => nowMs });
    const { ts = '' } = await post(client, { text: 'parent', metadata: markBy('k1') });
    const { ts: replyTs = '' } = await post(client, { text: 'one', thread_ts: ts });
    await post(client, { text: 'two', thread_ts: ts });
    const asked = { channel, ts, limit: 2 };
    const first = await client.conversations.replies({ ...asked, include_all_metadata: true });
    expect(first.messages?.map(({ text, thread_ts: parent }) => [text, parent])).toEqual([
      ['parent', ts],
      ['one', ts],
    ]);
    expect(first.messages?.[0]).toMatchObject({
      reply_count: 2,
      latest_reply: '1783425600.000002',
      metadata: markBy('k1'),
    });
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.replies({ ...asked, cursor });
    expect([second.messages?.map(({ text }) => text), second.has_more]).toEqual([['two'], false]);
    const ofReply = await client.conversations.replies({ channel, ts: replyTs });
    expect(ofReply.messages?.map(({ text }) => text)).toEqual(['parent', 'one', 'two']);
  });

  it('is refused under what is no message, gone, or a reply itself', async () => {
    const { client } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'parent' });
    const { ts: replyTs = '' } = await post(client, { text: 'reply', thread_ts: ts });
    const reply = (thread: string, where = channel) =>
      refusalOf(post(client, { channel: where, text: 'x', thread_ts: thread }));
    await expect(post(client, { text: 'x', thread_ts: '0' })).rejects.toMatchObject({
      data: {
        error: 'invalid_thread_ts',
        response_metadata: { messages: ['[ERROR] 0 is not a valid thread_ts'] },
      },
    });
    expect(await reply('1783425600.000009')).toBe('thread_not_found');
    expect(await reply(ts, 'C0002')).toBe('thread_not_found');
    expect(await reply(replyTs)).toBe('cannot_reply_to_message');
    const unknownThread = client.conversations.replies({ channel, ts: '1.000000' });
    expect(await refusalOf(unknownThread)).toBe('thread_not_found');
  });
});

describe('an update', () => {
  it('takes the place of what was said, and the metadata stays', async () => {
    const { client, slack } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'old', blocks: [header('Old')], metadata: markBy('k1') });
    const updated = await client.chat.update({ channel, ts, text: 'new', blocks: [header('New')] });
    expect(updated).toMatchObject({
      ok: true,
      channel,
      ts,
      text: 'new',
      message: { blocks: [header('New')] },
    });
    const { messages } = await client.conversations.history({ channel, include_all_metadata: true });
    expect(messages).toMatchObject([
      { ts, text: 'new', metadata: markBy('k1'), edited: { user: 'B0AFTERMEET' } },
    ]);
    expect(slack.received()).toHaveLength(1);
  });

  it('with a text alone takes the blocks away, with blocks alone keeps the text, and takes metadata away on wish', async () => {
    const { client, slack } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'old', blocks: [header('Old')], metadata: markBy('k1') });
    await client.apiCall('chat.update', { channel, ts, blocks: [header('New')] });
    expect(slack.received()[0]).toMatchObject({
      text: 'old',
      blocks: [header('New')],
      metadata: markBy('k1'),
    });
    await client.apiCall('chat.update', { channel, ts, text: 'new', metadata: {} });
    expect(slack.received()[0]).toMatchObject({ text: 'new' });
    expect(slack.received()[0]).not.toHaveProperty('blocks');
    expect(slack.received()[0]).not.toHaveProperty('metadata');
  });

  it('takes 4000 bytes of text, as they are after escaping', async () => {
    const { client } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'old' });
    for (const text of [
      'x'.repeat(4000),
      'é'.repeat(2000),
      '&amp;'.repeat(800),
      '<'.repeat(1000),
      '<!here>'.repeat(571),
    ]) {
      expect(await client.chat.update({ channel, ts, text })).toMatchObject({ ok: true });
    }
  });

  it('is refused as Slack refuses it, and then nothing has changed', async () => {
    let now = nowMs;
    const { client, connect, slack } = await startTestSlack({
      clock: () => now,
      options: { edit_window_minutes: 10 },
    });
    const { ts = '' } = await post(client, { text: 'mine' });
    const update = (given: object, by = client) =>
      refusalOf(by.apiCall('chat.update', { channel, ts, ...given }));
    expect(await update({ ts: '1.000000', text: 'x' })).toBe('message_not_found');
    expect(await update({ channel: 'sales', text: 'x' })).toBe('channel_not_found');
    expect(await update({ text: 'x' }, connect('xoxb-2-other'))).toBe('cant_update_message');
    expect(await update({ blocks: [section('x'.repeat(3001))] })).toBe('invalid_blocks');
    expect(await update({ text: '' })).toBe('no_text');
    for (const text of [
      'x'.repeat(4001),
      'é'.repeat(2001),
      '&'.repeat(801),
      '<'.repeat(1001),
      `${'>'.repeat(1000)}x`,
    ]) {
      expect(await update({ text })).toBe('msg_too_long');
    }
    now += 10 * 60_000 + 1;
    expect(await update({ text: 'x' })).toBe('edit_window_closed');
    expect(slack.received()).toMatchObject([{ text: 'mine' }]);
  });

  it('of a deleted message finds none, and only its own app deletes it', async () => {
    const { client, connect, slack } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'mine' });
    expect(await refusalOf(connect('xoxb-2-other').chat.delete({ channel, ts }))).toBe('cant_delete_message');
    expect(await client.chat.delete({ channel, ts })).toMatchObject({ ok: true, ts });
    expect(await refusalOf(client.chat.delete({ channel, ts }))).toBe('message_not_found');
    expect(slack.received()).toEqual([]);
  });
});

describe('what a message says', () => {
  it('cannot be nothing, too much or malformed', async () => {
    const { client, slack } = await startTestSlack();
    const refusals: readonly [string, object, string][] = [
      ['nothing', { text: '  ' }, 'no_text'],
      ['more than 40,000 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
      ['markdown, which the emulator has not', { markdown_text: 'x' }, 'invalid_arguments'],
      ['attachments, which it has not', { text: 'x', attachments: [{ text: 'x' }] }, 'invalid_arguments'],
      ['a broadcast, which it has not', { text: 'x', reply_broadcast: true }, 'invalid_arguments'],
      ['blocks that are no list', { text: 'x', blocks: 'no' }, 'invalid_blocks_format'],
      ['blocks that are no objects', { text: 'x', blocks: [1] }, 'invalid_blocks_format'],
      ['metadata without a type', { text: 'x', metadata: { event_payload: {} } }, 'invalid_metadata_format'],
      [
        'metadata of a type with spaces',
        { text: 'x', metadata: { event_type: 'a b', event_payload: {} } },
        'invalid_metadata_format',
      ],
      [
        'metadata two levels deep',
        { text: 'x', metadata: { event_type: 'a', event_payload: { b: { c: { d: 1 } } } } },
        'invalid_metadata_schema',
      ],
      ['metadata of 8 KiB and more', { text: 'x', metadata: markBy('x'.repeat(8192)) }, 'metadata_too_large'],
    ];
    const outcomes: unknown[] = [];
    for (const [name, message] of refusals) outcomes.push([name, await refusalOf(post(client, message))]);
    expect(outcomes).toEqual(refusals.map(([name, , error]) => [name, error]));
    expect(slack.received()).toEqual([]);
  });

  it('is refused with what is wrong and where', async () => {
    const { client } = await startTestSlack();
    const problem = 'must NOT have more than 150 characters [json-pointer:/blocks/0/text/text]';
    await expect(post(client, { text: 'x', blocks: [header('x'.repeat(151))] })).rejects.toMatchObject({
      message: 'An API error occurred: invalid_blocks',
      data: { ok: false, error: 'invalid_blocks', errors: [problem] },
    });
  });

  it('may reach every limit at once', async () => {
    const { client } = await startTestSlack();
    const blocks = [
      header('x'.repeat(150)),
      ...Array.from({ length: 3 }, () => section('x'.repeat(3000))),
      ...Array.from({ length: 46 }, () => ({ type: 'divider' })),
    ];
    expect(await refusalOf(post(client, { text: 'x'.repeat(40_000), blocks }))).toBe('done');
  });
});
