import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, createClient, operationMethods } from '@aftermeet/client';
import { listOperations, type OperationId } from '@aftermeet/contract';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { runProgram } from '../../../packages/cli/src/program.ts';
import { operationCommands } from '../../../packages/cli/src/service/operations.ts';
import { type OperationRecorder, startOperationRecorder } from './operation-recorder.ts';

// Walks the contract's table: every operation must have a client method, a command, a route of the sandbox and an
// entry in the documents. The maps below do not compile while an operation is missing from them.

const API_KEY = 'sandbox_key';

/** What the calls work on: one meeting that is ready, one that is planned, a tag, a template of the report. */
interface Stage {
  readonly folder: string;
  readonly readyId: string;
  readonly plannedId: string;
  readonly tagId: string;
  readonly templateId: string;
}

const calls: Readonly<Record<OperationId, (client: Client, stage: Stage) => Promise<unknown>>> = {
  'recordings.start': (client) => client.recordings.start({ link: 'https://meet.example/by-method' }),
  'recordings.status': (client, { readyId }) => client.recordings.status(readyId),
  'recordings.stop': (client, { readyId }) => client.recordings.stop(readyId),
  'recordings.cancel': (client, { plannedId }) => client.recordings.cancel(plannedId),
  'uploads.chunk': (client) =>
    client.uploads.send({ bytes: Buffer.from('fLaC\0by method'), filename: 'method.mp3' }),
  'reports.get': (client, { readyId }) => client.reports.get(readyId),
  'reports.generate': (client, { readyId }) =>
    client.reports.generate({ meetingId: readyId, templateName: 'team-sync' }),
  'reports.editBlock': (client, { readyId, templateId }) =>
    client.reports.editBlock({
      meetingId: readyId,
      templateId,
      entityName: 'summary',
      newSummaryText: 'By method.',
    }),
  'templates.list': (client) => client.templates.list(),
  'exports.download': (client, { readyId, folder }) =>
    client.exports.download({ meetingId: readyId, format: 'md' }, join(folder, 'method.md')),
  'meetings.search': async (client) => {
    for await (const page of client.meetings.search({ q: 'a' })) if (page.items.length > 0) return page;
    throw new Error('The search found nothing.');
  },
  'tags.list': (client) => client.tags.list(),
  'tags.create': (client) => client.tags.create({ name: 'By method', color: 'teal' }),
  'tags.attach': (client, { readyId, tagId }) => client.tags.attach({ meetingId: readyId, tagId: tagId }),
  'tags.detach': (client, { readyId, tagId }) => client.tags.detach({ meetingId: readyId, tagId: tagId }),
};

const commands: Readonly<Record<OperationId, (stage: Stage) => readonly string[]>> = {
  'recordings.start': () => ['record', 'https://meet.example/by-command'],
  'recordings.status': ({ readyId }) => ['status', readyId],
  'recordings.stop': ({ readyId }) => ['stop', readyId],
  'recordings.cancel': ({ plannedId }) => ['cancel', plannedId],
  'uploads.chunk': ({ folder }) => ['upload', join(folder, 'command.mp3')],
  'reports.get': ({ readyId }) => ['report', 'get', readyId],
  'reports.generate': ({ readyId }) => ['report', 'generate', readyId, 'team-sync'],
  'reports.editBlock': ({ readyId, templateId }) => [
    'report',
    'edit',
    readyId,
    '--template-id',
    templateId,
    '--block',
    'summary',
    '--text',
    'By command.',
  ],
  'templates.list': () => ['templates'],
  'exports.download': ({ readyId, folder }) => [
    'export',
    readyId,
    '--format',
    'md',
    '--output',
    join(folder, 'command.md'),
  ],
  'meetings.search': () => ['search', 'a'],
  'tags.list': () => ['tags', 'list'],
  'tags.create': () => ['tags', 'create', 'By command', '--color', 'red'],
  'tags.attach': ({ readyId, tagId }) => ['tags', 'attach', readyId, tagId],
  'tags.detach': ({ readyId, tagId }) => ['tags', 'detach', readyId, tagId],
};

