import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';

import { askDirectly } from '../open-twins.mjs';
import { byId, fromList, seedMeetings } from './locate.mjs';

const resource = 'export';
const operation = 'download';
/** How the files begin. */
const heads = { pdf: '%PDF-', docx: 'PK', md: '#' };
const prepare = (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] });

/** With the template that the report of the meeting is made from. */
async function prepareTemplate(sandbox) {
  const { meetingId } = prepare(sandbox);
  const { report } = await askDirectly(sandbox).reports.get(meetingId);
  return { meetingId, templateName: report.templates[0].name };
}

async function download(client, input) {
  const { stream, filename } = await client.exports.stream(input);
  return { bytes: await buffer(stream), filename };
}

/** A PDF and a DOCX say when they were made, which is not the same in both sandboxes. */
async function checkFile({ items: [item], answer, engine, property = 'data' }) {
  const bytes = await engine.readBinary(item.binary[property]);
  const { format } = item.json;
  assert.equal(item.json.bytes, bytes.length);
  assert.equal(item.json.file_name, answer.filename);
  assert.equal(item.binary[property].fileName, answer.filename);
  assert.equal(bytes.toString('latin1', 0, heads[format].length), heads[format]);
  if (format === 'md') assert.deepEqual(bytes, answer.bytes);
}

export const plays = [
  ...['pdf', 'docx', 'md'].map((format) => ({
    name: `${format}, kept in n8n's ${format === 'md' ? 'memory' : 'filesystem'}`,
    binary: format === 'md' ? 'memory' : 'filesystem',
    resource,
    operation,
    prepare,
    parameters: ({ meetingId }) => ({ meetingId: byId(meetingId), format }),
    call: (client, { meetingId }) => download(client, { meetingId, format }),
    check: checkFile,
  })),
  {
    name: 'with every option',
    resource,
    operation,
    prepare: prepareTemplate,
    parameters: ({ meetingId, templateName }) => ({
      meetingId: fromList(meetingId),
      format: 'md',
      templateName: byId(templateName),
      binaryPropertyName: 'minutes',
      options: { includeReport: true, includeTasks: false, timezone: 'Europe/Berlin' },
    }),
    call: (client, { meetingId, templateName }) =>
      download(client, {
        meetingId,
        format: 'md',
        templateName,
        includeReport: true,
        includeTasks: false,
        timezone: 'Europe/Berlin',
      }),
    check: (played) => checkFile({ ...played, property: 'minutes' }),
  },
];
