// What the workflows of core nodes have to do, each played against the real n8n.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { forwardSecret } from '../credentials.mjs';
import { completed } from '../send-delivery.mjs';

const hourMs = 3_600_000;

function describeNotion({ vendors }) {
  return { apiUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId };
}

/** Each gets `deliver(id, event, wrong?)`, which waits until n8n is done with it, and the world. */
export const corePlays = [
  {
    name: 'slack-recap: one message with blocks that no text can break',
    play: async ({ deliver, slack, said }) => {
      const { answer } = await deliver('slack-recap', completed(said[0]));
      assert.deepEqual(answer, { status: 200, text: 'accepted' });
      const [message, ...others] = slack();
      assert.equal(others.length, 0);
      assert.equal(message.channel, 'C0PROOF');
      assert.deepEqual(
        [...new Set(message.blocks.map(({ type }) => type))],
        ['header', 'context', 'rich_text'],
      );
      assert.ok(message.text.length > 100);
      assert.ok(!JSON.stringify(message.blocks).includes('mrkdwn'));
    },
  },
  {
    name: 'a wrong secret, a changed body and an old timestamp: 401, and nothing is sent',
    play: async ({ deliver, slack, said }) => {
      const wrongs = [
        { secret: 'not-the-secret-of-it' },
        { change: (body) => body.replace('false', 'true') },
        { atMs: Date.now() - 400_000 },
        { atMs: Date.now() + hourMs },
      ];
      for (const wrong of wrongs) {
        const { answer } = await deliver('slack-recap', completed(said[0]), wrong);
        assert.equal(answer.status, 401);
      }
      assert.equal(slack().length, 0);
    },
  },
  {
    name: 'an empty transcript, by the event and by the report alone: nothing is sent',
    play: async ({ deliver, slack, silent }) => {
      await deliver('slack-recap', completed(silent, { is_transcript_empty: true }));
      await deliver('slack-recap', completed(silent));
      assert.equal(slack().length, 0);
    },
  },
  {
    name: 'the same delivery twice: one message',
    play: async ({ deliver, slack, said }) => {
      const event = completed(said[1]);
      await deliver('slack-recap', event);
      await deliver('slack-recap', event);
      assert.equal(slack().length, 1);
    },
  },
  {
    name: 'a service that is away, then busy: n8n waits, asks again and sends',
    play: async ({ deliver, slack, said, world }) => {
      world.sandbox.callFaults.add({ kind: 'status', status: 503, on: 'reports.get' });
      world.sandbox.callFaults.add({ kind: 'reset', on: 'reports.get' });
      await deliver('slack-recap', completed(said[0]));
      assert.equal(slack().length, 1);
    },
  },
  {
    name: 'a meeting that is not there: the run fails and says why',
    play: async ({ deliver, slack }) => {
      const { execution } = await deliver('slack-recap', completed('m_nobody_has'));
      assert.equal(execution.status, 'error');
      assert.match(
        JSON.stringify(execution.data),
        /The report could not be fetched: the service answered 404/,
      );
      assert.equal(slack().length, 0);
    },
  },
  {
    name: 'slack-tasks: the tasks of each owner',
    play: async ({ deliver, slack, said }) => {
      await deliver('slack-tasks', completed(said[0]));
      assert.ok(slack().length > 0);
      assert.ok(slack().every(({ text }) => /^Tasks (?:of|without)/.test(text)));
    },
  },
  {
    name: 'notion-page: one page, and none beside one that is there already',
    play: async ({ deliver, notion, said, world }) => {
      await deliver('notion-page', completed(said[0]));
      const [page, ...others] = notion();
      assert.equal(others.length, 0);
      assert.ok(world.vendors.notion.standIn.readBlocks(page.id).length > 5);
      const again = completed(said[0]);
      const { apiUrl, dataSourceId } = describeNotion(world);
      const key = [again.event, again.meeting_id, again.timestamp].join('|');
      const made = await fetch(`${apiUrl}/v1/pages`, {
        method: 'POST',
        headers: {
          Authorization: 'Bearer ntn_proof',
          'Notion-Version': '2025-09-03',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({
          parent: { type: 'data_source_id', data_source_id: dataSourceId },
          properties: { 'Aftermeet key': { rich_text: [{ text: { content: key } }] } },
        }),
      });
      assert.equal(made.status, 200, await made.text());
      assert.equal(notion().length, 2);
      await deliver('notion-page', again);
      assert.equal(notion().length, 2);
    },
  },
  {
    name: 'notion-tasks: one row for each task',
    play: async ({ deliver, notion, said }) => {
      await deliver('notion-tasks', completed(said[0]));
      assert.ok(notion().length > 1);
    },
  },
  {
    name: 'email-follow-up: one mail for each recipient, with text and HTML',
    play: async ({ deliver, mails, said, silent }) => {
      await deliver('email-follow-up', completed(silent));
      assert.equal(mails().length, 0);
      await deliver('email-follow-up', completed(said[0]));
      assert.deepEqual(
        mails()
          .map(({ envelope }) => envelope.to)
          .toSorted(),
        [['ann@example.com'], ['bob@example.com']],
      );
      for (const mail of mails()) {
        assert.match(mail.subject, /^Recap: /);
        assert.match(mail.html, /<h2[^>]*>Summary<\/h2>/);
        assert.ok(mail.text.includes('Summary') && !mail.text.includes('n8n'));
      }
    },
  },
  {
    name: 'http-forward: a signature that a receiver of Standard Webhooks takes',
    play: async ({ deliver, said, world }) => {
      await deliver('http-forward', completed(said[0]));
      const [{ headers, text }, ...others] = world.received;
      assert.equal(others.length, 0);
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      const expected = createHmac('sha256', forwardSecret).update(signed).digest('base64');
      assert.equal(headers['webhook-signature'], `v1,${expected}`);
      assert.equal(JSON.parse(text).data.meeting_id, said[0]);
      assert.ok(!text.includes('attendees'));
    },
  },
  {
    name: 'slack-alert and email-alert: what failed, and what stayed empty',
    play: async ({ deliver, slack, mails, said, silent }) => {
      const failed = { ...completed(silent, { reason: '<!channel> boom' }), event: 'meeting.failed' };
      await deliver('slack-alert', failed);
      await deliver('slack-alert', completed(silent, { is_transcript_empty: true }));
      await deliver('slack-alert', completed(said[0]));
      assert.deepEqual(
        slack().map(({ text }) => text.split('\n')[0]),
        ['Meeting failed: A title', 'Nothing was transcribed: A title'],
      );
      assert.ok(!slack()[0].text.includes('<!channel>'));
      await deliver('email-alert', failed);
      assert.deepEqual(
        mails().map(({ subject }) => subject),
        ['Meeting failed: A title', 'Meeting failed: A title'],
      );
    },
  },
  {
    name: 'archive-export: a file with a name that people can read',
    play: async ({ deliver, said, archive }) => {
      const { execution } = await deliver('archive-export', completed(said[0]));
      assert.equal(execution.status, 'success', JSON.stringify(execution.data?.resultData?.error));
      const [file] = readdirSync(join(archive, 'exports'));
      assert.match(file, /^\d{4}-\d{2}-\d{2}_.+\.pdf$/);
    },
  },
  {
    name: 'archive-export with conditions and two formats: both files, and none where a condition does not hold',
    play: async ({ deliver, said, slack, archive }) => {
      const files = () =>
        readdirSync(join(archive, 'exports'))
          .map((name) => name.slice(name.lastIndexOf('.')))
          .toSorted((left, right) => left.localeCompare(right));
      await deliver('archive-two', completed(said[0], { title: 'Another' }));
      assert.deepEqual(files(), ['.pdf']);
      const { execution } = await deliver('archive-two', completed(said[0]));
      assert.equal(execution.status, 'success', JSON.stringify(execution.data?.resultData?.error));
      assert.deepEqual(files(), ['.docx', '.md', '.pdf']);
      const held = await deliver('recap-of-others', completed(said[0]));
      assert.equal(held.execution.status, 'success');
      assert.match(
        JSON.stringify(held.execution.data),
        /the report was not made with the template no-such-template/,
      );
      assert.equal(slack().length, 0);
    },
  },
  {
    name: 'regenerate: a report with the template that was asked for, made once',
    play: async ({ deliver, said, world }) => {
      for (const event of [completed(said[2]), completed(said[2])]) {
        const { execution } = await deliver('regenerate', event);
        assert.equal(execution.status, 'success', JSON.stringify(execution.data?.resultData?.error));
      }
      const answer = await fetch(`${world.url}/api/video/report?meeting_id=${said[2]}`, {
        headers: { 'X-API-KEY': world.key },
      });
      const { followup_v2: report } = await answer.json();
      assert.equal(report.templates.filter(({ name }) => name === 'sales-meeting').length, 1);
    },
  },
];
