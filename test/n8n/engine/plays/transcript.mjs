import { byId, seedMeetings } from './locate.mjs';

export const plays = [
  {
    name: 'an item for each turn',
    resource: 'transcript',
    operation: 'get',
    prepare: (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] }),
    parameters: ({ meetingId }) => ({ meetingId: byId(meetingId) }),
    call: (client, { meetingId }) => client.reports.get(meetingId),
  },
];