let sandbox: Sandbox;
let recorder: OperationRecorder;
let client: Client;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-operations-'));
  await writeFile(join(folder, 'command.mp3'), 'fLaC\0by command');
  sandbox = createSandbox({ apiKey: API_KEY });
  recorder = await startOperationRecorder((await sandbox.listen()).url);
  client = createClient({ baseUrl: recorder.url, apiKey: API_KEY, retries: 0 });
});

afterAll(async () => {
  recorder.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Meetings of its own for every call, so that their order is free. */
async function setStage(name: string): Promise<Stage> {
  const ready = await client.recordings.start({ link: `https://meet.example/ready-${name}` });
  sandbox.completeMeeting(ready.meetingId);
  const planned = await client.recordings.start({
    link: `https://meet.example/planned-${name}`,
    localDateTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const answer = await client.reports.get(ready.meetingId);
  const templateId = answer.ready ? answer.report.templates[0]?.id : undefined;
  if (templateId === undefined) throw new Error('The report has no template.');
  const { id: tagId } = await client.tags.create({ name: name.slice(0, 24), color: 'blue' });
  recorder.forget();
  return { folder, readyId: ready.meetingId, plannedId: planned.meetingId, tagId, templateId };
}

async function runCommand(words: readonly string[]) {
  let stdout = '';
  let stderr = '';
  const code = await runProgram(words, {
    environment: { SERVICE_BASE_URL: recorder.url, SERVICE_API_KEY: API_KEY, XDG_STATE_HOME: folder },
    isTerminal: false,
    write: (text) => {
      stdout += text;
    },
    writeError: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

const ids = listOperations().map(({ id }) => id);

describe('the maps of this test and of the packages', () => {
  it.each([
    ['calls', calls],
    ['commands', commands],
    ['operationMethods', operationMethods],
    ['operationCommands', operationCommands],
  ])('%s names every operation of the table and no other', (_name, map) => {
    expect(Object.keys(map).toSorted()).toStrictEqual(ids.toSorted());
  });

  it('names a method that the client has', () => {
    for (const path of Object.values(operationMethods)) {
      const found = path
        .split('.')
        .reduce<unknown>((value, name) => z.record(z.string(), z.unknown()).parse(value)[name], client);
      expect(typeof found, path).toBe('function');
    }
  });
});

describe.each(Object.entries(calls))('%s', (id, call) => {
  const stageName = id.replace('.', '-');

  it('is what the client method sends and the sandbox handles', async () => {
    const stage = await setStage(`m-${stageName}`);
    await call(client, stage);
    expect(recorder.seen()).toContainEqual({ id, ok: true });
  });

  it('is what the command sends, with one JSON value on stdout', async () => {
    const stage = await setStage(`c-${stageName}`);
    const command = Object.entries(commands).find(([name]) => name === id)?.[1] ?? (() => []);
    const run = await runCommand([...command(stage), '--json']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(() => void JSON.parse(run.stdout)).not.toThrow();
    expect(recorder.seen()).toContainEqual({ id, ok: true });
  });

  it('has an entry in docs/operations.md and docs/openapi.json', async () => {
    const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
    const page = await readFile(join(docs, 'operations.md'), 'utf8');
    expect(page).toMatch(new RegExp(String.raw`^#+ .*${id.replace('.', String.raw`\.`)}`, 'm'));
    const operation = listOperations().find((entry) => entry.id === id);
    const document: unknown = JSON.parse(await readFile(join(docs, 'openapi.json'), 'utf8'));
    expect(document).toMatchObject({
      paths: { [operation?.path ?? '']: { [(operation?.method ?? '').toLowerCase()]: {} } },
    });
  });
});

it('the MCP endpoint has client methods and commands too', async () => {
  const { items } = await client.mcp.listTools();
  expect(items.map(({ name }) => name)).toContain('search_meetings');
  expect((await client.mcp.callTool('search_meetings', {})).isError).toBe(false);
  const listed = await runCommand(['mcp', 'tools', '--json']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  const called = await runCommand(['mcp', 'call', 'search_meetings', '--json']);
  expect(called).toMatchObject({ code: 0, stderr: '' });
});
