import assert from 'node:assert/strict';

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

async function prepareUnready(sandbox) {
  const { meetingId } = await askDirectly(sandbox).recordings.start({ link: 'https://meet.example.com/a' });
  return { meetingId };
}

function edit({ meetingId, templateId, entityName }, newSummaryText) {
  return { meetingId: byId(meetingId), templateId, entityName, newSummaryText };
}

async function readBlock(sandbox, { meetingId, entityName }) {
  const { report } = await askDirectly(sandbox).reports.get(meetingId);
  return report.templates[0].blocks.find(({ name }) => name === entityName)?.text;
}

export const plays = [
  {
    name: 'simplified',
    resource,
    operation: 'get',
    prepare,
    parameters: locate,
    call: get,
    check: ({ json: [one], answer: { report } }) => {
      assert.equal(one.ready, true);
      assert.equal(one.title, report.title);
      assert.equal(one.summary, report.summary);
      assert.deepEqual(one.tasks, JSON.parse(JSON.stringify(report.tasks)));
      assert.ok(!('transcript' in one));
    },
  },
  {
    name: 'with the transcript',
    resource,
    operation: 'get',
    prepare,
    parameters: ({ meetingId }) => ({ meetingId: fromList(meetingId), includeTranscript: true }),
    call: get,
    check: ({ json: [one], answer: { report } }) =>
      assert.equal(one.transcript.split('\n').length, report.transcript.length),
  },
  {
    name: 'as the service says it',
    resource,
    operation: 'get',
    prepare,
    parameters: (facts) => ({ ...locate(facts), simplify: false }),
    call: get,
    check: async ({ json: [one], sandbox, facts }) => {
      const address = `${sandbox.ownUrl}/api/video/report?meeting_id=${facts.meetingId}`;
      const answer = await fetch(address, { headers: { 'X-API-KEY': apiKey } });
      assert.deepEqual(one, await answer.json());
    },
  },
  {
    name: 'one that is not there yet, as an item',
    resource,
    operation: 'get',
    prepare: prepareUnready,
    parameters: (facts) => ({ ...locate(facts), whenNotReady: 'item' }),
    call: get,
    check: ({ json: [one], answer }) => {
      assert.equal(one.ready, false);
      assert.equal(one.status, answer.status);
    },
  },
  {
    name: 'by a built-in template',
    resource,
    operation: 'generate',
    prepare,
    parameters: (facts) => ({ ...locate(facts), templateName: fromList('team-sync') }),
    call: (client, { meetingId }) => client.reports.generate({ meetingId, templateName: 'team-sync' }),
    check: ({ json: [one], answer, facts }) =>
      assert.deepEqual(one, {
        meeting_id: facts.meetingId,
        template_name: 'team-sync',
        created_template_id: answer.createdTemplateId ?? null,
      }),
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
    check: async ({ sandbox, facts }) => {
      assert.equal(await readBlock(sandbox, facts), 'A *new*\nsummary: ü 🎉');
    },
  },
  {
    name: 'an empty text',
    resource,
    operation: 'editBlock',
    prepare: prepareReport,
    parameters: (facts) => ({ ...edit(facts, ''), isEmptied: true }),
    call: (client, { meetingId, templateId, entityName }) =>
      client.reports.editBlock({ meetingId, templateId, entityName, newSummaryText: '' }),
  },
];
