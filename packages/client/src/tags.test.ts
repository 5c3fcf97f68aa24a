import { describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { AmbiguousWriteError } from './errors.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeService } from './testing/fake-service.ts';

function answerWith(answers: (query: URLSearchParams, count: number) => unknown) {
  const { connection, asked } = createFakeService(answers);
  return { tags: createClient(connection).tags, templates: createClient(connection).templates, asked };
}

describe('tags.list', () => {
  it('follows the cursor to the end', async () => {
    const { tags, asked } = answerWith((query) =>
      query.get('cursor') === null
        ? { tags: [{ id: 1, name: 'Sales', color: 'blue' }], nextCursor: 'a/b&c' }
        : { tags: [{ tag_id: 't2', name: 'HR' }], nextCursor: null },
    );
    expect(await tags.list()).toEqual({
      items: [
        { id: '1', name: 'Sales', color: 'blue', raw: { id: 1, name: 'Sales', color: 'blue' } },
        { id: 't2', name: 'HR', raw: { tag_id: 't2', name: 'HR' } },
      ],
      warnings: [],
      raw: [
        { tags: [{ id: 1, name: 'Sales', color: 'blue' }], nextCursor: 'a/b&c' },
        { tags: [{ tag_id: 't2', name: 'HR' }], nextCursor: null },
      ],
    });
    expect(asked).toEqual([
      'GET /api/workspaces/active/tags?perPage=100',
      'GET /api/workspaces/active/tags?perPage=100&cursor=a%2Fb%26c',
    ]);
  });

  it.each<[string, (query: URLSearchParams, asked: number) => unknown, number]>([
    ['a cursor that stays the same', () => ({ tags: [{ id: 1 }], nextCursor: 'a' }), 2],
    [
      'cursors that go round',
      (_query, asked) => ({ tags: [{ id: asked }], nextCursor: ['a', 'b', 'c'][asked % 3] }),
      4,
    ],
    [
      'the same page under ever new cursors',
      (_query, asked) => ({ tags: [{ id: 1 }], nextCursor: asked }),
      2,
    ],
  ])('ends at %s', async (_name, answers, requests) => {
    const { tags, asked } = answerWith(answers);
    const { items: found } = await tags.list();
    expect(asked).toHaveLength(requests);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it('goes on after an empty page, but not for ever', async () => {
    const patient = answerWith((_query, asked) => ({
      tags: asked === 3 ? [{ id: 1 }] : [],
      nextCursor: asked === 3 ? undefined : asked,
    }));
    expect((await patient.tags.list()).items).toHaveLength(1);
    const endless = answerWith((_query, asked) => ({ tags: [], nextCursor: asked }));
    expect(await catchFault(endless.tags.list())).toMatchObject({
      code: 'unreadable',
      detail: 'the list of tags did not end within 1000 pages',
    });
  });

  it('says what could not be read, and that the list is shorter than its total', async () => {
    const { tags } = answerWith(() => ({ total: 9, tags: [{ id: 1 }, { name: 'no id' }] }));
    expect(await tags.list()).toMatchObject({
      items: [{ id: '1' }],
      total: 9,
      warnings: ['one entry of the list could not be read', 'the service counts 9 entries and lists 2'],
    });
  });

  it('takes a cursor that no address can carry for unreadable', async () => {
    const { tags } = answerWith(() => '{"tags":[],"nextCursor":"\\ud800"}');
    expect((await catchFault(tags.list())).code).toBe('unreadable');
  });
});

describe('tags.create', () => {
  it.each([
    { tag: { id: 7, name: 'Sales', color: 'blue' }, created: true },
    { data: { id: 7, name: 'Sales', color: 'blue' } },
    { id: 7, name: 'Sales', color: 'blue' },
  ])('finds the tag in %j', async (body) => {
    const { tags, asked } = answerWith(() => body);
    expect(await tags.create({ name: 'Sales', color: 'blue' })).toMatchObject({
      id: '7',
      name: 'Sales',
      color: 'blue',
    });
    expect(asked).toEqual(['POST /api/workspaces/active/tags {"name":"Sales","color":"blue"}']);
  });

  it('says where to look when the answer names no tag', async () => {
    const { tags } = answerWith(() => 'ok');
    const error = await catchFault(tags.create({ name: 'Sales' }));
    expect(error).toBeInstanceOf(AmbiguousWriteError);
    expect(error).toMatchObject({ verifyWith: { operation: 'tags.list' } });
    expect(error.message).toBe(
      'tags.create: POST /api/workspaces/active/tags answered 200: the answer names no tag; ' +
        'it may have taken effect: check with tags.list before you send it again',
    );
  });
});

describe('an id that JSON could not hold', () => {
  it('is not taken for another one', async () => {
    const { tags, templates } = answerWith(() => '[{"id":9007199254740993,"name":"a"},{"id":7,"name":"b"}]');
    expect((await tags.list()).items.map(({ id }) => id)).toEqual(['7']);
    expect((await templates.list()).items.map(({ id }) => id)).toEqual(['7']);
    const created = answerWith(() => '{"tag":{"id":9007199254740993}}');
    expect((await catchFault(created.tags.create({ name: 'a' }))).code).toBe('ambiguous');
  });
});

describe('tags on meetings', () => {
  it('are attached and detached by PUT and DELETE, with ids made safe for the path', async () => {
    const { tags, asked } = answerWith(() => '');
    expect(await tags.attach({ meetingId: 'a/b', tagId: 't?1' })).toEqual({ raw: undefined });
    expect(await tags.detach({ meetingId: 'a/b', tagId: 't?1' })).toEqual({ raw: undefined });
    expect(asked).toEqual([
      'PUT /api/workspaces/active/meetings/a%2Fb/tags/t%3F1',
      'DELETE /api/workspaces/active/meetings/a%2Fb/tags/t%3F1',
    ]);
  });
});

describe('templates.list', () => {
  it.each([
    [[{ id: 'u1', name: 'Design sync' }]],
    [{ templates: [{ template_id: 'u1', template_name: 'Design sync' }] }],
    [{ data: { custom_templates: [{ uuid: 'u1', title: 'Design sync' }] } }],
  ])('reads %j', async (body) => {
    const { templates, asked } = answerWith(() => body);
    expect(await templates.list()).toMatchObject({
      items: [{ id: 'u1', name: 'Design sync' }],
      warnings: [],
    });
    expect(asked).toEqual(['GET /api/v2/workspaces/active/custom-templates']);
  });

  it('leaves out what has no id, and takes a page of a proxy for unreadable', async () => {
    const some = answerWith(() => [{ id: 'u1' }, { name: 'x' }, 'y', null]);
    expect(await some.templates.list()).toMatchObject({
      items: [{ id: 'u1', name: 'Untitled', raw: { id: 'u1' } }],
      warnings: ['3 entries of the list could not be read'],
    });
    const page = answerWith(() => '<html>');
    expect((await catchFault(page.templates.list())).code).toBe('unreadable');
  });
});
