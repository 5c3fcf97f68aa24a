// What n8n does by command, without a server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readItems } from '../open-stage.mjs';

export const commandPlays = [
  {
    name: 'export:nodes lists our nodes, each with a description that n8n takes',
    play: async ({ n8n, folder }) => {
      const file = join(folder, 'nodes.json');
      await n8n.run('export:nodes', `--output=${file}`);
      const ours = JSON.parse(readFileSync(file, 'utf8')).filter(({ name }) => /aftermeet/.test(name));
      const names = ours.map(({ name }) => name.replace('n8n-nodes-aftermeet.', ''));
      assert.deepEqual(
        names.toSorted((left, right) => left.localeCompare(right)),
        ['aftermeet', 'aftermeetPollTrigger', 'aftermeetTool', 'aftermeetTrigger'],
      );
      for (const { displayName, properties, inputs, outputs } of ours) {
        assert.ok(displayName.startsWith('Aftermeet') && properties.length > 2);
        assert.ok(Array.isArray(inputs) && outputs.length > 0);
      }
      const [{ properties }] = ours.filter(({ name }) => name.endsWith('.aftermeet'));
      const operations = properties.filter(({ name }) => name === 'operation');
      return `${operations.flatMap(({ options }) => options).length} operations of ${operations.length} resources`;
    },
  },
  ...[
    ['record-from-calendar', 'Start the recording', 'a bot is sent to the link of the event'],
    ['register-url', 'Start the recordings', 'a series is started'],
  ].map(([workflow, node, what]) => ({
    name: `${workflow}: ${what}, and its deliveries are signed`,
    play: async ({ execute, world }) => {
      const { execution } = await execute(workflow);
      const [{ meeting_id: meetingId }] = readItems(execution, node);
      const { deliveryId } = world.sandbox.completeMeeting(meetingId);
      assert.equal(world.sandbox.deliveries().find(({ id }) => id === deliveryId).isSigned, true);
    },
  })),
  {
    name: 'agent: "What did we decide last Tuesday?" is answered by our tools; one of the MCP endpoint is called too',
    play: async ({ execute, world, lastTuesday }) => {
      const { day, meetingId, decision } = lastTuesday;
      world.model.calls = [
        // No text: what a model leaves out has a default.
        { tool: /^Search_meetings$/, with: { from_date: day, to_date: day } },
        { tool: /^Read_a_report$/, with: ([found]) => ({ meeting_id: findMeetingId(found) }) },
        { tool: /^Read_what_was_said$/, with: { meeting_id: meetingId } },
        { tool: /get_transcript$/, with: { meeting_id: meetingId } },
      ];
      const { execution } = await execute('agent');
      const [{ tools, messages }] = world.model.requests;
      assert.match(JSON.stringify(messages), /Today is \w+, \d{4}-\d{2}-\d{2}/);
      const { parameters } = tools.find(({ function: { name } }) => name === 'Search_meetings').function;
      assert.deepEqual(parameters.required ?? [], []);
      assert.equal(world.model.requests.length, 5);
      const [{ output }] = readItems(execution, 'Answer it');
      assert.ok(output.includes(meetingId) && output.includes(decision), output.slice(0, 1000));
      return tools.map(({ function: { name } }) => name).join(', ');
    },
  },
  {
    name: 'a file of 1 GiB downloaded and uploaded again keeps its SHA-256',
    play: async ({ execute, world }) => {
      const { peakMib: idleMib } = await execute('probe-idle');
      const startedMs = performance.now();
      const { execution, peakMib } = await execute('probe-large');
      const seconds = (performance.now() - startedMs) / 1000;
      const [uploaded] = readItems(execution, 'Upload');
      assert.equal(uploaded.bytes, 1024 ** 3);
      const { sentSha256, receivedSha256 } = world.bigFiles.read();
      assert.equal(receivedSha256, sentSha256);
      assert.equal(uploaded.sha256, sentSha256);
      return `${seconds.toFixed(1)} s with the start of n8n; at most ${peakMib} MiB, ${idleMib} MiB without a file`;
    },
  },
];

/** What a model would read out of the answer of the search: the only meeting in it. */
function findMeetingId(found) {
  const ids = new Set([...found.matchAll(/meeting_id\W+([\w-]+)/g)].map(([, id]) => id));
  assert.equal(ids.size, 1, found);
  return [...ids][0];
}
