// What a user sees of our nodes in n8n's editor.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { recordMeeting } from '../full/announce.mjs';
import { listCredentials, webhookSecret } from '../full/credentials.mjs';
import { drawAction, drawLoop, drawTrigger } from './workflows.mjs';

const root = join(import.meta.dirname, '../../..');
const recipes = join(root, 'recipes/n8n');

/** Answers what identifies a credential of the name. */
async function makeCredential({ edit }, name, type, data) {
  const { id } = await edit('credentials', { name, type, data });
  return { id, name };
}

async function draw({ edit, world }, drawing) {
  const { type, data } = listCredentials(world).find(({ name }) => name === 'Aftermeet API');
  const credential = await makeCredential({ edit }, 'Aftermeet API', type, data);
  const { id } = await edit('workflows', drawing({ aftermeetApi: credential }));
  return id;
}

/** `npx aftermeet send` as docs/n8n.md has it; answers its exit code. */
function send(address, secret, folder) {
  const words = [join(root, 'packages/cli/dist/command/main.js'), 'send', address];
  const env = { PATH: process.env.PATH, HOME: folder, WEBHOOK_SECRET: secret };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: folder, env }, (error) => resolve(error?.code ?? 0));
  });
}

/** `node: credential` of what the editor has saved. */
function listChosen(nodes) {
  return nodes.flatMap(({ name, credentials = {} }) =>
    Object.values(credentials).map((chosen) => `${name}: ${chosen.name}`),
  );
}

