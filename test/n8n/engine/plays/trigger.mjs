import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { askDirectly } from '../open-twins.mjs';
import { describeEvent, forwardSecret, post, secret, signEvent, signForward } from './deliver.mjs';
import { seedMeetings } from './locate.mjs';

const webhookCredential = {
  webhookSecret: secret,
  previousSecret: 'the secret before, 31 character',
  olderSecret: '',
};
const accepted = { status: 'accepted' };
const refused = { status: 'refused', reason: 'unauthorized' };

/** A trigger that listens, with what it is given besides the usual. */
async function listen(engine, { parameters = {}, webhook = {}, side, staticData, mode } = {}) {
  const aftermeetApi = { ...side?.credentials.aftermeetApi, ...webhookCredential, ...webhook };
  return await engine.openWebhook(parameters, { credentials: { aftermeetApi }, staticData, mode });
}

/** A case that posts to a trigger. */
function delivering(name, options, play) {
  return {
    name,
    play: async ({ engine, side }) => {
      const hook = await listen(engine, { ...options, side });
      try {
        await play({ hook, side, engine });
        assert.deepEqual(hook.errors, [], 'the trigger threw');
        if (options.mode !== 'manual') assert.deepEqual(hook.failed, [], 'an execution failed');
      } finally {
        await hook.close();
      }
    },
  };
}

function change(delivery, headers, body = delivery.body) {
  return { headers: { ...delivery.headers, ...headers }, body };
}

function forge(delivery) {
  return change(delivery, { 'x-service-signature': `sha256=${'0'.repeat(64)}` });
}

const good = () => signEvent(describeEvent());

export const cases = [
  delivering('a completed meeting starts the workflow with its event', {}, async ({ hook }) => {
    assert.equal(await hook.activate(), true);
    const event = describeEvent();
    const { status, body } = await post(hook.url, signEvent(event));
    assert.deepEqual({ status, body }, { status: 200, body: accepted });
    const [[{ json }]] = hook.executions;
    const { data, delivery_key: key, ...known } = json;
    assert.match(key, /^[\w-]{22}$/);
    assert.deepEqual(known, {
      event: 'meeting.completed',
      meeting_id: 'm_1',
      timestamp: event.timestamp,
      title: 'Weekly sync',
      is_transcript_empty: false,
      report_url: event.data.report_url,
      reason: null,
      delivery_id: 'd_1',
    });
    assert.deepEqual(data, event.data);
  }),
  {
    name: "the sandbox's own deliveries, of a recording that named the trigger's address",
    play: async ({ engine, side }) => {
      const hook = await listen(engine);
      try {
        const { meetingId } = await askDirectly(side.sandbox).recordings.start({
          link: 'https://meet.example.com/a',
          webhookUrl: hook.url,
          webhookSecret: secret,
        });
        side.sandbox.completeMeeting(meetingId);
        const deadline = Date.now() + 5000;
        const isDelivered = () =>
          side.sandbox.deliveries().some(({ attempts }) => attempts.some(({ status }) => status === 200));
        while (!isDelivered() && Date.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal(hook.executions.length, 1);
        assert.equal(hook.executions[0][0].json.meeting_id, meetingId);
      } finally {
        await hook.close();
      }
    },
  },
  delivering('a body that was changed: 401, and no execution', {}, async ({ hook }) => {
    const delivery = good();
    const changed = change(delivery, {}, delivery.body.replace('Weekly', 'Hourly'));
    assert.deepEqual(await post(hook.url, changed), { status: 401, body: refused });
    assert.equal(hook.executions.length, 0);
  }),
  delivering('a body that n8n unpacks: accepted', {}, async ({ hook }) => {
    const { headers, body } = good();
    const packed = { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    const answer = await post(hook.url, packed);
    assert.deepEqual([answer.status, answer.body], [200, accepted]);
    assert.equal(hook.executions.length, 1);
  }),
  {
    name: 'a delivery that was taken before n8n was started again is a duplicate',
    play: async ({ engine }) => {
      const delivery = good();
      const first = await listen(engine);
      // Not the first one: of that n8n keeps whatever the request itself has written.
      await post(first.url, good());
      await post(first.url, delivery);
      const staticData = first.kept();
      await first.close();
      const second = await listen(engine, { staticData });
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
  delivering(
    "sent on by Aftermeet's receiver",
    { webhook: { signedBy: 'receiver', webhookSecret: forwardSecret, previousSecret: '' } },
    async ({ hook }) => {
      const delivery = signForward(describeEvent());
      const { status, body } = await post(hook.url, delivery);
      assert.deepEqual({ status, body }, { status: 200, body: accepted });
      assert.equal(hook.executions[0][0].json.meeting_id, 'm_1');
      assert.equal((await post(hook.url, delivery)).body.status, 'duplicate');
      const wrong = signForward(describeEvent(), { with: Buffer.alloc(32, 8), id: 'msg_2' });
      assert.equal((await post(hook.url, wrong)).status, 401);
      assert.equal((await post(hook.url, good())).status, 401);
      assert.equal(hook.executions.length, 1);
    },
  ),
  {
    name: 'without a secret: not activated, and a delivery is to come again',
    play: async ({ engine }) => {
      const hook = await listen(engine, { webhook: { webhookSecret: '', previousSecret: '' } });
      try {
        await assert.rejects(hook.activate(), /no webhook secret/i);
        assert.equal((await post(hook.url, good())).status, 503);
        assert.equal(hook.executions.length, 0);
      } finally {
        await hook.close();
      }
    },
  },
  delivering('the editor shows why it refuses a wrong signature', { mode: 'manual' }, async ({ hook }) => {
    const { status, body } = await post(hook.url, forge(good()));
    assert.deepEqual({ status, body }, { status: 401, body: refused });
    assert.equal(hook.executions.length, 0);
    const [error, ...others] = hook.failed;
    assert.deepEqual(others, []);
    assert.match(error.message, /^A delivery was refused \(401\)\. .*not one of the secrets/);
    assert.ok(error.description.length > 0);
    assert.ok(!`${error.message} ${error.description}`.includes(secret));
    assert.equal((await post(hook.url, good())).status, 200);
    assert.equal(hook.executions.length, 1);
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
