import { createClient } from '@aftermeet/client';
import { readReport, type Report } from '@aftermeet/client/pure';
import { describe, expect, it } from 'vitest';

import type { NodeOperation } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { writeTranscript } from '../../../nodes/nodes/Aftermeet/actions/report.ts';
import { explainFailure } from '../../../nodes/nodes/Aftermeet/transport/errors.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { shareSandbox } from './support/serve.ts';

const editBlock = findOperation('report', 'editBlock');
const generate = findOperation('report', 'generate');
const get = findOperation('report', 'get');
const getTasks = findOperation('report', 'getTasks');
const getTranscript = findOperation('transcript', 'get');

const shared = shareSandbox();

async function runAll(
  { execute, description }: NodeOperation,
  parameters: Readonly<Record<string, unknown>>,
) {
  const { meetingId, url: baseUrl } = shared;
  const context = createNodeContext({ baseUrl, description, parameters: { meetingId, ...parameters } });
  const items = await execute(context.execute, 0);
  return { json: items.map((item) => item.json), sent: context.requests };
}

async function run(operation: NodeOperation, parameters: Readonly<Record<string, unknown>>) {
  const { json, sent } = await runAll(operation, parameters);
  expect(json).toHaveLength(1);
  return { json: json[0] ?? {}, sent };
}

/** What the service says itself. */
async function askService(): Promise<Report> {
  const { meetingId, url } = shared;
  const address = `${url}/api/video/report?meeting_id=${meetingId}`;
  const answer = await fetch(address, { headers: { 'x-api-key': 'sandbox_key' } });
  return readReport(meetingId, await answer.json());
}

/** Asks for these fields alone. */
function select(...fields: readonly string[]): Readonly<Record<string, unknown>> {
  return { output: 'selectedFields', fields };
}

/** A meeting that is still going on. */
async function startMeeting(): Promise<string> {
  const { recordings } = createClient({ baseUrl: shared.url, apiKey: 'sandbox_key' });
  return (await recordings.start({ link: `https://meet.example.com/${Math.random()}` })).meetingId;
}