export const plays = [
  {
    name: 'import: each node gets the credential of its kind that was made last, or none, and the editor says so',
    play: async (stage) => {
      const named = listCredentials(stage.world).filter(({ id }) => !id.startsWith('aftermeetProof'));
      for (const { name, type, data } of named) await makeCredential(stage, name, type, data);
      const kinds = Object.fromEntries(named.map(({ type, data }) => [type, data]));
      for (const [type, data] of Object.entries(kinds)) {
        await makeCredential(stage, `Decoy ${type}`, type, data);
      }
      const seen = {};
      for (const file of readdirSync(recipes).filter((name) => name.endsWith('.json'))) {
        const { nodes, notes } = await stage.editor.importFile(join(recipes, file));
        seen[file.replace('.json', '')] = listChosen(nodes);
        assert.match(notes.join('\n'), /Credentials auto-added/);
      }
      assert.deepEqual(seen, chosenWithDecoys);
      const api = named.find(({ name }) => name === 'Aftermeet API');
      await makeCredential(stage, api.name, api.type, api.data);
      const { nodes } = await stage.editor.importFile(join(recipes, 'failure-alert.json'));
      assert.deepEqual(listChosen(nodes), ['Something went wrong: Aftermeet API']);
    },
  },
  {
    name: 'trigger: while it listens, a wrong signature shows its reason, and a right one its item',
    play: async (stage) => {
      const { editor, folder } = stage;
      await editor.openNode(await draw(stage, drawTrigger), 'Aftermeet Trigger');
      await editor.page.getByText('Webhook URLs').click();
      const [address] = /http\S+\/webhook-test\/\S+/.exec(await editor.find('ndv').innerText());
      await editor.execute();
      await editor.page.getByText('Listening for test event').waitFor();
      assert.equal(await send(address, 'a-secret-of-somebody-else', folder), 1);
      const refused = await editor.readOutput('A delivery was refused (401)');
      assert.match(refused, /The signature is not one of the secrets of the credential/);
      assert.match(refused, /Compare Webhook Secret in the credential/);
      await editor.picture('n8n-trigger');
      await editor.execute();
      await editor.page.getByText('Listening for test event').waitFor();
      assert.equal(await send(address, webhookSecret, folder), 0);
      assert.match(await editor.readOutput('meeting.completed'), /Test meeting/);
    },
  },
  {
    name: 'Edit Block: the lists follow the meeting and the template, and another meeting empties them',
    play: async (stage) => {
      const { editor } = stage;
      const drawing = (credentials) =>
        drawAction(credentials, { resource: 'report', operation: 'editBlock' });
      await editor.openNode(await draw(stage, drawing), 'Aftermeet');
      assert.match((await editor.openList('templateId')).join('\n'), /Choose the Meeting first/);
      assert.ok((await editor.openList('meetingId')).length >= 6);
      assert.notEqual(await editor.choose('meetingId', 0), '');
      assert.ok((await editor.openList('templateId')).length > 0);
      assert.notEqual(await editor.choose('templateId', 0), '');
      const blocks = await editor.openList('entityName');
      assert.ok(blocks.length > 0);
      await editor.picture('n8n-edit-block');
      assert.equal(await editor.choose('entityName', 0), blocks[0].split('\n')[0]);
      await editor.openList('meetingId');
      await editor.page.locator('[data-test-id="rlc-item"]:visible').nth(1).click();
      await editor.waitUntilEmpty('templateId');
      await editor.waitUntilEmpty('entityName');
    },
  },
  {
    name: 'Report: Get Tasks in a loop: a meeting that failed is an item with the advice, and the loop goes on',
    play: async (stage) => {
      const { editor, world, meetingIds } = stage;
      const failed = await recordMeeting(world, { title: 'Failed' });
      world.sandbox.failMeeting(failed, { reason: 'The bot was not admitted' });
      const ids = [meetingIds[0], failed, meetingIds[1]];
      await editor.openNode(await draw(stage, (credentials) => drawLoop(credentials, ids)), 'Done');
      await editor.execute();
      const text = await editor.readOutput('error');
      const rows = text.split('\n').filter((line) => line.includes('\t'));
      const at = rows.findIndex((line) => line.includes('has no report: The bot was not admitted'));
      assert.ok(at > 0);
      assert.match(rows[at], /Recording: Get Status/);
      const after = rows.slice(at + 1).join('\n');
      assert.ok([meetingIds[0], meetingIds[1]].some((id) => after.includes(id)));
    },
  },
  {
    name: 'an error item shows the error, and the advice in details',
    play: async (stage) => {
      const { editor } = stage;
      const meetingId = { __rl: true, mode: 'id', value: 'm_that_is_not_there' };
      const parameters = { resource: 'report', operation: 'get', meetingId };
      const drawing = (credentials) => drawAction(credentials, parameters, 'continueRegularOutput');
      await editor.openNode(await draw(stage, drawing), 'Aftermeet');
      await editor.execute();
      const row = /No meeting has this meeting_id\.\tCheck the ID of the meeting: Meeting: Get Many/;
      assert.match(await editor.readOutput('details'), row);
      await editor.picture('n8n-error-item');
    },
  },
  {
    name: 'the list of actions',
    play: async ({ editor, edit }) => {
      const { id } = await edit('workflows', drawAction({}, {}));
      await editor.page.goto(new URL(`/workflow/${id}`, editor.page.url()).href);
      await editor.find('node-creator-plus-button').click();
      await editor.find('node-creator-search-bar').fill('Aftermeet');
      await editor.find('node-creator-item-name').getByText('Aftermeet', { exact: true }).first().click();
      await editor.page.getByText('Edit report block').first().waitFor();
      await editor.picture('n8n-actions');
    },
  },
];

const chosenWithDecoys = {
  agent: [
    'Chat model: Decoy openAiApi',
    'Search meetings: Decoy aftermeetApi',
    'Read a report: Decoy aftermeetApi',
    'Read what was said: Decoy aftermeetApi',
    'MCP tools of the service: Decoy httpBearerAuth',
  ],
  'failure-alert': ['Something went wrong: Decoy aftermeetApi'],
  'follow-up-mail': ['A meeting is over: Decoy aftermeetApi', 'Send the mail: Decoy smtp'],
  'page-in-notion': ['A meeting is over: Decoy aftermeetApi'],
  'recap-to-slack': ['A meeting is over: Decoy aftermeetApi'],
  'record-from-calendar': [
    'An event begins: Decoy googleCalendarOAuth2Api',
    'Start the recording: Decoy aftermeetApi',
  ],
  'register-url': ['Start the recordings: Decoy aftermeetApi', 'A meeting is over: Decoy aftermeetApi'],
  'upload-from-folder': [
    'Upload it: Decoy aftermeetApi',
    'Wait until it is ready: Decoy aftermeetApi',
    'Get the report: Decoy aftermeetApi',
  ],
};
