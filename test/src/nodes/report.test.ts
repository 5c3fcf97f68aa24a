import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { NodeOperation } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { writeTranscript } from '../../../nodes/nodes/Aftermeet/actions/report.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';

const editBlock = findOperation('report', 'editBlock');
const generate = findOperation('report', 'generate');
const get = findOperation('report', 'get');

const sandbox = createSandbox({ seed: 1 });
let baseUrl = '';
let meetingId = '';
beforeAll(async () => {
  baseUrl = (await sandbox.listen()).url;
  meetingId = sandbox.seed({ meetings: 1, languages: ['en'], days: 1 }).meetingIds[0] ?? '';
});
afterAll(() => sandbox.close());

type Operation = NodeOperation;

async function run({ execute, description }: Operation, parameters: Readonly<Record<string, unknown>>) {
  const context = createNodeContext({ baseUrl, description, parameters: { meetingId, ...parameters } });
  const [item, ...others] = await execute(context.execute, 0);
  expect(others).toEqual([]);
  return { json: item?.json ?? {}, sent: context.requests };
}

/** A meeting that is still going on. */
async function startMeeting(): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/record-meeting`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox_key', 'content-type': 'application/json' },
    body: JSON.stringify({ link: `https://meet.example.com/${Math.random()}` }),
  });
  return ((await answer.json()) as { meeting_id: string }).meeting_id;
}

describe('Get', () => {
  it('returns what people ask for, and no transcript', async () => {
    const { json } = await run(get, {});
    expect(Object.keys(json)).toEqual([
      'meeting_id',
      'ready',
      'title',
      'startedAt',
      'durationSeconds',
      'source',
      'isTranscriptEmpty',
      'participants',
      'speakers',
      'summary',
      'decisions',
      'tasks',
      'keywords',
      'tags',
      'templates',
    ]);
    expect(json).toMatchObject({ meeting_id: meetingId, ready: true, isTranscriptEmpty: false });
    const { json: raw } = await run(get, { simplify: false });
    expect(JSON.stringify(json).length).toBeLessThan(JSON.stringify(raw).length / 2);
  });

  it('returns the transcript as text where it is wanted', async () => {
    const { json } = await run(get, { includeTranscript: true });
    expect(json['transcript']).toMatch(/^\[00:\d\d:\d\d\] [^:]+: \S/);
  });

  it('returns the answer as it came where nothing is to be simplified', async () => {
    const { json } = await run(get, { simplify: false });
    expect(json).toHaveProperty('followup_v2.chapters');
  });

  it.each(['text', 'json'] as const)('fails for a meeting that is not ready (%s)', async (notReadyAnswer) => {
    sandbox.options.set({ notReadyAnswer });
    const open = await startMeeting();
    await expect(run(get, { meetingId: open })).rejects.toMatchObject({
      code: 'not_ready',
      status: 202,
      detail: 'there is no report yet: recording',
    });
    expect((await run(get, { meetingId: open, whenNotReady: 'item' })).json).toEqual({
      meeting_id: open,
      ready: false,
      status: 'recording',
    });
  });

  it('fails for a meeting that there is not, also where what is not ready is an item', async () => {
    const wanted = { meetingId: 'nope', whenNotReady: 'item' };
    await expect(run(get, wanted)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('Generate', () => {
  it('returns the id for an edit, and the report where it is wanted', async () => {
    const { json, sent } = await run(generate, {
      templateName: { mode: 'list', value: 'sales-meeting' },
      includeReport: true,
    });
    expect(sent.map(({ body }) => body)).toEqual([
      JSON.stringify({ meeting_id: meetingId, template_name: 'sales-meeting' }),
    ]);
    expect(json).toMatchObject({
      meeting_id: meetingId,
      template_name: 'sales-meeting',
      created_template_id: expect.stringMatching(/^[\w-]{8,}$/),
      report: {
        meeting_id: meetingId,
        templates: expect.arrayContaining([expect.objectContaining({ name: 'sales-meeting' })]),
      },
    });
    expect((await run(generate, { templateName: 'team-sync' })).json).not.toHaveProperty('report');
  });

  it('wants a template before it sends anything', async () => {
    await expect(run(generate, {})).rejects.toMatchObject({ code: 'bad_request', unsent: true });
  });
});

describe('Edit Block', () => {
  async function makeTemplate(): Promise<{ templateId: unknown; entityName: string }> {
    const { json } = await run(generate, { templateName: 'sales-meeting', includeReport: true });
    return { templateId: json['created_template_id'], entityName: 'sales_general' };
  }

  async function readBlock(templateId: unknown, entityName: string): Promise<unknown> {
    const { json } = await run(get, { simplify: false });
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
    expect(json).toEqual({ meeting_id: meetingId, ...block, edited: true });
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

  it('says which template or block there is not', async () => {
    const block = await makeTemplate();
    await expect(
      run(editBlock, { ...block, newSummaryText: 'x', templateId: 'sales-meeting' }),
    ).rejects.toMatchObject({
      status: 404,
      detail: 'The report has no template with this id.',
    });
    await expect(run(editBlock, { ...block, newSummaryText: 'x', entityName: 'nope' })).rejects.toMatchObject(
      { status: 404 },
    );
  });
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
