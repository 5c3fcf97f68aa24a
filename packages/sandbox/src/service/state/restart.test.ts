import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { makeChunkBody, multipartType, type TestChunk } from '../../testing/multipart.ts';
import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { DataFolderError } from './data-folder-error.ts';

let root: string;
let house: TestSandbox;

beforeEach(async () => {
  root = makeTestFolder();
  house = await startTestSandbox({ data: root });
});

afterEach(async () => {
  await house.sandbox.close();
  rmSync(root, { recursive: true });
});

async function restart(options: SandboxOptions = {}): Promise<void> {
  await house.sandbox.close();
  house = await startTestSandbox({ data: root, ...options });
}

const parts = [Buffer.from('one '), Buffer.from('two '), Buffer.from('three')];
const whole = 'one two three';
const sha256 = createHash('sha256').update(whole).digest('hex');

async function send(number: number, extra: Partial<TestChunk> = {}) {
  const response = await fetch(`${house.url}/api/video`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
    body: makeChunkBody({ number, total: 4, size: 13, bytes: parts[number] ?? Buffer.alloc(0), ...extra }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const readState = () => readFileSync(join(root, 'state.jsonl'), 'utf8');
const listFiles = () => readdirSync(join(root, 'uploads'));

/** What a client reads of the state. */
async function readAll(meetingId: string): Promise<readonly unknown[]> {
  const paths = [
    '/api/workspaces/active/meetings/search',
    '/api/workspaces/active/tags',
    `/api/video/report?meeting_id=${meetingId}`,
    `/api/meeting/status?meeting_id=${meetingId}`,
  ];
  return Promise.all(paths.map((path) => house.call('GET', path)));
}

describe('after a restart', () => {
  it('the clock runs or stands as it did, and an older folder’s lead is kept', async () => {
    house.sandbox.clock.change({ timeScale: 10, isFrozen: true });
    const frozen = house.sandbox.clock.describe();
    await restart();
    expect(house.sandbox.clock.describe()).toEqual({ ...frozen, timeScale: 10, isFrozen: true });
    await restart({ timeScale: 2 });
    expect(house.sandbox.clock.describe()).toMatchObject({ timeScale: 2, isFrozen: true });
    house.sandbox.reset();
    await house.sandbox.close();
    appendFileSync(join(root, 'state.jsonl'), '{"put":"clock","key":"value","value":60000}\n');
    house = await startTestSandbox({ data: root });
    expect(house.sandbox.clock.describe()).toEqual({
      nowMs: frozen.nowMs + 60_000,
      timeScale: 1,
      isFrozen: false,
    });
  });

  it('meetings, tags and edits of reports are the same', async () => {
    const meetingId = await house.holdMeeting({ title: 'Kept' });
    await house.holdMeeting({ title: 'Another' });
    const { body } = await house.call('POST', '/api/workspaces/active/tags', { name: 'Sales', color: 'red' });
    const tagId = (body as { tag: { id: string } }).tag.id;
    await house.call('PUT', `/api/workspaces/active/meetings/${meetingId}/tags/${tagId}`);
    const report = (await house.call('GET', `/api/video/report?meeting_id=${meetingId}`)).body;
    const { followup_v2: followup } = report as { followup_v2: { templates: readonly { id: string }[] } };
    await house.call('PUT', `/api/meeting/${meetingId}/summary`, {
      templateId: followup.templates[0]?.id,
      entityName: 'summary',
      newSummaryText: 'Rewritten by hand.',
    });
    const before = await readAll(meetingId);
    expect(JSON.stringify(before)).toContain('Rewritten by hand.');
    await restart();
    expect(await readAll(meetingId)).toEqual(before);
    expect(await house.call('POST', '/api/workspaces/active/tags', { name: 'SALES' })).toMatchObject({
      status: 409,
    });
  });

  it('no id is made twice, and the sequence of a seed goes on', async () => {
    const control = await startTestSandbox();
    const record = async ({ call }: TestSandbox, name: string) => {
      const { status, body } = await call('POST', '/api/record-meeting', {
        link: `https://meet.example.com/${name}`,
      });
      expect(status).toBe(200);
      return body;
    };
    const expected = [await record(control, 'a'), await record(control, 'b')];
    await control.sandbox.close();
    const first = await record(house, 'a');
    await restart();
    expect([first, await record(house, 'b')]).toEqual(expected);
    expect(first).not.toEqual(expected[1]);
  });

  it('nothing of what a reset forgot is there', async () => {
    const meetingId = await house.holdMeeting();
    await send(0);
    house.sandbox.reset();
    expect(house.sandbox.uploads()).toEqual([]);
    await restart();
    expect(await house.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toMatchObject({
      status: 404,
    });
    expect(house.sandbox.uploads()).toEqual([]);
    expect(listFiles()).toEqual([]);
  });

  it('a second sandbox has to wait until the first is closed', () => {
    expect(() => createSandbox({ data: root })).toThrow(DataFolderError);
  });

  it('a folder that could not be used is free again', async () => {
    await house.sandbox.close();
    const state = join(root, 'state.jsonl');
    const good = readFileSync(state, 'utf8');
    appendFileSync(state, '{"put":"meetings","key":"a","value":{"id":"a"}}\n');
    expect(() => createSandbox({ data: root })).toThrow(/state\.jsonl holds meetings a in a form/);
    truncateSync(state, good.length);
    house = await startTestSandbox({ data: root });
    expect(readdirSync(root)).toContain('lock');
  });
});

describe('an upload over a restart', () => {
  it('goes on with the chunks that are missing', async () => {
    await send(2);
    await send(0, { fields: { title: 'Said once' } });
    const before = house.sandbox.uploads();
    await restart();
    expect(house.sandbox.uploads()).toEqual(before);
    expect(listFiles()).toHaveLength(2);
    expect(await send(3)).toMatchObject({ status: 409, body: { missing_chunks: [1] } });
    await send(1);
    const { status } = await send(3, { fields: { expected_sha256: sha256 } });
    expect(status).toBe(200);
    expect((await house.call('GET', '/api/workspaces/active/meetings/search')).body).toMatchObject({
      followups: [{ name: 'Said once' }],
    });
    expect(listFiles()).toEqual([]);
  });

  it('is answered again as it was, and its content is known again', async () => {
    for (const number of [0, 1, 2]) await send(number);
    const done = await send(3);
    const before = house.sandbox.uploads();
    expect(before).toMatchObject([{ chunks: [0, 1, 2], bytes: 13, sha256 }]);
    await restart();
    expect(readState()).not.toContain('chunks of');
    expect(house.sandbox.uploads()).toEqual(before);
    expect(await send(3)).toEqual(done);
    const fields = { id: '44444444-4444-4444-8444-444444444444' };
    for (const number of [0, 1, 2]) await send(number, { fields });
    expect((await send(3, { fields })).body).toEqual({ ...done.body, duplicate: true });
  });

  it('is not gone on with under a session that was replaced', async () => {
    await send(0);
    const fields = { upload_session_id: '33333333-3333-4333-8333-333333333333' };
    await send(1, { fields });
    await restart();
    expect(await send(1)).toMatchObject({ status: 409, body: { code: 'UPLOAD_SESSION_REPLACED' } });
    expect(house.sandbox.uploads()).toMatchObject([{ chunks: [1] }]);
  });

  it('misses chunks whose files are gone or cut, and leaves no other file', async () => {
    for (const number of [0, 1, 2]) await send(number);
    const files = listFiles();
    await house.sandbox.close();
    rmSync(join(root, 'uploads', files[0] ?? ''));
    truncateSync(join(root, 'uploads', files[1] ?? ''), 1);
    appendFileSync(join(root, 'uploads', 'unknown.part'), 'half a chunk');
    appendFileSync(join(root, 'uploads', 'mine.txt'), 'not a chunk');
    house = await startTestSandbox({ data: root });
    expect(listFiles().toSorted()).toEqual([files[2], 'mine.txt'].toSorted());
    expect(house.sandbox.uploads()[0]?.chunks).toHaveLength(1);
  });

  it('is forgotten when nobody goes on with it, counted in the time of the sandbox', async () => {
    await send(0);
    house.sandbox.clock.advance(23 * 3_600_000);
    await restart();
    expect(listFiles()).toHaveLength(1);
    house.sandbox.clock.advance(3_600_000);
    await vi.waitFor(() => {
      expect(listFiles()).toEqual([]);
    });
    expect(house.sandbox.uploads()).toEqual([]);
    await restart();
    expect(readState()).not.toContain('chunks of');
  });
});

it('whoever calls is told that the state cannot be kept any more', async () => {
  writeFileSync(join(root, 'lock'), '{}');
  const record = async (number: number) => {
    const link = `https://meet.example/${String(number)}`;
    return house.call('POST', '/api/record-meeting', { link, title: 'x'.repeat(250_000) });
  };
  const answers = [await record(1), await record(2), await record(3), await record(4), await record(5)];
  const refusal = {
    status: 500,
    body: {
      code: 'STORAGE_FAILED',
      message: expect.stringMatching(/state\.jsonl was taken over by another process/) as string,
    },
  };
  expect(answers.at(-1)).toMatchObject(refusal);
  expect(await house.call('POST', '/_sandbox/reset')).toMatchObject(refusal);
});
