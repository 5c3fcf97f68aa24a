// What n8n's editor asks of our nodes and credentials.
import assert from 'node:assert/strict';

import { webhookSecret } from '../credentials.mjs';

/** As the editor does before a change of a credential is kept. */
function testCredential({ api, credentials }, data) {
  const type = 'aftermeetApi';
  const { id, name } = credentials.find((one) => one.type === type);
  return api.edit('credentials/test', { credentials: { id, name, type, data } });
}

export const editorPlays = [
  {
    name: 'the credential test takes the right key and refuses a wrong one, and says what is wrong',
    play: async (stage) => {
      const { url, key } = stage.world;
      const taken = await testCredential(stage, { baseUrl: url, apiKey: key });
      assert.equal(taken.status, 'OK', taken.message);
      const tested = await testCredential(stage, { baseUrl: url, apiKey: 'no_such_key' });
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
