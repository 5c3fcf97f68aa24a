import { afterEach, describe, expect, it } from 'vitest';

import {
  callNotion,
  createTestClient,
  pageOf,
  paragraph,
  startTestNotion,
  stopTestNotions,
  toggle,
  words,
} from '../../testing/notion.ts';

afterEach(stopTestNotions);

describe('pages with the real SDK', () => {
  it('creates a page and answers in the shape of Notion', async () => {
    const clock = () => Date.parse('2026-07-07T12:34:56Z');
    const { client, notion, sourceId } = await startTestNotion({ clock });
    const page = await client.pages.create(
      pageOf(sourceId, {
        properties: {
          Name: { title: words('Launch review') },
          Date: { date: { start: '2026-07-07T12:00:00Z' } },
          Source: { select: { name: 'gmeet' } },
          Participants: { multi_select: [{ name: 'Anna' }] },
          'Meeting ID': { rich_text: words('m1') },
        },
        children: [paragraph('Hello'), toggle(toggle(paragraph('deep')))],
      }),
    );
    expect(page).toMatchObject({
      object: 'page',
      created_time: '2026-07-07T12:34:00.000Z',
      parent: { type: 'data_source_id', data_source_id: sourceId },
      properties: {
        Name: {
          id: 'title',
          type: 'title',
          title: [{ type: 'text', plain_text: 'Launch review', href: null }],
        },
        Date: { type: 'date', date: { start: '2026-07-07T12:00:00Z', end: null, time_zone: null } },
        Source: { type: 'select', select: { name: 'gmeet' } },
        Duration: { type: 'number', number: null },
      },
    });
    expect(notion.received()).toMatchObject([
      { id: page.id, title: 'Launch review', children: [paragraph('Hello'), {}] },
    ]);
    expect(notion.readBlocks(page.id)).toMatchObject([
      { type: 'paragraph', content: { rich_text: [{ plain_text: 'Hello' }], color: 'default' } },
      {
        type: 'toggle',
        children: [{ type: 'toggle', children: [{ content: { rich_text: [{ plain_text: 'deep' }] } }] }],
      },
    ]);
  });

  it('changes properties, takes out the content, and moves it to the trash and back', async () => {
    let now = Date.parse('2026-07-07T12:00:00Z');
    const { client, notion, sourceId } = await startTestNotion({ clock: () => now });
    const { id } = await client.pages.create(pageOf(sourceId, { children: [paragraph('old')] }));
    now += 300_000;
    const changed = await client.pages.update({
      page_id: id,
      properties: { Name: { title: words('New name') }, Duration: { number: 45 } },
      erase_content: true,
    });
    expect(changed).toMatchObject({
      created_time: '2026-07-07T12:00:00.000Z',
      last_edited_time: '2026-07-07T12:05:00.000Z',
      properties: { Name: { title: [{ plain_text: 'New name' }] }, Duration: { number: 45 } },
    });
    expect([notion.received()[0]?.title, notion.readBlocks(id)]).toEqual(['New name', []]);
    expect(await client.pages.update({ page_id: id, in_trash: true })).toMatchObject({ in_trash: true });
    await expect(
      client.pages.update({ page_id: id, properties: { Duration: { number: 1 } } }),
    ).rejects.toMatchObject({
      code: 'validation_error',
      message: "Can't edit block that is archived. You must unarchive the block before editing.",
    });
    expect(await client.pages.update({ page_id: id, in_trash: false })).toMatchObject({ in_trash: false });
  });

  it('keeps to the newer version, in which `archived` and `after` are gone', async () => {
    const { client, sourceId, url } = await startTestNotion();
    const { id } = await client.pages.create(pageOf(sourceId));
    expect(await client.pages.update({ page_id: id, archived: true })).toMatchObject({ in_trash: true });
    const newer = createTestClient(url, '2026-03-11');
    await expect(newer.pages.update({ page_id: id, archived: false })).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('body.archived') as string,
    });
    await newer.pages.update({ page_id: id, in_trash: false });
    const children = [paragraph('x')];
    await expect(newer.blocks.children.append({ block_id: id, children, after: id })).rejects.toMatchObject({
      message: expect.stringContaining('body.after') as string,
    });
  });
});

describe('who calls', () => {
  it('lists the users', async () => {
    const { client } = await startTestNotion();
    const { results } = await client.users.list({});
    expect(results.map(({ type, name }) => [type, name])).toEqual([
      ['bot', 'Aftermeet'],
      ['person', 'Anna Berg'],
      ['person', 'Tom Ruiz'],
      ['person', 'Mei Lin'],
    ]);
  });

  it('wants a token and a version, in the error shape of Notion', async () => {
    const { url } = await startTestNotion({ token: 'ntn_test' });
    const ask = (headers: Record<string, string>) => callNotion(url, 'GET', '/v1/users', undefined, headers);
    const unauthorized = { status: 401, body: { code: 'unauthorized' } };
    expect(await ask({ Authorization: '' })).toMatchObject({
      status: 401,
      body: {
        object: 'error',
        status: 401,
        code: 'unauthorized',
        message: 'Notion says unauthorized.',
        request_id: expect.any(String) as string,
      },
    });
    expect(await ask({ Authorization: 'Bearer ntn_wrong' })).toMatchObject(unauthorized);
    expect(await ask({ 'Notion-Version': '2022-06-28' })).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    });
    const withoutVersion = await fetch(`${url}/v1/users`, { headers: { Authorization: 'Bearer ntn_test' } });
    expect(await withoutVersion.json()).toMatchObject({ status: 400, code: 'missing_version' });
    expect(await ask({})).toMatchObject({ status: 200, body: { object: 'list' } });
  });

  it('answers other addresses, ids that are none and broken JSON as Notion does', async () => {
    const { url } = await startTestNotion();
    const ask = async (method: string, path: string, body?: unknown) =>
      (await callNotion(url, method, path, body)).body;
    const wrongAddress = { object: 'error', status: 400, code: 'invalid_request_url' };
    expect(await ask('GET', '/v1/comments')).toMatchObject({
      ...wrongAddress,
      message:
        'The emulator has no such method; it has pages.create, pages.retrieve, pages.update, blocks.update, blocks.delete, blocks.children.list, blocks.children.append, data_sources.retrieve, data_sources.update, data_sources.query, users.list.',
    });
    for (const gone of ['/v1/users/me', '/v1/databases/x', '/v1/file_uploads', '/v1/search']) {
      expect(await ask('GET', gone)).toMatchObject(wrongAddress);
    }
    expect(await ask('PUT', '/v1/pages', {})).toMatchObject(wrongAddress);
    expect(await ask('GET', '/v1/pages/')).toMatchObject(wrongAddress);
    for (const [path, place] of [
      ['/v1/pages/abc', 'path.page_id'],
      ['/v1/users?page=2', 'query.page'],
      ['/v1/users?page_size=101', 'query.page_size'],
    ] as const) {
      const message = `${place.split('.')[0] ?? ''} failed validation: ${place} is not what Notion takes.`;
      expect(await ask('GET', path)).toMatchObject({ code: 'validation_error', message });
    }
    expect(await ask('GET', '/v1/users?start_cursor=x')).toMatchObject({
      message: 'The start_cursor provided is invalid: x',
    });
    expect(await ask('POST', '/v1/pages', '{')).toMatchObject({ status: 400, code: 'invalid_json' });
    expect(await ask('POST', '/v1/pages', '[]')).toMatchObject({
      message: 'body failed validation: body is not what Notion takes.',
    });
  });
});
