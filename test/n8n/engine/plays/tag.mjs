import assert from 'node:assert/strict';

import { askDirectly } from '../open-twins.mjs';
import { byId, fromList, seedMeetings } from './locate.mjs';

const resource = 'tag';

/** A tag and a meeting, made over the service's own interface. */
async function prepareTag(sandbox) {
  const [meetingId] = seedMeetings(sandbox);
  return { meetingId, tagId: await createTag(sandbox, 'customer') };
}

async function createTag(sandbox, name) {
  const { id } = await askDirectly(sandbox).tags.create({ name });
  return id;
}

export const plays = [
  {
    name: 'all of them',
    resource,
    operation: 'list',
    prepare: async (sandbox) => ({ tagId: await createTag(sandbox, 'customer') }),
    parameters: () => ({ returnAll: true }),
    call: (client) => client.tags.list(),
    check: ({ json, answer, facts }) => {
      assert.deepEqual(
        json.map(({ tag_id: id, name }) => [id, name]),
        answer.items.map(({ id, name }) => [id, name]),
      );
      assert.ok(json.some(({ tag_id: id }) => id === facts.tagId));
    },
  },
  {
    name: 'with a color',
    resource,
    operation: 'create',
    parameters: () => ({ name: 'partner', options: { color: 'green' } }),
    call: (client) => client.tags.create({ name: 'partner', color: 'green' }),
    check: ({ json, answer }) => {
      const { id, name, color } = answer;
      assert.deepEqual(json, [{ tag_id: id, name, color }]);
    },
  },
  {
    name: 'by id',
    resource,
    operation: 'attach',
    prepare: prepareTag,
    parameters: ({ meetingId, tagId }) => ({ meetingId: byId(meetingId), tagId: byId(tagId) }),
    call: (client, { meetingId, tagId }) => client.tags.attach({ meetingId, tagId }),
    check: ({ json, facts }) => {
      assert.equal(json[0].meeting_id, facts.meetingId);
      assert.equal(json[0].tag_id, facts.tagId);
    },
  },
  {
    name: 'from the lists',
    resource,
    operation: 'detach',
    prepare: prepareTag,
    parameters: ({ meetingId, tagId }) => ({ meetingId: fromList(meetingId), tagId: fromList(tagId) }),
    call: (client, { meetingId, tagId }) => client.tags.detach({ meetingId, tagId }),
  },
];
