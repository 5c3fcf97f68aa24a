import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { askDirectly } from '../open-twins.mjs';
import { describeEvent, post, secret, signEvent } from './deliver.mjs';
import { seedMeetings } from './locate.mjs';

const accepted = { status: 'accepted' };

/** A trigger that listens. */
async function listen(engine, side, { parameters = {}, staticData } = {}) {
  const aftermeetApi = { ...side.credentials.aftermeetApi, webhookSecret: secret };
  return await engine.openWebhook(parameters, { credentials: { aftermeetApi }, staticData });
}

/** A case that posts to a trigger. */
function delivering(name, options, play) {
  return {
    name,
    play: async ({ engine, side }) => {
      const hook = await listen(engine, side, options);
      try {
        await play({ hook, side });
        assert.deepEqual([hook.errors, hook.failed], [[], []], 'the trigger threw, or an execution failed');
      } finally {
        await hook.close();
      }
    },
  };
}

const good = () => signEvent(describeEvent());

/** What an event is made into, and what else is refused: test/src/nodes/trigger.test.ts. */
export const cases = [
  delivering(
    "activated, it takes the sandbox's own delivery of a recording that named the trigger's address",
    {},
    async ({ hook, side }) => {
      assert.equal(await hook.activate(), true);
      const { meetingId } = await askDirectly(side.sandbox).recordings.start({
        link: 'https://meet.example.com/a',
        webhookUrl: hook.url,
        webhookSecret: secret,
      });
      side.sandbox.completeMeeting(meetingId);
      const deadline = Date.now() + 5000;
      const isDelivered = () =>
        side.sandbox.deliveries().some(({ attempts }) => attempts.some(({ status }) => status === 200));
      while (!isDelivered() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(hook.executions.length, 1);
      assert.equal(hook.executions[0][0].json.meeting_id, meetingId);
    },
  ),
  delivering('a body that was changed: 401, and no execution', {}, async ({ hook }) => {
    const { headers, body } = good();
    const { status } = await post(hook.url, { headers, body: body.replace('Weekly', 'Hourly') });
    assert.equal(status, 401);
    assert.equal(hook.executions.length, 0);
  }),
  delivering('a body that n8n unpacks: accepted', {}, async ({ hook }) => {
    const { headers, body } = good();
    const packed = { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    assert.deepEqual(await post(hook.url, packed), { status: 200, body: accepted });
    assert.equal(hook.executions.length, 1);
  }),
  {
    name: 'a delivery that was taken before n8n was started again is a duplicate',
    play: async ({ engine, side }) => {
      const delivery = good();
      const first = await listen(engine, side);
      // Not the first one: of that n8n keeps whatever the request itself has written.
      await post(first.url, good());
      await post(first.url, delivery);
      const staticData = first.kept();
      await first.close();
      const second = await listen(engine, side, { staticData });
      const { body } = await post(second.url, delivery);
      await second.close();
      assert.equal(body.status, 'duplicate');
      assert.equal(second.executions.length, 0);
    },
  },
  delivering('ten of the same at once start the workflow once', {}, async ({ hook }) => {
    const delivery = good();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(hook.url, delivery)));
    assert.equal(hook.executions.length, 1);
    assert.equal(answers.filter(({ body }) => body.status === 'accepted').length, 1);
    for (const { status } of answers) assert.ok(status === 200 || status === 503);
  }),
  delivering('fetch the report at once', { parameters: { fetchReport: true } }, async ({ hook, side }) => {
    const [meetingId] = seedMeetings(side.sandbox, 1);
    const event = { ...describeEvent(), meeting_id: meetingId };
    const { body } = await post(hook.url, signEvent(event));
    assert.deepEqual(body, accepted);
    const [[{ json }]] = hook.executions;
    assert.equal(json.report.meeting_id, meetingId);
    assert.ok(json.report.summary.length > 0);
    assert.equal(side.requests.length, 1);
  }),
  {
    name: 'it uses one credential, and says how a delivery is sent by hand',
    play: ({ engine }) => {
      const { credentials, triggerPanel, activationMessage, eventTriggerDescription } =
        engine.describe('aftermeetTrigger');
      assert.deepEqual(
        credentials.map(({ name }) => name),
        ['aftermeetApi'],
      );
      assert.match(triggerPanel.executionsHelp.inactive, /<code>npx aftermeet send TEST_URL<\/code>/);
      assert.match(activationMessage, /Production URL .* as Webhook URL/);
      assert.match(eventTriggerDescription, /Test URL/);
    },
  },
];
