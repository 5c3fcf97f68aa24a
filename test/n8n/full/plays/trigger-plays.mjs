// The trigger behind n8n's own HTTP layer. The sandbox sends each delivery itself, but those that it never would.
import assert from 'node:assert/strict';

import { recordMeeting } from '../announce.mjs';
import { readItems } from '../open-stage.mjs';
import { completed, sendForwarded } from '../send-delivery.mjs';

const name = 'probe-trigger';

export const triggerPlays = [
  {
    name: 'a meeting found by asking (the polling trigger): one run with it',
    play: async ({ listRuns, findRun, waitForMemory, world }) => {
      // The first poll only notes what is there.
      await waitForMemory('probe-poll');
      const since = await listRuns('probe-poll');
      const meetingId = await recordMeeting(world, { title: 'Found by asking' });
      world.sandbox.completeMeeting(meetingId);
      const itemsOf = (run) =>
        readItems(run, 'Aftermeet Trigger').filter(({ meeting_id: id }) => id === meetingId);
      const run = await findRun('probe-poll', since, (one) => itemsOf(one).length > 0);
      const [item, ...others] = itemsOf(run);
      assert.equal(others.length, 0);
      assert.equal(item.event, 'meeting.completed');
      assert.equal(item.title, 'Found by asking');
    },
  },
  {
    name: 'a genuine delivery: 200, and one run with what the event says',
    play: async ({ announce }) => {
      const { answer, execution } = await announce(name, { title: 'Genuine' });
      assert.deepEqual(answer.statuses, [200]);
      assert.equal(execution.status, 'success');
      const [item, ...others] = readItems(execution, 'Aftermeet Trigger');
      assert.equal(others.length, 0);
      assert.equal(item.event, 'meeting.completed');
      assert.equal(item.meeting_id, answer.meetingId);
      assert.equal(item.title, 'Genuine');
      assert.equal(item.delivery_id, answer.deliveryId);
    },
  },
  {
    name: 'a bad signature: 401, and no run',
    play: async ({ announceInVain }) => {
      const { answer, runs } = await announceInVain(name, { fault: { kind: 'bad_signature' } });
      assert.deepEqual(answer.statuses, [401]);
      assert.equal(runs, 0);
    },
  },
  {
    name: 'a delivery sent twice at once: one run',
    play: async ({ announce, countRuns }) => {
      const before = await countRuns(name);
      const { answer } = await announce(name, { fault: { kind: 'duplicate' }, attempts: 2 });
      assert.ok(answer.statuses.includes(200));
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(await countRuns(name), before + 1);
      return answer.statuses.join(', ');
    },
  },
  {
    name: 'a delivery sent again later: 200, and no second run',
    play: async ({ announce, countRuns, redeliver, remember, readMemory }) => {
      const { answer } = await announce(name);
      const before = await countRuns(name);
      assert.deepEqual(await redeliver(answer.deliveryId), [200, 200]);
      assert.equal(await countRuns(name), before);
      const memory = JSON.stringify(await readMemory(name));
      remember({ deliveryId: answer.deliveryId, memory });
    },
  },
  {
    name: 'a title, an event and an empty transcript that the filters do not want: 200, and no run',
    play: async ({ announce, announceInVain }) => {
      const { execution } = await announce('probe-filtered', { title: 'Weekly sync' });
      assert.equal(readItems(execution, 'Aftermeet Trigger').length, 1);
      for (const other of [
        { title: 'Something else' },
        { title: 'Weekly sync', failed: 'nobody came' },
        { title: 'Weekly sync', isTranscriptEmpty: true },
      ]) {
        const { answer, runs } = await announceInVain('probe-filtered', other);
        assert.deepEqual(answer.statuses, [200]);
        assert.equal(runs, 0);
      }
    },
  },
  {
    name: "what Aftermeet's receiver forwards (Standard Webhooks): one run, and none once it was changed",
    play: async ({ watch, addressOf, countRuns }) => {
      const post = (change) => sendForwarded(addressOf('probe-forwarded'), completed('m_forwarded'), change);
      const changed = await post((body) => body.replace('m_forwarded', 'm_other'));
      assert.equal(changed.status, 401);
      assert.equal(await countRuns('probe-forwarded'), 0);
      const { answer, execution } = await watch('probe-forwarded', () => post((body) => body));
      assert.equal(answer.status, 200);
      assert.equal(readItems(execution, 'Aftermeet Trigger')[0].meeting_id, 'm_forwarded');
    },
  },
];
