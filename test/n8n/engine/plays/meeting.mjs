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
  },
];
