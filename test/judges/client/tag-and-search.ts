import assert from 'node:assert/strict';

import type { ServiceClient } from './open-client.ts';

/** Makes tags, puts one on the meeting, finds the meeting by it and takes it off again. */
export async function tagAndSearch(client: ServiceClient, meetingId: string): Promise<void> {
  const tagId = await createTag(client, 'Planning');
  const otherId = await createTag(client, 'Sales');
  const again = await client.POST('/api/workspaces/active/tags', { body: { name: 'planning' } });
  assert.equal(again.response.status, 409);
  assert.ok(typeof again.error === 'object');
  assert.equal(again.error.code, 'TAG_NAME_EXISTS');

  const listed = await client.GET('/api/workspaces/active/tags', { params: { query: { perPage: 100 } } });
  assert.deepEqual(listed.data?.tags?.map(({ name }) => name).toSorted(), ['Planning', 'Sales']);

  const link = { params: { path: { meeting_id: meetingId, tag_id: tagId } } };
  const attached = await client.PUT('/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}', link);
  assert.equal(attached.data?.assigned, true);
  // Two ids in one parameter: any of them is enough.
  assert.deepEqual(await search(client, [otherId, tagId]), [meetingId]);

  const detached = await client.DELETE('/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}', link);
  assert.equal(detached.data?.assigned, false);
  assert.deepEqual(await search(client, [otherId, tagId]), []);
}

async function createTag(client: ServiceClient, name: string): Promise<string> {
  const { response, data } = await client.POST('/api/workspaces/active/tags', {
    body: { name, color: 'blue' },
  });
  assert.equal(response.status, 201);
  const id = data?.tag?.id;
  assert.ok(id !== undefined);
  return id;
}

async function search(client: ServiceClient, tagIds: string[]): Promise<(string | undefined)[] | undefined> {
  const query = {
    q: 'plan',
    tagIds,
    sources: ['gmeet', 'zoom'],
    dateFrom: '2026-01-01',
    page: 0,
    perPage: 50,
  };
  const { response, data } = await client.GET('/api/workspaces/active/meetings/search', {
    params: { query },
  });
  assert.equal(response.status, 200);
  return data?.followups?.map(({ id }) => id);
}
