import { describe, expect, it } from 'vitest';

import { post, refusalOf, startTestSlack } from '../testing/start-test-slack.ts';

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

  it.each(['reset', 'empty', 'garbage'] as const)('%s: nothing is done', async (kind) => {
    const { client, slack } = await startTestSlack();
    slack.faults.add({ kind });
    await expect(post(client, { text: 'x' })).rejects.toMatchObject({ name: 'WebAPIRequestError' });
    expect(slack.received()).toEqual([]);
  });

  it.each(['drop_after', 'cut'] as const)('%s: it is posted, and the answer is lost', async (kind) => {
    const { client, slack } = await startTestSlack();
    slack.faults.add({ kind, on: 'chat.postMessage' });
    await expect(post(client, { text: 'x' })).rejects.toThrow(/fetch failed|terminated/);
    expect(slack.received()).toHaveLength(1);
  });

  it('hang: nothing is done, and the client gives up by itself', async () => {
    const { connect, slack } = await startTestSlack();
    slack.faults.add({ kind: 'hang' });
    await expect(post(connect('xoxb-1', 100), { text: 'x' })).rejects.toThrow('timeout');
    expect(slack.received()).toEqual([]);
  });

  it("Slack's own errors, done or not done", async () => {
    const { client, slack } = await startTestSlack();
    slack.errorFaults.add({ kind: 'error', on: 'chat.postMessage', error: 'is_archived', is_applied: false });
    slack.errorFaults.add({ kind: 'error', on: 'chat.postMessage', error: 'fatal_error', is_applied: true });
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
  it('plan faults of both kinds, list them and take them back', async () => {
    const { client, steer } = await startTestSlack();
    const aim = { on: 'chat.postMessage', times: 1, after: 0, probability: 1 };
    const drop = { id: 'fault-1', kind: 'drop_after', ...aim, happened: 0 };
    expect(await steer('POST', '/faults', { kind: 'drop_after', on: 'chat.postMessage' })).toEqual([
      201,
      { fault: drop },
    ]);
    const error = { kind: 'error', on: 'auth.test', error: 'account_inactive' };
    expect(await steer('POST', '/faults', error)).toMatchObject([201, { fault: { id: 'fault-2' } }]);
    expect(await refusalOf(client.auth.test())).toBe('account_inactive');
    expect(await steer('GET', '/faults')).toMatchObject([
      200,
      { faults: [drop, { id: 'fault-2', happened: 1 }] },
    ]);
    expect(await steer('DELETE', '/faults/fault-2')).toEqual([200, { faults: [drop] }]);
    expect(await steer('DELETE', '/faults')).toEqual([200, { faults: [] }]);
    expect(await steer('DELETE', '/faults/fault-1')).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it('refuse what could never happen, and say what would be right', async () => {
    const { steer } = await startTestSlack();
    const refused = async (body: object) => {
      const [status, answer] = await steer('POST', '/faults', body);
      return [status, (answer as { message: string }).message];
    };
    expect(await refused({ kind: 'explode' })).toEqual([400, expect.stringContaining('drop_after')]);
    expect(await refused({ kind: 'reset', on: 'chat.shout' })).toEqual([
      400,
      expect.stringContaining('chat.postMessage'),
    ]);
    expect(await refused({ kind: 'error', error: '<html>' })).toEqual([
      400,
      'error: must be an error code such as fatal_error.',
    ]);
  });

  it('turn knobs, and reset everything', async () => {
    const { client, slack, steer } = await startTestSlack();
    expect(await steer('PATCH', '/knobs', { token: 'revoked' })).toMatchObject([
      200,
      { knobs: { token: 'revoked', long_text: 'refuse' } },
    ]);
    expect(await refusalOf(client.auth.test())).toBe('token_revoked');
    expect(await steer('PATCH', '/knobs', { token: 'lost' })).toMatchObject([
      400,
      { code: 'INVALID_REQUEST' },
    ]);
    expect(await steer('PATCH', '/knobs', { colour: 'red' })).toMatchObject([
      400,
      { code: 'INVALID_REQUEST' },
    ]);
    expect(await steer('PATCH', '/knobs', [])).toMatchObject([400, { code: 'INVALID_REQUEST' }]);
    expect(await steer('GET', '/knobs')).toMatchObject([200, { knobs: { token: 'revoked' } }]);
    expect(await steer('DELETE', '/knobs')).toMatchObject([200, { knobs: { token: 'active' } }]);
    await post(client, { text: 'x' });
    slack.faults.add({ kind: 'reset' });
    slack.knobs.turn({ token: 'expired' });
    expect(await steer('GET', '/received')).toMatchObject([200, { received: [{ text: 'x' }] }]);
    expect(await steer('POST', '/reset')).toEqual([200, { status: 'ok' }]);
    expect([slack.received(), slack.faults.list(), slack.knobs.read().token]).toEqual([[], [], 'active']);
    expect(await steer('GET', '/nothing')).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });
});

describe('what Slack takes away', () => {
  it('an active token and a scope, each with its own code', async () => {
    const { client, slack } = await startTestSlack();
    slack.knobs.turn({ token: 'expired' });
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('token_expired');
    slack.knobs.turn({ token: 'inactive' });
    expect(await refusalOf(post(client, { text: 'x' }))).toBe('account_inactive');
    slack.knobs.turn({ token: 'active', scopes: ['chat:write'] });
    await post(client, { text: 'x' });
    await expect(client.users.lookupByEmail({ email: 'anna@example.com' })).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'users:read.email', provided: 'chat:write' },
    });
    expect(() => {
      slack.knobs.turn({ messages_per_second: 0 });
    }).toThrow(RangeError);
  });

  it('the right to read, by the kind of channel', async () => {
    const channels = [
      { id: 'C0001', name: 'general' },
      { id: 'C0002', name: 'secret', isPrivate: true },
    ];
    const { client, slack } = await startTestSlack({ channels });
    slack.knobs.turn({ scopes: ['chat:write'] });
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
    slack.knobs.turn({ scopes: ['im:history'] });
    expect(await client.conversations.history({ channel: 'D0ANNA' })).toMatchObject({ ok: true });
  });

  it('more than one message in a second, channel by channel', async () => {
    let now = 1_783_425_600_000;
    const { client, slack } = await startTestSlack({ clock: () => now, knobs: { messages_per_second: 1 } });
    await post(client, { text: 'one' });
    await expect(post(client, { text: 'two' })).rejects.toMatchObject({ retryAfter: 1 });
    await post(client, { channel: 'C0002', text: 'elsewhere' });
    now += 1000;
    await post(client, { text: 'two' });
    expect(slack.received().map(({ text }) => text)).toEqual(['one', 'elsewhere', 'two']);
  });

  it('more than so many calls of a method in a minute', async () => {
    let now = 1_783_425_600_000;
    const { client } = await startTestSlack({ clock: () => now, knobs: { calls_per_minute: 2 } });
    const read = () => client.conversations.history({ channel: 'C0001' });
    await read();
    now += 20_000;
    await read();
    await expect(read()).rejects.toMatchObject({ retryAfter: 40 });
    await client.auth.test();
    now += 40_000;
    expect(await read()).toMatchObject({ ok: true });
  });
});