// That the raw output is the answer as it came is played in n8n's engine.
describe('Get', () => {
  it('returns the ten things that people ask for', async () => {
    const { json } = await run(get, {});
    expect(Object.keys(json).join(' ')).toBe(
      'meeting_id ready title started_at duration_seconds is_transcript_empty participants summary decisions tasks',
    );
    const { title, tasks, decisions } = await askService();
    expect(json).toMatchObject({ meeting_id: shared.meetingId, ready: true, title, decisions });
    expect(tasks.length).toBeGreaterThan(0);
    expect(json['tasks']).toEqual(
      tasks.map(({ text }) => expect.objectContaining({ title: text }) as unknown),
    );
    const { json: raw } = await run(get, { output: 'raw' });
    expect(JSON.stringify(json).length).toBeLessThan(JSON.stringify(raw).length / 2);
  });

  it.each([[['transcript', 'title']], ['title, transcript']])(
    'returns the fields that were chosen alone: %j',
    async (fields) => {
      const { json } = await run(get, { output: 'selectedFields', fields });
      expect(Object.keys(json)).toEqual(['title', 'transcript']);
      expect(json['transcript']).toMatch(/^\[00:\d\d:\d\d\] [^:]+: \S/);
    },
  );

  it('has no name in camelCase, whatever is chosen', async () => {
    const offered = get.description.properties.find(({ name }) => name === 'fields')?.options ?? [];
    const names = offered.flatMap((option) => ('value' in option ? [String(option.value)] : []));
    expect(names.length).toBeGreaterThan(10);
    const { json } = await run(get, select(...names));
    expect(Object.keys(json).toSorted()).toEqual(names.toSorted());
    const { json: tasks } = await runAll(getTasks, {});
    const keys = [...JSON.stringify([json, tasks]).matchAll(/"([^"\\]+)":/g)].map(([, key]) => key);
    expect(keys.filter((key) => !/^[a-z]+(?:_[a-z]+)*$/.test(key ?? ''))).toEqual([]);
  });

  it.each([
    [[], 'Fields is empty'],
    [['title', 'nope'], 'Fields has no nope'],
  ])('sends nothing for %j', async (fields, message) => {
    const wanted = { meetingId: 'never_asked_for', output: 'selectedFields', fields };
    await expect(run(get, wanted)).rejects.toMatchObject({
      name: 'NodeOperationError',
      message,
      description: expect.stringMatching(/^Choose among meeting_id, ready, /) as unknown,
    });
  });

  it('fails for a meeting that is not ready, or says so in an item', async () => {
    const open = await startMeeting();
    await expect(run(get, { meetingId: open })).rejects.toMatchObject({
      code: 'not_ready',
      detail: 'there is no report yet: recording',
    });
    expect((await run(get, { meetingId: open, whenNotReady: 'item' })).json).toEqual({
      meeting_id: open,
      ready: false,
      status: 'recording',
      phase: 'recording',
    });
  });

  it.each([get, getTasks, getTranscript])(
    'says of a meeting that failed that it did: $description.name',
    async (operation) => {
      const failed = await startMeeting();
      shared.sandbox.failMeeting(failed);
      await expect(runAll(operation, { meetingId: failed })).rejects.toMatchObject({ code: 'not_found' });
      const { json, sent } = await run(operation, { meetingId: failed, whenNotReady: 'item' });
      expect(json).toEqual({ meeting_id: failed, ready: false, status: 'failed', phase: 'failed' });
      expect(sent).toHaveLength(2);
    },
  );

  it('fails for a meeting that there is not, also where what is not ready is an item', async () => {
    const wanted = { meetingId: 'nope', whenNotReady: 'item' };
    await expect(run(get, wanted)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('Get Tasks', () => {
  it('returns an item for each task', async () => {
    const { json } = await runAll(getTasks, {});
    const { title, tasks } = await askService();
    expect(tasks.length).toBeGreaterThan(1);
    expect(json).toEqual(
      tasks.map((task) => ({
        meeting_id: shared.meetingId,
        meeting_title: title,
        title: task.text,
        owner: task.owner ?? null,
        due: task.due ?? null,
        due_date: task.dueDate ?? null,
        state: task.state ?? null,
        at_seconds: task.atSeconds ?? null,
        chapter: task.chapter ?? null,
      })),
    );
  });

  it('returns the fields that were chosen alone', async () => {
    const { json } = await runAll(getTasks, select('owner', 'title'));
    const { tasks } = await askService();
    expect(json).toEqual(tasks.map(({ text, owner = null }) => ({ title: text, owner })));
  });
});

describe('Get of a transcript', () => {
  it('returns an item for each turn, in their order', async () => {
    const { json } = await runAll(getTranscript, {});
    const { transcript } = await askService();
    expect(transcript.length).toBeGreaterThan(5);
    expect(json).toEqual(
      transcript.map(({ speaker, text, startSeconds, endSeconds }) => ({
        meeting_id: shared.meetingId,
        speaker: speaker ?? null,
        text,
        start_seconds: startSeconds ?? null,
        end_seconds: endSeconds ?? null,
      })),
    );
  });
});

describe('Generate', () => {
  it('returns the id for an edit, and the report where it is wanted', async () => {
    const { json, sent } = await run(generate, {
      templateName: { mode: 'list', value: 'sales-meeting' },
      includeReport: true,
    });
    expect(sent.map(({ body }) => body)).toEqual([
      JSON.stringify({ meeting_id: shared.meetingId, template_name: 'sales-meeting' }),
    ]);
    expect(json).toMatchObject({
      meeting_id: shared.meetingId,
      template_name: 'sales-meeting',
      created_template_id: expect.stringMatching(/^[\w-]{8,}$/),
      report: { meeting_id: shared.meetingId, tasks: expect.any(Array) },
    });
    expect((await run(generate, { templateName: 'team-sync' })).json).not.toHaveProperty('report');
  });
});

describe('Edit Block', () => {
  async function makeTemplate(): Promise<{ templateId: unknown; entityName: string }> {
    const { json } = await run(generate, { templateName: 'sales-meeting', includeReport: true });
    return { templateId: json['created_template_id'], entityName: 'sales_general' };
  }

  async function readBlock(templateId: unknown, entityName: string): Promise<unknown> {
    const { json } = await run(get, { output: 'raw' });
    type Raw = { templates: { id: string; entities: { name: string; text: unknown }[] }[] };
    const { templates } = json['followup_v2'] as unknown as Raw;
    const found = templates.find(({ id }) => id === templateId);
    return found?.entities.find(({ name }) => name === entityName)?.text;
  }

  it.each([
    ['Everybody agreed.', { newSummaryText: 'Everybody agreed.' }],
    ['', { isEmptied: true }],
  ])('leaves %j there', async (text, parameters) => {
    const block = await makeTemplate();
    const { json } = await run(editBlock, { ...block, ...parameters });
    expect(json).toEqual({
      meeting_id: shared.meetingId,
      template_id: block.templateId,
      block: block.entityName,
      edited: true,
    });
    expect(await readBlock(block.templateId, block.entityName)).toBe(text);
  });

  it('takes no text away because an expression finds none', async () => {
    const block = await makeTemplate();
    await expect(run(editBlock, { ...block, newSummaryText: '' })).rejects.toMatchObject({
      code: 'bad_request',
      detail: 'New Text is empty: turn on Empty the Block where that is meant',
    });
    expect(await readBlock(block.templateId, block.entityName)).not.toBe('');
  });

  it.each<[NodeOperation, object, RegExp]>([
    [generate, { templateName: 'no-such-template' }, /^Check the template: Template: Get Many/],
    [editBlock, { templateId: 'sales-meeting' }, /^Check the template: it has to be one of this report/],
    [editBlock, { entityName: 'nope' }, /^Check the name of the block: Report: Get/],
  ])(
    'says which template or block there is not: $0.description.name %j',
    async (operation, given, advice) => {
      const block = await makeTemplate();
      const error = await run(operation, { ...block, newSummaryText: 'x', ...given }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ status: 404 });
      const node = createNodeContext().execute.getNode();
      expect(explainFailure(node, error).description).toMatch(advice);
    },
  );
});

describe('writeTranscript', () => {
  it('leaves out what is not known', () => {
    const segments = [
      { text: 'Good\nmorning', speaker: 'Ann', startSeconds: 3725.9 },
      { text: 'Hello', speaker: 'Bob' },
      { text: 'Noise', startSeconds: 0 },
    ];
    expect(writeTranscript(segments)).toBe('[01:02:05] Ann: Good morning\nBob: Hello\n[00:00:00] Noise');
  });
});
