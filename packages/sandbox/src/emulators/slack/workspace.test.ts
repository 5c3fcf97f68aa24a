import { describe, expect, it } from 'vitest';

import { post, refusalOf, startTestSlack } from '../../testing/slack.ts';

describe('people', () => {
  it('are found by e-mail in any case, unless they are unknown', async () => {
    const { client } = await startTestSlack({
      users: [{ id: 'U1', name: 'anna', realName: 'Anna Berg', email: 'Anna@example.com' }],
    });
    const { user } = await client.users.lookupByEmail({ email: 'anna@EXAMPLE.com' });
    expect(user).toMatchObject({
      id: 'U1',
      team_id: 'T0SANDBOX',
      profile: { email: 'Anna@example.com' },
    });
    const unknown = client.users.lookupByEmail({ email: 'nobody@example.com' });
    expect(await refusalOf(unknown)).toBe('users_not_found');
  });

  it('are written to directly, by their own id or that of the message with them', async () => {
    const { client, slack } = await startTestSlack();
    const { channel } = await client.conversations.open({ users: 'U0ANNA' });
    expect(channel?.id).toBe('D0ANNA');
    await post(client, { channel: 'U0ANNA', text: 'hi' });
    expect(slack.received()).toMatchObject([{ channel: 'D0ANNA' }]);
    expect(await refusalOf(client.conversations.open({ users: 'U9' }))).toBe('user_not_found');
    expect(await refusalOf(client.conversations.open({ users: 'U0ANNA,U0TOM' }))).toBe('not_enough_users');
    expect(await refusalOf(client.apiCall('conversations.open'))).toBe('users_list_not_supplied');
  });
});

describe('channels', () => {
  const channels = [
    { id: 'C0001', name: 'sales' },
    { id: 'C0002', name: 'old', isArchived: true },
    { id: 'C0003', name: 'secret', isPrivate: true },
    { id: 'C0004', name: 'hidden', isPrivate: true, isMember: false },
  ];

  it('are described', async () => {
    const { client } = await startTestSlack({ channels });
    expect((await client.conversations.info({ channel: 'C0003' })).channel).toMatchObject({
      name: 'secret',
      is_private: true,
      is_member: true,
    });
    expect(await refusalOf(client.conversations.info({ channel: 'C0004' }))).toBe('channel_not_found');
  });

  it('of the workspace are listed page by page', async () => {
    const { client } = await startTestSlack();
    const first = await client.users.list({ limit: 2 });
    expect(first.members?.map(({ id }) => id)).toEqual(['U0SANDBOX', 'U0ANNA']);
    const cursor = first.response_metadata?.next_cursor ?? '';
    const rest = await client.users.list({ cursor });
    expect(rest.members?.map(({ id }) => id)).toEqual(['U0TOM', 'U0MAYA', 'U0PRIYA', 'U0LIAM']);
    expect(rest.response_metadata?.next_cursor).toBe('');
  });

  it('are listed page by page, without private ones of which the app is no member', async () => {
    const { client } = await startTestSlack({ channels });
    const list = async (given: object) => {
      const answer = await client.conversations.list(given);
      return { ids: answer.channels?.map(({ id }) => id), cursor: answer.response_metadata?.next_cursor };
    };
    expect(await list({})).toEqual({ ids: ['C0001', 'C0002'], cursor: '' });
    const asked = { types: 'public_channel,private_channel', exclude_archived: true, limit: 1 };
    const first = await list(asked);
    expect(first.ids).toEqual(['C0001']);
    expect(await list({ ...asked, cursor: first.cursor })).toEqual({ ids: ['C0003'], cursor: '' });
    expect(await refusalOf(client.conversations.list({ cursor: 'x' }))).toBe('invalid_cursor');
  });
});

describe('files', () => {
  const bytes = Buffer.from('# Recap\n');

  it("are uploaded in the SDK's three steps, and posted into a thread", async () => {
    const { client, slack } = await startTestSlack();
    const { ts = '' } = await post(client, { text: 'parent' });
    const uploaded = await client.files.uploadV2({
      channel_id: 'C0001',
      thread_ts: ts,
      file: bytes,
      filename: 'recap.md',
      title: 'Recap',
      initial_comment: 'Here it is',
    });
    expect(uploaded).toMatchObject({
      files: [{ files: [{ id: 'F000000001', name: 'recap.md', title: 'Recap', size: 8 }] }],
    });
    expect(slack.received()[1]).toMatchObject({
      threadTs: ts,
      text: 'Here it is',
      files: [{ id: 'F000000001', name: 'recap.md', title: 'Recap', sizeBytes: 8 }],
    });
    expect(slack.readFile('F000000001')).toEqual(bytes);
  });

  it('are posted once, by the last step', async () => {
    const { client } = await startTestSlack();
    const announced = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 8 });
    const file = announced.file_id ?? '';
    await fetch(announced.upload_url ?? '', { method: 'POST', body: bytes });
    const { files } = await client.files.completeUploadExternal({
      files: [{ id: file }],
      channel_id: 'C0001',
    });
    expect(files).toMatchObject([{ shares: { public: { C0001: [{ team_id: 'T0SANDBOX' }] } } }]);
    const again = client.files.completeUploadExternal({ files: [{ id: file }], channel_id: 'C0001' });
    expect(await refusalOf(again)).toBe('file_not_found');
  });

  it('are refused when something of them is missing', async () => {
    const { client, url, slack } = await startTestSlack();
    const announce = (length: number) => client.files.getUploadURLExternal({ filename: 'a.txt', length });
    expect(await refusalOf(announce(0))).toBe('invalid_arguments');
    const { upload_url: address = '', file_id: id = '' } = await announce(9);
    const upload = async (to: string) => (await fetch(to, { method: 'POST', body: bytes })).status;
    expect(await upload(address)).toBe(400);
    expect(await upload(`${url}/upload/v1/F9`)).toBe(404);
    const complete = (given: object) =>
      refusalOf(client.apiCall('files.completeUploadExternal', { files: [{ id }], ...given }));
    expect(await complete({ channel_id: 'C0001' })).toBe('file_not_found');
    expect(await complete({ files: [] })).toBe('invalid_arguments');
    expect(await complete({ files: 'F1' })).toBe('invalid_arguments');
    const form = new FormData();
    form.set('name', 'only a text');
    expect((await fetch(address, { method: 'POST', body: form })).status).toBe(400);
    const cut = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await fetch(address, { method: 'POST', headers: cut, body: '--x\r\n' })).status).toBe(400);
    expect(slack.received()).toEqual([]);
  });
});
