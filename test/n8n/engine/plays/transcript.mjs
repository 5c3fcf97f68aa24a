import assert from 'node:assert/strict';

import { byId, seedMeetings } from './locate.mjs';

export const plays = [
  {
    name: 'an item for each turn',
    resource: 'transcript',
    operation: 'get',
    prepare: (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] }),
    parameters: ({ meetingId }) => ({ meetingId: byId(meetingId) }),
    call: (client, { meetingId }) => client.reports.get(meetingId),
    check: ({ json, answer: { report } }) => {
      assert.ok(report.transcript.length > 0);
      assert.deepEqual(
        json.map(({ speaker, text, start_seconds: start }) => [speaker, text, start]),
        report.transcript.map(({ speaker, text, startSeconds }) => [
          speaker ?? null,
          text,
          startSeconds ?? null,
        ]),
      );
    },
  },
];
