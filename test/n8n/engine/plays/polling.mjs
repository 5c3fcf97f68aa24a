import assert from 'node:assert/strict';

import { askDirectly } from '../open-twins.mjs';
import { seedMeetings } from './locate.mjs';

const type = 'aftermeetPollTrigger';

async function startMeeting({ sandbox }, title) {
  const { meetingId } = await askDirectly(sandbox).recordings.start({
    link: 'https://meet.example.com/a',
    title,
  });
  return meetingId;
}

function open(engine, { credentials }, staticData) {
  return engine.openPoller({}, { type, credentials, staticData });
}

export const cases = [
  {
    name: 'the first poll starts nothing; each meeting that becomes ready after it comes once, also when n8n is started again',
    play: async ({ engine, side }) => {
      seedMeetings(side.sandbox, 3);
      const poller = open(engine, side);
      assert.equal(await poller.poll(), null);
      const meetingId = await startMeeting(side, 'A new one');
      assert.equal(await poller.poll(), null);
      side.sandbox.completeMeeting(meetingId);
      const [item, ...others] = await poller.poll();
      assert.equal(others.length, 0);
      assert.equal(item.json.event, 'meeting.completed');
      assert.equal(item.json.meeting_id, meetingId);
      assert.equal(item.json.title, 'A new one');
      const again = open(engine, side, poller.staticData());
      assert.equal(await again.poll(), null);
    },
  },
];
