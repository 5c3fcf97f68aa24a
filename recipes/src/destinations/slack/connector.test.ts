import type { Interception } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { openTestSlack, testChannel, testStartMs } from '../../testing/test-slack.ts';
import { simplifyMessage } from './post-message.ts';
import { renderSlackRecap } from './render-recap.ts';

const digest = buildDigest(sampleReport);
const [message] = renderSlackRecap(digest);
const [changed] = renderSlackRecap(buildDigest({ ...sampleReport, summary: 'We changed our minds.' }));
const [parent, reply] = renderSlackRecap(digest, { maxTasks: 1 });
const [withoutReplies] = renderSlackRecap(digest, { parts: ['outcome', 'summary', 'decisions', 'tasks'] });
if (reply === undefined) throw new Error('the recap has no reply');

describe('a message', () => {
  it('is posted quietly with the key of its effect', async () => {
    const { post, emulator } = await openTestSlack();
    const reference = await post(message);
    const [posted] = emulator.received();
    expect(reference).toBe(`${testChannel}/${posted?.ts ?? ''}`);
    expect(posted).toMatchObject({
      text: message.text,
      blocks: message.blocks,
      metadata: { event_type: 'aftermeet_effect', event_payload: { key: 'k1' } },
      otherArguments: { unfurl_links: false, unfurl_media: false },
    });
  });

  it("is posted and changed with the blocks of a recipe of one's own", async () => {
    const { prepare, post, emulator } = await openTestSlack();
    const own = (text: string) => ({
      ...message,
      ownBlocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
    });
    const reference = await post(own('*one*'));
    expect(emulator.received()[0]).toMatchObject({ text: message.text, blocks: own('*one*').ownBlocks });
    const prepared = await prepare(own('*two*'));
    expect(await prepared.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(emulator.received()[0]).toMatchObject({ blocks: own('*two*').ownBlocks });
  });

  it('that was not posted is absent after a timeout and after a 500', async () => {
    const { prepare, always } = await openTestSlack({ timeoutMs: 200 });
    const prepared = await prepare(message);
    always('hang');
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    expect(await prepared.probe(testStartMs)).toMatchObject({ result: 'not_asked' });
    always({ status: 500, body: 'oops' });
    expect(await prepared.send()).toEqual({ result: 'unknown', cause: 'Slack answered 500' });
    always('pass');
    expect(await prepared.probe(testStartMs)).toEqual({ result: 'absent' });
  });

  it('to a missing channel fails for good', async () => {
    const { prepare } = await openTestSlack({ channels: [{ id: testChannel, name: 'meetings' }] });
    const prepared = await prepare(message, { target: 'C0000000000' });
    expect(await prepared.send()).toMatchObject({ result: 'permanent' });
    expect(await prepared.probe(testStartMs)).toMatchObject({ result: 'impossible' });
  });
});

describe('an update', () => {
  it('changes the message in place, which keeps its key, and may be repeated', async () => {
    const { post, prepare, emulator } = await openTestSlack();
    const reference = await post(message);
    const update = await prepare(changed, { effectKey: 'k2' });
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(emulator.received()).toHaveLength(1);
    expect(emulator.received()[0]).toMatchObject({
      text: changed.text,
      blocks: changed.blocks,
      metadata: { event_payload: { key: 'k1' } },
    });
    expect(await (await prepare(message)).probe(testStartMs)).toEqual({ result: 'found', reference });
    expect(await update.probe(testStartMs)).toEqual({ result: 'absent' });
  });

  it.each([
    ['drop_after', { result: 'unknown' }],
    [
      { status: 500, body: 'oops' },
      { result: 'unknown', cause: 'Slack answered 500' },
    ],
    [
      { status: 429, headers: { 'retry-after': '9' } },
      { result: 'rate_limited', retryAfterMs: 9000 },
    ],
  ] as const)('is repeated after %j', async (fault, expected) => {
    const { post, prepare, always } = await openTestSlack();
    const reference = await post(message);
    const update = await prepare(changed);
    always(fault);
    expect(await update.update?.(reference)).toMatchObject(expected);
    always('pass');
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('shortens the text of a long message, not its blocks', async () => {
    const { post, prepare, emulator } = await openTestSlack();
    const reference = await post(message);
    const summary = Array.from({ length: 600 }, (_word, at) => `слово & ${String(at)}`).join(' ');
    const [long] = renderSlackRecap(buildDigest({ ...sampleReport, summary }));
    expect(await (await prepare(long)).update?.(reference)).toEqual({ result: 'sent', reference });
    const [posted] = emulator.received();
    expect(posted?.blocks).toEqual(long.blocks);
    // chat.update answers msg_too_long to more, which chat.postMessage takes.
    expect(Buffer.byteLength(posted?.text ?? '')).toBeLessThanOrEqual(4000);
    expect(posted?.text).toMatch(/^Weekly sync\n[^]*слово &amp; 180[^]*…$/);
  });

  it('does not restore a deleted message', async () => {
    const { post, prepare, call } = await openTestSlack();
    const reference = await post(message);
    await call('chat.delete', { channel: testChannel, ts: reference.split('/')[1] });
    expect(await (await prepare(changed)).update?.(reference)).toEqual({
      result: 'gone',
      cause: 'the message is not in the channel any more',
    });
  });

  it('says why a message cannot be changed', async () => {
    const { post, prepare, call, emulator, state } = await openTestSlack();
    const reference = await post(message);
    const update = await prepare(changed);
    emulator.options.set({ edit_window_minutes: 5 });
    state.nowMs += 10 * 60_000;
    expect(await update.update?.(reference)).toEqual({
      result: 'permanent',
      cause:
        'Slack answered edit_window_closed: the workspace does not let messages be changed any more after so long',
    });
    await call('chat.postMessage', { channel: testChannel, text: 'not ours' }, 'xoxb-other');
    const foreign = emulator.received().at(-1)?.ts ?? '';
    expect(await update.update?.(`${testChannel}/${foreign}`)).toMatchObject({
      result: 'permanent',
      cause: expect.stringContaining('cant_update_message: the message was posted by another app'),
    });
    expect(await update.update?.('')).toEqual({
      result: 'permanent',
      cause: 'the stored reference names no message',
      contact: 'none',
    });
  });
});

describe('a reply', () => {
  it('goes into the thread of its message, is found there and changed there', async () => {
    const { post, prepare, once, emulator } = await openTestSlack();
    const thread = await post(parent);
    const prepared = await prepare(reply, { parent: thread, effectKey: 'r1' });
    once('chat.postMessage', 'drop_after');
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    const [, posted] = emulator.received();
    const reference = `${testChannel}/${posted?.ts ?? ''}`;
    expect(posted).toMatchObject({
      threadTs: thread.split('/')[1],
      metadata: { event_payload: { key: 'r1', reply: 1 } },
    });
    expect(posted).not.toHaveProperty('isBroadcast');
    expect(await prepared.probe(testStartMs)).toEqual({ result: 'found', reference });
    const other = await prepare(changed, { parent: thread, effectKey: 'r2' });
    expect(await other.probe(testStartMs)).toEqual({ result: 'absent' });
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(emulator.received()).toHaveLength(2);
    expect(emulator.received()[1]).toMatchObject({ text: changed.text, threadTs: thread.split('/')[1] });
  });

  it('is refused if its message is gone', async () => {
    const { prepare } = await openTestSlack();
    const prepared = await prepare(reply, { parent: `${testChannel}/1795000000.999999` });
    expect(await prepared.send()).toEqual({
      result: 'permanent',
      cause: 'Slack answered thread_not_found: the message that it belongs to is not there any more',
    });
  });

  it('that the recap no longer has is emptied, and restored when the recap has it again', async () => {
    const { post, prepare, once, emulator } = await openTestSlack();
    const thread = await post(parent);
    await post(reply, { parent: thread, effectKey: 'r1' });
    const shorter = await prepare(withoutReplies, { effectKey: 'k2' });
    expect(await shorter.update?.(thread)).toEqual({ result: 'sent', reference: thread });
    expect(emulator.received().map(({ text }) => text)).toEqual([
      withoutReplies.text,
      'This part is not in the report any more.',
    ]);
    const again = await prepare(parent, { effectKey: 'k3' });
    once('conversations.replies', { status: 500 });
    expect(await again.update?.(thread)).toMatchObject({ result: 'unknown' });
    once('conversations.replies', { status: 429, headers: { 'Retry-After': '7' } });
    expect(await again.update?.(thread)).toMatchObject({ result: 'rate_limited', retryAfterMs: 7000 });
    expect(emulator.received()[1]?.text).toBe('This part is not in the report any more.');
    expect(await again.update?.(thread)).toEqual({ result: 'sent', reference: thread });
    expect(emulator.received()[1]).toMatchObject({
      text: reply.text,
      metadata: { event_payload: { key: 'r1', reply: 1 } },
    });
  });

  it('that cannot be emptied is no failure of the recap', async () => {
    const { post, prepare, once, emulator } = await openTestSlack();
    const thread = await post(parent);
    const shorter = await prepare(withoutReplies, { effectKey: 'k2' });
    once('conversations.replies', { status: 500 });
    expect(await shorter.update?.(thread)).toEqual({ result: 'sent', reference: thread });
    // The app may not read the thread.
    emulator.options.set({ scopes: ['chat:write'] });
    const again = await prepare(parent, { effectKey: 'k3' });
    expect(await again.update?.(thread)).toEqual({ result: 'sent', reference: thread });
  });
});

describe('blocks that Slack rejects', () => {
  const refusal = (error: string): Interception => ({ status: 200, body: { ok: false, error } });

  it.each(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])(
    'are posted as plain text after %s',
    async (error) => {
      const { post, once, emulator } = await openTestSlack();
      once('chat.postMessage', refusal(error));
      await post(renderSlackRecap(digest, { link: 'https://app.example.com/m_1' })[0]);
      const [posted] = emulator.received();
      expect(posted?.blocks).toHaveLength(1);
      expect(JSON.stringify(posted?.blocks)).toContain('• budget <fixed>');
      expect(JSON.stringify(posted?.blocks)).toContain('"url":"https://app.example.com/m_1"');
      expect(posted?.metadata?.event_payload).toEqual({ key: 'k1' });
    },
  );

  it('fail for good after the second refusal, in an update too', async () => {
    const { prepare, state } = await openTestSlack();
    state.rule = ({ path }) => (path.includes('chat.') ? refusal('invalid_blocks') : 'pass');
    const prepared = await prepare(message);
    expect(await prepared.send()).toEqual({ result: 'permanent', cause: 'Slack answered invalid_blocks' });
    expect(await prepared.update?.(`${testChannel}/1795000000.000001`)).toMatchObject({
      result: 'permanent',
    });
    expect(state.paths.filter((path) => path.startsWith('chat.'))).toHaveLength(4);
  });

  it('are looked for when the outcome of the second attempt is unknown', async () => {
    const { prepare, state } = await openTestSlack();
    const posts = (): number => state.paths.filter((path) => path === 'chat.postMessage').length;
    state.rule = ({ path }) => {
      if (!path.endsWith('chat.postMessage')) return 'pass';
      return posts() === 1 ? refusal('invalid_blocks') : 'drop_after';
    };
    const prepared = await prepare(message);
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    expect(await prepared.probe(testStartMs)).toMatchObject({ result: 'found' });
  });

  it('become text that is never cut inside an escape', () => {
    const text = `${'a'.repeat(2990)}${'&amp;'.repeat(5)}`;
    expect(simplifyMessage({ text, blocks: [] })).toMatchObject({
      text: `${'a'.repeat(2990)}&amp;…`,
      blocks: [{ elements: [{ elements: [{ text: `${'a'.repeat(2990)}&&&&&` }] }] }],
    });
  });
});
