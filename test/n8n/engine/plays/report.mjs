import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { agentType } from '../node-types.mjs';
import { apiKey, askDirectly } from '../open-twins.mjs';
import { byId, fromList, seedMeetings } from './locate.mjs';

const resource = 'report';
const prepare = (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] });
const locate = ({ meetingId }) => ({ meetingId: byId(meetingId) });
const get = (client, { meetingId }) => client.reports.get(meetingId);

async function prepareReport(sandbox) {
  const { meetingId } = prepare(sandbox);
  const { report } = await askDirectly(sandbox).reports.get(meetingId);
  const [{ id: templateId, blocks }] = report.templates;
  return { meetingId, templateId, entityName: blocks[0].name };
}

function edit({ meetingId, templateId, entityName }, newSummaryText) {
  return {
    meetingId: byId(meetingId),
    templateId: fromList(templateId),
    entityName: { __rl: true, mode: 'name', value: entityName },
    newSummaryText,
  };
}

export const plays = [
  {
    name: 'fields that an expression chooses',
    resource,
    operation: 'get',
    prepare,
    parameters: ({ meetingId }) => ({
      meetingId: fromList(meetingId),
      output: 'selectedFields',
      fields: "={{ ['transcript', 'title'] }}",
    }),
    call: get,
    check: ({ json: [one], answer: { report } }) => {
      assert.deepEqual(Object.keys(one), ['title', 'transcript']);
      assert.equal(one.transcript.split('\n').length, report.transcript.length);
    },
  },
  {
    name: 'as the service says it',
    resource,
    operation: 'get',
    prepare,
    parameters: (facts) => ({ ...locate(facts), output: 'raw' }),
    call: get,
    check: async ({ json: [one], sandbox, facts }) => {
      const address = `${sandbox.ownUrl}/api/video/report?meeting_id=${facts.meetingId}`;
      const answer = await fetch(address, { headers: { 'X-API-KEY': apiKey } });
      assert.deepEqual(one, await answer.json());
    },
  },
  {
    name: 'an item for each task',
    resource,
    operation: 'getTasks',
    prepare,
    parameters: locate,
    call: get,
  },
  {
    name: 'by a built-in template',
    resource,
    operation: 'generate',
    prepare,
    parameters: (facts) => ({ ...locate(facts), templateName: fromList('team-sync') }),
    call: (client, { meetingId }) => client.reports.generate({ meetingId, templateName: 'team-sync' }),
  },
  {
    name: 'a new text',
    resource,
    operation: 'editBlock',
    prepare: prepareReport,
    parameters: (facts) => edit(facts, 'A *new*\nsummary: ü 🎉'),
    call: (client, { meetingId, templateId, entityName }) =>
      client.reports.editBlock({
        meetingId,
        templateId,
        entityName,
        newSummaryText: 'A *new*\nsummary: ü 🎉',
      }),
  },
];

const type = 'n8n-nodes-aftermeet.aftermeet';
const workflow = JSON.parse(
  readFileSync(new URL('../../../../recipes/n8n/agent.json', import.meta.url), 'utf8'),
);

/** Calls a tool of the shipped agent with what a model would say; answers the items. */
async function callTool(engine, { credentials }, tool, said) {
  const { parameters } = workflow.nodes.find(({ name }) => name === tool);
  const { nodes, error } = await engine.runWorkflow({
    nodes: [
      { name: 'Agent', type: agentType },
      { name: 'Tool', type: `${type}Tool`, parameters },
    ],
    connections: {
      Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
    },
    items: [{ json: said }],
    credentials,
  });
  assert.equal(error, undefined, error?.message);
  return JSON.parse(nodes.Agent.outputs[0][0].json.answer);
}

/** Gives the sandbox a meeting of its own; answers its id. */
async function addMeeting({ ownUrl }, meeting) {
  const answer = await fetch(`${ownUrl}/_sandbox/meetings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(meeting),
  });
  assert.ok(answer.ok, String(answer.status));
  return (await answer.json()).meeting_id;
}

export const cases = [
  {
    name: 'the lists of Edit Block come out of the report of the chosen meeting',
    play: async ({ engine, side }) => {
      const { meetingId, templateId, entityName } = await prepareReport(side.sandbox);
      const { credentials } = side;
      const parameters = { meetingId: byId(meetingId), templateId: fromList(templateId) };
      const templates = await engine.search('searchReportTemplates', { credentials, parameters });
      assert.ok(templates.results.some(({ value }) => value === templateId));
      const blocks = await engine.search('searchReportBlocks', { credentials, parameters });
      assert.equal(blocks.results[0].value, entityName);
    },
  },
  {
    name: 'the shipped agent: what did we decide last Tuesday?',
    play: async ({ engine, side }) => {
      const [tuesday, before] = ['2026-07-07', '2026-07-06'];
      const give = (day, decision) =>
        addMeeting(side.sandbox, {
          title: 'Planning',
          start: `${day}T10:00:00Z`,
          summary: 'We planned.',
          decisions: [decision],
          chapters: [{ name: 'All', lines: [{ speaker: 'Ann', text: 'Good morning' }] }],
        });
      const wanted = await give(tuesday, 'We ship on Friday');
      await give(before, 'We wait');
      const found = await callTool(engine, side, 'Search meetings', {
        from_date: tuesday,
        to_date: tuesday,
      });
      assert.deepEqual(
        found.map(({ meeting_id: id }) => id),
        [wanted],
      );
      const [report] = await callTool(engine, side, 'Read a report', { meeting_id: wanted });
      assert.deepEqual(report.decisions, ['We ship on Friday']);
      assert.ok(!('transcript' in report));
      const turns = await callTool(engine, side, 'Read what was said', { meeting_id: wanted });
      assert.deepEqual(turns, [{ speaker: 'Ann', text: 'Good morning' }]);
      const all = await callTool(engine, side, 'Search meetings', { text: 'plan' });
      assert.equal(all.length, 2);
    },
  },
];
