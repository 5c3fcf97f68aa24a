// What n8n's editor asks of our nodes and credentials.
import assert from 'node:assert/strict';

import { webhookSecret } from '../credentials.mjs';

/** As the editor does before a change of a credential is kept. */
function testCredential({ api, credentials }, data, type = 'aftermeetApi') {
  const { id, name } = credentials.find((one) => one.type === type);
  return api.edit('credentials/test', { credentials: { id, name, type, data } });
}

function searchMeetings({ api, credentials }, filter) {
  const { id, name } = credentials.find(({ type }) => type === 'aftermeetApi');
  return api.edit('dynamic-node-parameters/resource-locator-results', {
    path: 'parameters.meetingId',
    methodName: 'searchMeetings',
    filter,
    nodeTypeAndVersion: { name: 'n8n-nodes-aftermeet.aftermeet', version: 1 },
    currentNodeParameters: {},
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
      const first = await searchMeetings(stage);
      assert.ok(first.results.length >= 6);
      const one = first.results.find(({ value }) => value === stage.meetingIds[0]);
      assert.ok(one.name.length > 0);
      const filter = one.name.slice(0, 8);
      const found = await searchMeetings(stage, filter);
      assert.ok(found.results.some(({ value }) => value === stage.meetingIds[0]));
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
