import assert from 'node:assert/strict';

import { askDirectly, webhookSecret } from '../open-twins.mjs';
import { byId, fromList, seedMeetings } from './locate.mjs';

const resource = 'recording';
const link = 'https://meet.example.com/abc-defg-hij?pin=1&x=ü';
const dayMs = 86_400_000;
const tomorrow = new Date(Date.now() + dayMs).toISOString().slice(0, 10);

async function startRecording(sandbox, more = {}) {
  const { meetingId } = await askDirectly(sandbox).recordings.start({ link, ...more });
  return { meetingId };
}

export const plays = [
  {
    name: 'at a time, with every field',
    resource,
    operation: 'start',
    parameters: () => ({
      link,
      when: 'at',
      localDateTime: `${tomorrow}T12:00:00+03:00`,
      title: 'Weekly sync, "special" edition',
      templateName: byId('team-sync'),
      options: {
        participants: 'ann@example.com, bob@example.com',
        source: 'gmeet',
        webhookUrl: 'http://127.0.0.1:9/webhook/proof',
      },
    }),
    call: (client) =>
      client.recordings.start({
        link,
        localDateTime: `${tomorrow}T12:00:00+03:00`,
        title: 'Weekly sync, "special" edition',
        templateName: 'team-sync',
        participants: ['ann@example.com', 'bob@example.com'],
        source: 'gmeet',
        webhookSecret,
        webhookUrl: 'http://127.0.0.1:9/webhook/proof',
      }),
    check: ({ json: [one], answer }) => assert.equal(one.meeting_id, answer.meetingId),
  },
  {
    name: "at a time in the workflow's zone",
    resource,
    operation: 'start',
    settings: { timezone: 'Asia/Tokyo' },
    parameters: () => ({ link, when: 'at', localDateTime: `${tomorrow}T12:00:00` }),
    call: (client) => client.recordings.start({ link, localDateTime: `${tomorrow}T12:00:00+09:00` }),
  },
  {
    name: 'again and again, a template from the list',
    resource,
    operation: 'start',
    parameters: () => ({
      link,
      when: 'recurring',
      cron: '  0 9  * * 1 ',
      localDateTime: `${tomorrow}T12:00:00+03:00`,
      templateName: fromList('sales-meeting'),
    }),
    call: (client) => client.recordings.start({ link, cron: '  0 9  * * 1 ', templateName: 'sales-meeting' }),
  },
  {
    name: 'a meeting that is ready, from an expression',
    resource,
    operation: 'status',
    prepare: (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] }),
    parameters: () => ({ meetingId: byId('={{ $json.id }}') }),
    items: ({ meetingId }) => [{ json: { id: meetingId } }],
    call: (client, { meetingId }) => client.recordings.status(meetingId),
    check: ({ json, answer, facts }) => assert.deepEqual(json, [{ meeting_id: facts.meetingId, ...answer }]),
  },
  {
    name: 'a meeting that is going on',
    resource,
    operation: 'stop',
    prepare: startRecording,
    parameters: ({ meetingId }) => ({ meetingId: fromList(meetingId) }),
    call: (client, { meetingId }) => client.recordings.stop(meetingId),
  },
  {
    name: 'a meeting that is scheduled',
    resource,
    operation: 'cancel',
    prepare: (sandbox) => startRecording(sandbox, { localDateTime: `${tomorrow}T12:00:00Z` }),
    parameters: ({ meetingId }) => ({ meetingId: byId(meetingId) }),
    call: (client, { meetingId }) => client.recordings.cancel(meetingId),
  },
  {
    name: 'one that becomes ready meanwhile',
    resource,
    operation: 'waitUntilReady',
    prepare: async (sandbox) => {
      const { meetingId } = await startRecording(sandbox);
      setTimeout(() => sandbox.completeMeeting(meetingId), 1000);
      return { meetingId };
    },
    parameters: ({ meetingId }) => ({ meetingId: byId(meetingId) }),
    call: (client, { meetingId }) => client.recordings.waitUntilReady(meetingId),
    check: ({ json: [one], answer }) => {
      assert.equal(one.ready, true);
      assert.equal(one.phase, answer.phase);
      assert.equal(one.status, answer.status);
    },
  },
];
