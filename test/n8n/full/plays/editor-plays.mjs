// What n8n's editor asks of our nodes and credentials.
import assert from 'node:assert/strict';

import { webhookSecret } from '../credentials.mjs';

const actionType = 'n8n-nodes-aftermeet.aftermeet';
const node = { name: actionType, version: 1 };

/** As the editor does before a change of a credential is kept. */
function testCredential({ api, credentials }, data, type = 'aftermeetApi') {
  const { id, name } = credentials.find((one) => one.type === type);
  return api.edit('credentials/test', { credentials: { id, name, type, data } });
}

function search(
  { api, credentials },
  { methodName, path, filter, paginationToken, currentNodeParameters = {} },
) {
  const { id, name } = credentials.find(({ type }) => type === 'aftermeetApi');
  return api.edit('dynamic-node-parameters/resource-locator-results', {
    path: `parameters.${path}`,
    methodName,
    filter,
    paginationToken,
    nodeTypeAndVersion: node,
    currentNodeParameters,
    credentials: { aftermeetApi: { id, name } },
  });
}

export const editorPlays = [
  {
    name: 'the credential test takes the right key',
    play: async (stage) => {
      const { url, key } = stage.world;
      const tested = await testCredential(stage, { baseUrl: url, apiKey: key });
      assert.equal(tested.status, 'OK', tested.message);
    },
  },
  {
    name: 'the credential test refuses a wrong key, and says what is wrong',
    play: async (stage) => {
      const tested = await testCredential(stage, { baseUrl: stage.world.url, apiKey: 'no_such_key' });
      assert.equal(tested.status, 'Error');
      assert.match(tested.message, /credential|authori|key/i);
      assert.ok(!tested.message.includes('no_such_key'));
      return tested.message;
    },
  },
  {
    name: 'the credential test refuses an address that nobody listens at',
    play: async (stage) => {
      const tested = await testCredential(stage, { baseUrl: 'http://127.0.0.1:1', apiKey: stage.world.key });
      assert.equal(tested.status, 'Error');
      return tested.message;
    },
  },
  {
    name: 'the test of a credential for the trigger alone says what it is good for',
    play: async (stage) => {
      const tested = await testCredential(stage, { signedBy: 'service', webhookSecret });
      assert.equal(tested.status, 'Error');
      assert.match(tested.message, /only the Aftermeet Trigger can use it/);
      return tested.message;
    },
  },
  {
    name: 'the list of meetings, found by a part of the title, page by page',
    play: async (stage) => {
      const first = await search(stage, { methodName: 'searchMeetings', path: 'meetingId' });
      assert.ok(first.results.length >= 6);
      const one = first.results.find(({ value }) => value === stage.said[0]);
      assert.ok(one.name.length > 0);
      const filter = one.name.slice(0, 8);
      const found = await search(stage, { methodName: 'searchMeetings', path: 'meetingId', filter });
      assert.ok(found.results.some(({ value }) => value === stage.said[0]));
    },
  },
  {
    name: 'the list of templates: built-in ones and those of the workspace',
    play: async (stage) => {
      const { results } = await search(stage, { methodName: 'searchTemplates', path: 'templateName' });
      assert.ok(results.some(({ value }) => value === 'team-sync'));
      assert.ok(results.some(({ value }) => /^[\da-f]{8}-/.test(value)));
      const found = await search(stage, {
        methodName: 'searchTemplates',
        path: 'templateName',
        filter: 'sales',
      });
      assert.ok(found.results.length > 0 && found.results.length < results.length);
    },
  },
  {
    name: 'the templates of the chosen meeting, the blocks of the chosen template, and what to choose first',
    play: async (stage) => {
      const locate = (value) => ({ __rl: true, mode: 'list', value });
      const meetingId = locate(stage.said[0]);
      const templates = await search(stage, {
        methodName: 'searchReportTemplates',
        path: 'templateId',
        currentNodeParameters: { meetingId },
      });
      const templateId = locate(templates.results[0].value);
      const blocks = await search(stage, {
        methodName: 'searchReportBlocks',
        path: 'entityName',
        currentNodeParameters: { meetingId, templateId },
      });
      assert.ok(blocks.results.length > 0);
      assert.equal(templates.results[0].description, blocks.results.map(({ name }) => name).join(', '));
      const empty = search(stage, {
        methodName: 'searchReportTemplates',
        path: 'templateId',
        currentNodeParameters: { meetingId: locate('') },
      });
      await assert.rejects(empty, /Choose the Meeting first/);
      return `${templates.results[0].name}: ${templates.results[0].description}`;
    },
  },
  {
    name: 'the list of tags',
    play: async (stage) => {
      const { url, key } = stage.world;
      await fetch(`${url}/api/workspaces/active/tags`, {
        method: 'POST',
        headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Proof', color: 'blue' }),
      });
      const { results } = await search(stage, { methodName: 'searchTags', path: 'tagId' });
      assert.ok(results.some(({ name }) => name === 'Proof'));
    },
  },
  {
    name: 'the action node is offered as a tool, the triggers are not',
    play: async ({ api }) => {
      const types = await (await api.open('types/nodes.json')).json();
      const ours = types.map(({ name }) => name).filter((name) => name.startsWith('n8n-nodes-aftermeet.'));
      assert.deepEqual(
        ours.toSorted((left, right) => left.localeCompare(right)),
        [actionType, `${actionType}PollTrigger`, `${actionType}Tool`, `${actionType}Trigger`],
      );
    },
  },
  {
    name: 'the icons, light and dark',
    play: async ({ api }) => {
      for (const name of ['aftermeet.svg', 'aftermeet.dark.svg']) {
        const answer = await api.open(`icons/n8n-nodes-aftermeet/dist/icons/${name}`);
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), /^<svg/);
      }
    },
  },
];
