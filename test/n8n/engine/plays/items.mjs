// What n8n expects of a node beside its operations: items and their errors, expressions, lists, tools, the credential.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { askerType, prefix } from '../node-types.mjs';
import { apiKey, askDirectly } from '../open-twins.mjs';
import { findLeaks } from '../read-arrived.mjs';
import { byId, seedMeetings } from './locate.mjs';

const status = {
  resource: 'recording',
  operation: 'status',
  parameters: { meetingId: byId('={{ $json.id }}') },
};

/** Three items, of which the second one has no meeting. */
async function runThree(engine, side, node) {
  const [first, last] = seedMeetings(side.sandbox, 2);
  const items = [first, 'no-such-meeting', last].map((id) => ({ json: { id } }));
  return {
    ids: [first, last],
    ...(await engine.run({ ...status, node, items, credentials: side.credentials })),
  };
}

function pair(items) {
  return items.map(({ json, pairedItem }) => [json.meeting_id ?? json.error, pairedItem.item]);
}

const missing = 'No meeting has this meeting_id.';
const advice = /^Check the ID of the meeting: Meeting: Get Many lists them\./;

export const cases = [
  {
    name: 'an error ends the run, and says what to do',
    play: async ({ engine, side }) => {
      const { status: word, error } = await runThree(engine, side);
      assert.equal(word, 'error');
      assert.equal(error.message, `${missing} [item 1]`);
      assert.equal(error.name, 'NodeApiError');
      assert.equal(error.httpCode, '404');
      assert.equal(error.context.itemIndex, 1);
      assert.match(error.description, advice);
      assert.match(error.description, /404/);
    },
  },
  {
    name: 'the error output: the others go on',
    play: async ({ engine, side }) => {
      const { items, failed, ids } = await runThree(engine, side, { onError: 'continueErrorOutput' });
      assert.deepEqual(pair(items), [
        [ids[0], 0],
        [ids[1], 2],
      ]);
      assert.equal(failed.length, 1);
      assert.equal(failed[0].json.error, missing);
      assert.match(failed[0].json.details, advice);
      assert.equal(failed[0].json.id, 'no-such-meeting');
      assert.equal(failed[0].pairedItem.item, 1);
    },
  },
  {
    name: 'a closed port: an error item in words',
    play: async ({ engine, side }) => {
      const gone = createServer();
      await new Promise((resolve) => gone.listen(0, '127.0.0.1', resolve));
      const { port } = gone.address();
      await new Promise((resolve) => gone.close(resolve));
      for (const host of ['127.0.0.1', 'localhost']) {
        const baseUrl = `http://${host}:${port}`;
        const { items } = await engine.run({
          ...status,
          parameters: { meetingId: byId('m_1'), requestOptions: { totalRetryTime: 2 } },
          node: { onError: 'continueRegularOutput' },
          credentials: { aftermeetApi: { ...side.credentials.aftermeetApi, baseUrl } },
        });
        const [{ json }] = items;
        assert.match(json.error, /^Nothing listens at the port of the address in the credential/, host);
        assert.match(json.details, /^Check the address in the credential, with its host and port/, host);
      }
    },
  },
  {
    name: 'a silent service holds an item no longer than it was told to',
    play: async ({ engine, side }) => {
      side.sandbox.faults.add({ kind: 'hang', times: null });
      const startMs = Date.now();
      const { error } = await engine.run({
        ...status,
        parameters: { meetingId: byId('m_1'), requestOptions: { timeout: 1, totalRetryTime: 2 } },
        credentials: side.credentials,
      });
      assert.match(error.message, /no (?:whole )?answer in \d+ ms/i);
      assert.ok(Date.now() - startMs < 20_000);
      assert.ok(side.requests.length <= 2);
    },
  },
  {
    name: 'a node behind it finds the item before it',
    play: async ({ engine, side }) => {
      const ids = seedMeetings(side.sandbox, 2);
      const type = `${prefix}aftermeet`;
      const meetingId = byId('={{ $("Start").item.json.id }}');
      const { nodes, error } = await engine.runWorkflow({
        nodes: [
          {
            name: 'First',
            type,
            parameters: { ...status.parameters, resource: 'recording', operation: 'status' },
          },
          { name: 'Second', type, parameters: { resource: 'report', operation: 'get', meetingId } },
        ],
        items: ids.map((id) => ({ json: { id } })),
        credentials: side.credentials,
      });
      assert.equal(error, undefined, error?.message);
      assert.deepEqual(
        nodes.Second.outputs[0].map(({ json }) => json.meeting_id),
        ids,
      );
    },
  },
  {
    name: 'a service that fails for a moment is asked again, but not told again',
    play: async ({ engine, side }) => {
      for (const on of ['tags.list', 'tags.create'])
        side.sandbox.faults.add({ kind: 'status', status: 503, on });
      const listed = await engine.run({ resource: 'tag', operation: 'list', credentials: side.credentials });
      assert.equal(listed.error, undefined, listed.error?.message);
      assert.equal(side.requests.length, 2);
      const made = await engine.run({
        resource: 'tag',
        operation: 'create',
        parameters: { name: 'once' },
        credentials: side.credentials,
      });
      assert.equal(side.requests.length, 3);
      assert.match(made.error.description, /is unknown|look/i);
    },
  },
  {
    name: 'the lists of the resource locators, with a filter and page by page',
    play: async ({ engine, side }) => {
      const { credentials } = side;
      const ids = seedMeetings(side.sandbox, 120);
      const found = [];
      let paginationToken;
      do {
        const page = await engine.search('searchMeetings', { credentials, paginationToken });
        found.push(...page.results.map(({ value }) => value));
        ({ paginationToken } = page);
      } while (paginationToken !== undefined);
      assert.deepEqual(new Set(found), new Set(ids));
      assert.equal(found.length, ids.length);
      const { results: templates } = await engine.search('searchTemplates', { credentials, filter: 'sales' });
      assert.deepEqual(
        templates.map(({ value }) => value),
        ['sales-meeting', 'sales-coaching'],
      );
      const { id } = await askDirectly(side.sandbox).tags.create({ name: 'partners of old' });
      const { results: tags } = await engine.search('searchTags', { credentials, filter: 'PARTNERS OF' });
      assert.deepEqual(tags, [{ name: 'partners of old', value: id }]);
      const { results: tools } = await engine.search('searchTools', { credentials });
      assert.deepEqual(tools.map(({ value }) => value).toSorted(), [
        'get_report',
        'get_transcript',
        'search_meetings',
      ]);
    },
  },
  {
    name: "the credential's test: right, and with a wrong key",
    play: async ({ engine, side }) => {
      assert.equal(await engine.testCredential('aftermeetApi', side.credentials), 200);
      assert.deepEqual(findLeaks(side.requests[0], apiKey), []);
      const wrong = { aftermeetApi: { ...side.credentials.aftermeetApi, apiKey: 'wrong' } };
      assert.equal(await engine.testCredential('aftermeetApi', wrong), 401);
    },
  },
  {
    name: "the key goes to no other address and follows no redirect, though n8n's HTTP Request node would",
    play: async ({ engine, side }) => {
      const path = '/api/workspaces/active/tags';
      const gate = createServer((_request, response) => {
        response.writeHead(302, { location: side.url + path }).end();
      });
      await new Promise((resolve) => gate.listen(0, '127.0.0.1', resolve));
      try {
        const baseUrl = `http://127.0.0.1:${gate.address().port}`;
        const credentials = { aftermeetApi: { ...side.credentials.aftermeetApi, baseUrl, mcpUrl: baseUrl } };
        const ask = async (uri) => {
          const { error } = await engine.runNode({ type: askerType, parameters: { uri } }, { credentials });
          assert.ok(!JSON.stringify(error).includes(apiKey));
          return error;
        };
        assert.equal((await ask(baseUrl + path)).httpCode, '302');
        assert.match((await ask(side.url + path)).message, /The API key goes to the credential's/);
        assert.equal(side.requests.length, 0);
      } finally {
        gate.close();
        gate.closeAllConnections();
      }
    },
  },
];
