import { describe, expect, it } from 'vitest';

import { useTestSandbox } from '../testing/sandbox.ts';

const service = useTestSandbox();

interface Page {
  readonly total: number;
  readonly followups: readonly { readonly id: string; readonly name: string }[];
}

async function search(query: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await service.call(
    'GET',
    `/api/workspaces/active/meetings/search?${new URLSearchParams(query).toString()}`,
  );
  expect(status).toBe(200);
  return body as Page;
}

const findNames = async (query: Record<string, string>) =>
  (await search(query)).followups.map(({ name }) => name);

async function createTag(name: string, color?: string): Promise<string> {
  const { status, body } = await service.call('POST', '/api/workspaces/active/tags', { name, color });
  expect(status).toBe(201);
  return (body as { tag: { id: string } }).tag.id;
}

const assign = (method: 'PUT' | 'DELETE', meetingId: string, tagId: string) =>
  service.call(method, `/api/workspaces/active/meetings/${meetingId}/tags/${tagId}`);

const record = (title: string, fields: object = {}) =>
  service.holdMeeting({ title, local_date_time: '2026-07-07T10:00:00Z', ...fields });

describe('search', () => {
  it('shows a meeting in the observed shape', async () => {
    const meetingId = await record('Plans', { source: 'zoom' });
    const tagId = await createTag('Sales', 'teal');
    await assign('PUT', meetingId, tagId);
    expect(await search()).toEqual({
      total: 1,
      followups: [
        {
          id: meetingId,
          name: 'Plans',
          date: '2026-07-07T10:00:00Z',
          source: 'zoom',
          status: 'new',
          tags: [{ id: tagId, name: 'Sales', color: 'teal' }],
        },
      ],
    });
  });

  it('sorts by date, newest first, for any offset', async () => {
    await record('Second', { local_date_time: '2026-07-07T10:00:00Z' });
    await record('First', { local_date_time: '2026-07-07T12:30:00+03:00' });
    await record('Third', { local_date_time: '2026-07-08T00:30:00+13:00' });
    await record('Fourth', { local_date_time: '2026-07-08T00:30:00+13:00' });
    expect(await findNames({})).toEqual(['Fourth', 'Third', 'Second', 'First']);
  });

  it('finds by a part of the title, without case', async () => {
    await record('Sales: Überblick');
    await record('Team sync');
    expect(await findNames({ q: 'überBLICK' })).toEqual(['Sales: Überblick']);
    expect(await findNames({ q: 'u\u0308berblick' })).toEqual(['Sales: Überblick']);
    expect(await findNames({ q: '.*' })).toEqual([]);
    expect(await findNames({ q: 'x'.repeat(8000) })).toEqual([]);
    expect(await search({ q: 'nothing' })).toEqual({ total: 0, followups: [] });
  });

  it('finds by any of the platforms, tags and authors', async () => {
    const one = await record('One', { source: 'zoom' });
    const other = await record('Other', { source: 'gmeet' });
    await record('Third', { source: 'jitsi' });
    expect((await findNames({ sources: 'zoom,gmeet' })).toSorted()).toEqual(['One', 'Other']);
    const [red, blue] = [await createTag('Red', 'red'), await createTag('Blue')];
    await assign('PUT', one, red);
    await assign('PUT', other, blue);
    expect((await findNames({ tagIds: `${red},${blue}` })).toSorted()).toEqual(['One', 'Other']);
    expect(await findNames({ tagIds: red })).toEqual(['One']);
    expect(await findNames({ tagIds: red, sources: 'gmeet' })).toEqual([]);
    expect(await search({ authors: 'nobody,USER@sandbox.example' })).toMatchObject({ total: 3 });
    expect(await search({ authors: 'nobody' })).toMatchObject({ total: 0 });
  });

  it('finds by day in UTC, both ends included', async () => {
    await record('Late on the 6th', { local_date_time: '2026-07-07T01:59:00+03:00' });
    await record('Early on the 7th', { local_date_time: '2026-07-07T00:00:00Z' });
    expect(await findNames({ dateFrom: '2026-07-07' })).toEqual(['Early on the 7th']);
    expect(await findNames({ dateTo: '2026-07-06' })).toEqual(['Late on the 6th']);
    expect(await search({ dateFrom: '2026-07-06', dateTo: '2026-07-07' })).toMatchObject({ total: 2 });
    expect(await search({ dateFrom: '2026-07-08', dateTo: '2026-07-06' })).toMatchObject({ total: 0 });
  });

  it.each([
    ['dateFrom=2026-02-30', 'dateFrom'],
    ['q=', 'q'],
    ['tagIds=', 'tagIds.0'],
    ['tagIds=a,,b', 'tagIds.1'],
    ['sources=zoom&sources=gmeet', 'sources'],
    ['page=-1', 'page'],
    ['perPage=0', 'perPage'],
    ['q[a]=1', 'q[a]'],
  ])('refuses %s and names the field', async (query, field) => {
    const answer = await service.call('GET', `/api/workspaces/active/meetings/search?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', field } });
  });

  it('has pages of at most as many as the service has on one', async () => {
    for (let number = 1; number <= 51; number += 1) await record(`Meeting ${String(number)}`);
    expect([(await search()).total, (await search()).followups.length]).toEqual([51, 50]);
    expect(await findNames({ page: '1' })).toEqual(['Meeting 1']);
    expect(await findNames({ page: '1', perPage: '2' })).toEqual(['Meeting 49', 'Meeting 48']);
    expect(await search({ page: '9', scope: 'all' })).toEqual({ total: 51, followups: [] });
    expect((await search({ perPage: '51' })).followups).toHaveLength(50);
    expect(await findNames({ page: '1', perPage: '1000000' })).toEqual(['Meeting 1']);
    expect(await search({ page: '9007199254740991' })).toEqual({ total: 51, followups: [] });
  });
});

describe('tags', () => {
  const list = (query = '') => service.call('GET', `/api/workspaces/active/tags${query}`);
  const create = (body: object) => service.call('POST', '/api/workspaces/active/tags', body);

  it('are created and listed, page by page', async () => {
    const { status, body } = await create({ name: 'Sales', color: 'purple' });
    const tag = { id: expect.any(String) as string, name: 'Sales', color: 'purple' };
    expect([status, body]).toEqual([201, { tag, created: true }]);
    await createTag('Ops');
    await createTag('Продажи');
    const first = (await list('?perPage=2')).body as { tags: { name: string }[]; nextCursor: string };
    expect(first.tags.map(({ name }) => name)).toEqual(['Sales', 'Ops']);
    const rest = (await list(`?perPage=2&cursor=${first.nextCursor}`)).body;
    expect(rest).toMatchObject({ tags: [{ name: 'Продажи', color: 'blue' }], nextCursor: null });
    expect((await list()).body).toMatchObject({ tags: [{}, {}, {}], nextCursor: null });
    expect(await list('?cursor=unknown')).toMatchObject({ status: 400, body: { field: 'cursor' } });
  });

  it.each(['Straße', 'STRASSE', 'strasse'])('have a name once: %s', async (name) => {
    await createTag('strASSe');
    expect(await create({ name })).toMatchObject({
      status: 409,
      body: { code: 'TAG_NAME_EXISTS', field: 'name' },
    });
  });

  it('have a name of at most 24 characters, and one of eight colours', async () => {
    expect((await create({ name: '🙂'.repeat(24) })).status).toBe(201);
    expect(await create({ name: 'x'.repeat(25) })).toMatchObject({ status: 400, body: { field: 'name' } });
    for (const name of ['', ' \t\u2003']) {
      expect(await create({ name })).toMatchObject({ status: 400, body: { field: 'name' } });
    }
    expect(await create({ name: 'x', color: 'pink' })).toMatchObject({
      status: 400,
      body: { field: 'color' },
    });
    for (const color of ['blue', 'purple', 'orange', 'yellow', 'teal', 'green', 'red', 'grey']) {
      await createTag(color, color);
    }
  });

  it('are attached and detached, any number of times', async () => {
    const meetingId = await record('Plans');
    const [one, other] = [await createTag('One'), await createTag('Other', 'red')];
    const link = { meetingId, tagId: other };
    for (const _ of [1, 2]) {
      expect((await assign('PUT', meetingId, other)).body).toEqual({ ...link, assigned: true });
    }
    await assign('PUT', meetingId, one);
    const readTags = async () => (await service.readReport(meetingId)).body as { tags: unknown };
    expect((await readTags()).tags).toEqual([
      { id: other, name: 'Other', color: 'red' },
      { id: one, name: 'One', color: 'blue' },
    ]);
    for (const _ of [1, 2]) {
      expect((await assign('DELETE', meetingId, other)).body).toEqual({ ...link, assigned: false });
    }
    expect((await readTags()).tags).toEqual([{ id: one, name: 'One', color: 'blue' }]);
  });

  it('answer 404 for an unknown meeting or tag', async () => {
    const [meetingId, tagId] = [await record('Plans'), await createTag('One')];
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await assign(method, 'unknown', tagId)).toMatchObject({
        status: 404,
        body: { code: 'MEETING_NOT_FOUND' },
      });
      expect(await assign(method, meetingId, 'unknown')).toMatchObject({
        status: 404,
        body: { code: 'TAG_NOT_FOUND', field: 'tag_id' },
      });
    }
  });

  it('come in pages of at most as many as the service has on one', async () => {
    for (let number = 1; number <= 101; number += 1) await createTag(`Tag ${String(number)}`);
    const { body } = await list('?perPage=101');
    const { tags, nextCursor } = body as { tags: unknown[]; nextCursor: string };
    expect(tags).toHaveLength(100);
    const rest = await list(`?perPage=9007199254740991&cursor=${nextCursor}`);
    expect(rest.body).toMatchObject({ tags: [{ name: 'Tag 101' }], nextCursor: null });
  });

  it('stand on the page that they would have stood on, when others come in between', async () => {
    for (const name of ['One', 'Two', 'Three']) await createTag(name);
    const { nextCursor } = (await list('?perPage=2')).body as { nextCursor: string };
    await createTag('Four');
    const rest = (await list(`?cursor=${nextCursor}`)).body as { tags: { name: string }[] };
    expect(rest.tags.map(({ name }) => name)).toEqual(['Three', 'Four']);
    expect((await list(`?cursor=${nextCursor}&perPage=2`)).body).toMatchObject({ nextCursor: null });
  });
});
