// What the workflows with our nodes have to do.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readItems } from '../open-stage.mjs';
import { startByHand } from '../read-workflows.mjs';

const find = ({ nodes }, name) => nodes.find((node) => node.name === name);

/** What a user fills in besides the node "Settings", as the note in each workflow says. */
export const preparations = {
  'recap-to-slack': (workflow) => chooseChannel(find(workflow, 'Post it to Slack')),
  'failure-alert': (workflow) => chooseChannel(find(workflow, 'Tell Slack')),
  agent: (workflow, { world }) => {
    find(workflow, 'MCP tools of the service').parameters.endpointUrl = `${world.url}/mcp`;
    startByHand(workflow, { chatInput: 'What did we decide last Tuesday?', sessionId: 's_1' });
  },
  'record-from-calendar': (workflow) => {
    const { options } = find(workflow, 'Start the recording').parameters;
    // Signed with the secret of the credential.
    options.webhookUrl = 'http://127.0.0.1:1/webhook';
    // Google's own trigger has nobody to ask here.
    startByHand(workflow, {
      id: 'event_1',
      status: 'confirmed',
      summary: 'From the calendar',
      start: { dateTime: new Date().toISOString() },
      hangoutLink: 'https://meet.google.com/abc-defg-hij',
    });
  },
  'upload-from-folder': (workflow, { archive }) => {
    const path = join(archive, 'recordings');
    mkdirSync(path);
    find(workflow, 'A file was added').parameters.path = path;
  },
};

function chooseChannel({ parameters: { channelId } }) {
  channelId.value = 'C0PROOF';
}

export const nodePlays = [
  {
    name: 'recap-to-slack: one message with blocks, and none of an empty transcript',
    play: async ({ announce, announceInVain, slack }) => {
      const { execution } = await announce('recap-to-slack', { title: 'Recap <!channel>' });
      assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
      const [message, ...others] = slack();
      assert.equal(others.length, 0);
      assert.equal(message.channel, 'C0PROOF');
      assert.equal(message.blocks[0].type, 'header');
      assert.ok(message.blocks.length > 2);
      const { runs } = await announceInVain('recap-to-slack', { isTranscriptEmpty: true });
      assert.equal(runs, 0);
      assert.equal(slack().length, 1);
    },
  },
  {
    name: 'failure-alert: what failed and what stayed empty, and nothing else',
    play: async ({ announce, announceInVain, slack }) => {
      await announce('failure-alert', { title: 'A & B', failed: 'boom' });
      await announce('failure-alert', { title: 'Silent', isTranscriptEmpty: true });
      const { runs } = await announceInVain('failure-alert', { title: 'Fine' });
      assert.equal(runs, 0);
      const [failed, silent, ...others] = slack().map(({ text }) => text.split('\n')[0]);
      assert.equal(failed, 'A &amp; B failed: boom');
      assert.equal(silent, 'Silent is processed, but nothing was transcribed');
      assert.equal(others.length, 0);
    },
  },
  {
    name: 'page-in-notion: one page with blocks',
    play: async ({ announce, notion, world }) => {
      const { execution } = await announce('page-in-notion');
      assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
      const [page, ...others] = notion();
      assert.equal(others.length, 0);
      assert.ok(world.vendors.notion.emulator.readBlocks(page.id).length > 3);
    },
  },
  {
    name: 'follow-up-mail: one mail for each recipient, and none of an empty transcript',
    play: async ({ announce, announceInVain, mails }) => {
      const { execution } = await announce('follow-up-mail', { title: 'Followed up' });
      assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
      const { runs } = await announceInVain('follow-up-mail', { isTranscriptEmpty: true });
      assert.equal(runs, 0);
      assert.deepEqual(
        mails()
          .map(({ envelope }) => envelope.to)
          .toSorted(),
        [['ann@example.com'], ['bob@example.com']],
      );
      for (const { subject, text } of mails()) {
        assert.equal(subject, 'Recap: Followed up');
        assert.match(text, /Summary/);
      }
    },
  },
  {
    name: 'upload-from-folder: a recording that is put there becomes a meeting, and its report is read',
    play: async ({ watch, archive, world }) => {
      const { execution } = await watch('upload-from-folder', async () => {
        const made = join(archive, 'weekly.mp3');
        writeFileSync(made, Buffer.alloc(300_000, 7));
        copyFileSync(made, join(archive, 'recordings/weekly.mp3'));
        const meetingId = await findUpload(world.sandbox);
        world.sandbox.completeMeeting(meetingId);
      });
      assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
      const [uploaded] = readItems(execution, 'Upload it');
      const [report] = readItems(execution, 'Get the report');
      assert.equal(uploaded.bytes, 300_000);
      assert.ok(report.summary.length > 0);
    },
  },
];

/** The meeting that a finished upload became. */
async function findUpload(sandbox) {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const made = sandbox.uploads().find(({ meeting_id: id }) => id !== null);
    if (made !== undefined) return made.meeting_id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('nothing was uploaded within 30 seconds');
}
