import { askDirectly } from '../open-twins.mjs';
import { byId, fromList, seedMeetings } from './locate.mjs';

const resource = 'tag';

/** A tag and a meeting, made over the service's own interface. */
async function prepareTag(sandbox) {
  const [meetingId] = seedMeetings(sandbox);
  const { id: tagId } = await askDirectly(sandbox).tags.create({ name: 'customer' });
  return { meetingId, tagId };
}

export const plays = [
  {
    name: 'all of them',
    resource,
    operation: 'list',
    prepare: prepareTag,
    parameters: () => ({ returnAll: true }),
    call: (client) => client.tags.list(),
  },
  {
    name: 'with a color',
    resource,
    operation: 'create',
    parameters: () => ({ name: 'partner', options: { color: 'green' } }),
    call: (client) => client.tags.create({ name: 'partner', color: 'green' }),
  },
  {
    name: 'by id',
    resource,
    operation: 'attach',
    prepare: prepareTag,
    parameters: ({ meetingId, tagId }) => ({ meetingId: byId(meetingId), tagId: byId(tagId) }),
    call: (client, { meetingId, tagId }) => client.tags.attach({ meetingId, tagId }),
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
