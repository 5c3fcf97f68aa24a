import { describe, expect, it } from 'vitest';

import { header, post, refusalOf, startTestSlack } from '../../testing/slack.ts';

describe('faults', () => {
  it.each([
    [429, { retry_after_seconds: 7 }, { name: 'WebAPIRateLimitedError', retryAfter: 7 }],
    [500, {}, { statusCode: 500, body: { ok: false, error: 'internal_error' } }],
    [503, {}, { statusCode: 503, body: { ok: false, error: 'service_unavailable' } }],
  ])('an HTTP status %i, once, with nothing done', async (status, fields, error) => {
    const { client, slack } = await startTestSlack();
    slack.faults.add({ kind: 'status', on: 'chat.postMessage', status, ...fields });
    await client.auth.test();
    await expect(post(client, { text: 'x' })).rejects.toMatchObject(error);
    expect(slack.received()).toEqual([]);
    await post(client, { text: 'x' });
    expect(slack.received()).toHaveLength(1);
  });

  it("Slack's own errors, done or not done", async () => {
    const { client, slack } = await startTestSlack();
    slack.faults.add({ kind: 'error', on: 'chat.postMessage', error: 'is_archived', is_applied: false });
    slack.faults.add({ kind: 'error', on: 'chat.postMessage', error: 'fatal_error', is_applied: true });
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('is_archived');
    expect(slack.received()).toEqual([]);
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('fatal_error');
    expect(slack.received()).toHaveLength(1);
  });

  it('of an upload: the bytes are there, and the client does not know', async () => {
    const { client, slack } = await startTestSlack();
    slack.faults.add({ kind: 'drop_after', on: 'upload' });
    const upload = client.files.uploadV2({ file: Buffer.from('abc'), filename: 'a.txt', channel_id: 'C1' });
    await expect(upload).rejects.toThrow('fetch failed');
    expect([slack.readFile('F000000001')?.toString(), slack.received()]).toEqual(['abc', []]);
  });
});

describe('the control routes', () => {
  it('set options, and reset everything', async () => {
    const { client, slack, control } = await startTestSlack();
    expect(await control('PATCH', '/options', { token: 'revoked' })).toMatchObject([
      200,
      { options: { token: 'revoked' } },
    ]);
    expect(await refusalOf(client.auth.test())).toBe('token_revoked');
    for (const wrong of [{ token: 'lost' }, { colour: 'red' }, []]) {
      expect(await control('PATCH', '/options', wrong)).toMatchObject([400, { code: 'INVALID_REQUEST' }]);
    }
    expect(await control('GET', '/options')).toMatchObject([200, { options: { token: 'revoked' } }]);
    expect(await control('DELETE', '/options')).toMatchObject([200, { options: { token: 'active' } }]);
    const blocks = [header('A & <b>')];
    await post(client, { text: 'x', blocks });
    slack.faults.add({ kind: 'reset' });
    slack.options.set({ token: 'expired' });
    const viewer = `https://app.slack.com/block-kit-builder#${encodeURIComponent(JSON.stringify({ blocks }))}`;
    expect(await control('GET', '/received')).toMatchObject([
      200,
      { received: [{ text: 'x', blockKitBuilder: viewer }] },
    ]);
    expect(await control('POST', '/reset')).toEqual([200, { status: 'ok' }]);
    expect([slack.received(), slack.faults.list(), slack.options.get().token]).toEqual([[], [], 'active']);
    expect(await control('GET', '/nothing')).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });
});

describe('what Slack takes away', () => {
  it('an active token and a scope, each with its own code', async () => {
    const { client, slack } = await startTestSlack();
    slack.options.set({ token: 'expired' });
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('token_expired');
    slack.options.set({ token: 'inactive' });
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('account_inactive');
    slack.options.set({ token: 'active', scopes: ['chat:write'] });
    await post(client, { text: 'x' });
    await expect(client.users.lookupByEmail({ email: 'anna@example.com' })).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'users:read.email', provided: 'chat:write' },
    });
    expect(() => {
      slack.options.set({ edit_window_minutes: -1 });
    }).toThrow(RangeError);
  });

  it('the right to read, by the kind of channel', async () => {
    const channels = [
      { id: 'C0001', name: 'general' },
      { id: 'C0002', name: 'secret', isPrivate: true },
    ];
    const { client, slack } = await startTestSlack({ channels });
    slack.options.set({ scopes: ['chat:write'] });
    const calls = (channel: string): readonly Promise<unknown>[] => [
      client.conversations.history({ channel }),
      client.conversations.replies({ channel, ts: '1.0' }),
      client.conversations.info({ channel }),
    ];
    for (const [channel, kind] of [
      ['C0001', 'channels'],
      ['C0002', 'groups'],
      ['D0ANNA', 'im'],
    ] as const) {
      const refusals = await Promise.allSettled(calls(channel));
      expect(refusals).toMatchObject(
        ['history', 'history', 'read'].map((right) => ({
          reason: { data: { error: 'missing_scope', needed: `${kind}:${right}` } },
        })),
      );
    }
    slack.options.set({ scopes: ['im:history'] });
    expect(await client.conversations.history({ channel: 'D0ANNA' })).toMatchObject({ ok: true });
  });
});
