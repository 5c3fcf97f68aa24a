import assert from 'node:assert/strict';

import { askDirectly } from '../open-twins.mjs';
import { byId, collect, seedMeetings } from './locate.mjs';

const resource = 'meeting';
const operation = 'search';

export const plays = [
  {
    name: 'all pages',
    resource,
    operation,
    prepare: (sandbox) => ({ ids: seedMeetings(sandbox, 120) }),
    parameters: () => ({ returnAll: true }),
    call: (client) => collect(client.meetings.search({ perPage: 50 })),
    check: ({ json, answer }) => {
      const found = answer.flatMap(({ items }) => items);
      assert.equal(json.length, 120);
      assert.deepEqual(
        json.map(({ meeting_id: id, title, tags }) => ({ id, title, tags })),
        found.map(({ id, title, tags }) => ({ id, title, tags })),
      );
    },
  },
  {
    name: 'every filter, up to a limit',
    resource,
    operation,
    parameters: () => ({
      limit: 7,
      filters: {
        authors: 'u_1, u_2',
        dateFrom: '2026-07-01T00:00:00',
        dateTo: '2026-07-31T00:00:00',
        sources: ['gmeet', 'zoom'],
        tagIds: byId('t_1,t_2'),
        q: 'weekly & sync, ü',
      },
    }),
    call: (client) =>
      collect(
        client.meetings.search({
          authors: ['u_1', 'u_2'],
          dateFrom: '2026-07-01',
          dateTo: '2026-07-31',
          sources: ['gmeet', 'zoom'],
          tagIds: ['t_1', 't_2'],
          q: 'weekly & sync, ü',
          perPage: 7,
        }),
      ),
    check: ({ json }) => assert.deepEqual(json, []),
  },
  {
    name: 'those that failed',
    resource,
    operation,
    prepare: async (sandbox) => {
      seedMeetings(sandbox, 2);
      const { meetingId } = await askDirectly(sandbox).recordings.start({
        link: 'https://meet.example.com/a',
      });
      sandbox.failMeeting(meetingId);
      return { meetingId };
    },
    parameters: () => ({ limit: 1, filters: { phases: ['failed'] } }),
    call: (client) => collect(client.meetings.search({ perPage: 50 })),
    check: ({ json, facts }) =>
      assert.deepEqual(
        json.map(({ meeting_id: id, phase, status }) => ({ id, phase, status })),
        [{ id: facts.meetingId, phase: 'failed', status: 'failed' }],
      ),
  },
  {
    name: 'as the service says it',
    resource,
    operation,
    prepare: (sandbox) => ({ ids: seedMeetings(sandbox, 2) }),
    parameters: () => ({ output: 'raw', limit: 2 }),
    call: (client) => collect(client.meetings.search({ perPage: 2 })),
    check: ({ json, answer }) => assert.deepEqual(Object.keys(json[0]), Object.keys(answer[0].items[0].raw)),
  },
];
