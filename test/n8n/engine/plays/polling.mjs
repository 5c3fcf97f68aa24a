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

function open(engine, { credentials }, parameters = {}, options = {}) {
  return engine.openPoller(parameters, { type, credentials, ...options });
}

export const cases = [
  {
    name: 'the first poll starts nothing; each meeting that becomes ready after it comes once',
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
      assert.equal(await poller.poll(), null);
    },
  },
  {
    name: 'what it knows outlives n8n',
    play: async ({ engine, side }) => {
      const first = open(engine, side);
      await first.poll();
      const meetingId = await startMeeting(side, 'Later');
      side.sandbox.completeMeeting(meetingId);
      const second = open(engine, side, {}, { staticData: first.staticData() });
      assert.equal((await second.poll()).length, 1);
      const third = open(engine, side, {}, { staticData: second.staticData() });
      assert.equal(await third.poll(), null);
    },
  },
  {
    name: 'a meeting that failed, with the filters of the other trigger',
    play: async ({ engine, side }) => {
      const poller = open(engine, side, { events: ['meeting.failed'], filters: { title: 'bad*' } });
      await poller.poll();
      for (const title of ['bad one', 'good one']) side.sandbox.failMeeting(await startMeeting(side, title));
      side.sandbox.completeMeeting(await startMeeting(side, 'bad, but completed'));
      const items = await poller.poll();
      assert.deepEqual(
        items.map(({ json }) => [json.event, json.title]),
        [['meeting.failed', 'bad one']],
      );
    },
  },
  {
    name: 'tried out by hand: the newest meeting as an example, and nothing is kept',
    play: async ({ engine, side }) => {
      seedMeetings(side.sandbox, 2);
      const poller = open(engine, side, {}, { mode: 'manual' });
      const items = await poller.poll();
      assert.equal(items.length, 1);
      assert.deepEqual(poller.staticData(), {});
    },
  },
];
