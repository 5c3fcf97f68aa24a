import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { SandboxOptions } from './sandbox-options.ts';
import { makeTestFolder } from './testing/files.ts';
import { startTestSandbox, type TestSandbox } from './testing/sandbox.ts';
import { makeChunkBody, multipartType, type TestChunk } from './testing/uploads.ts';

let root: string;
let service: TestSandbox;

beforeEach(async () => {
  root = makeTestFolder();
  service = await startTestSandbox({ data: root });
});

afterEach(async () => {
  await service.sandbox.close();
  rmSync(root, { recursive: true });
});

async function restart(options: SandboxOptions = {}): Promise<void> {
  await service.sandbox.close();
  service = await startTestSandbox({ data: root, ...options });
}

const parts = [Buffer.from('one '), Buffer.from('two '), Buffer.from('three')];
const whole = 'one two three';
const sha256 = createHash('sha256').update(whole).digest('hex');

async function send(number: number, extra: Partial<TestChunk> = {}) {
  const response = await fetch(`${service.url}/api/video`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
    body: makeChunkBody({ number, total: 4, size: 13, bytes: parts[number] ?? Buffer.alloc(0), ...extra }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const listFiles = () => readdirSync(join(root, 'uploads'));

/** What a client reads of the state. */
async function readAll(meetingId: string): Promise<readonly unknown[]> {
  const paths = [
    '/api/workspaces/active/meetings/search',
    '/api/workspaces/active/tags',
    `/api/video/report?meeting_id=${meetingId}`,
    `/api/meeting/status?meeting_id=${meetingId}`,
  ];
  return Promise.all(paths.map((path) => service.call('GET', path)));
}

describe('after a restart', () => {
  it('meetings, tags and edits of reports are the same', async () => {
    const meetingId = await service.holdMeeting({ title: 'Saved' });
    await service.holdMeeting({ title: 'Another' });
    const { body } = await service.call('POST', '/api/workspaces/active/tags', {
      name: 'Sales',
      color: 'red',
    });
    const tagId = (body as { tag: { id: string } }).tag.id;
    await service.call('PUT', `/api/workspaces/active/meetings/${meetingId}/tags/${tagId}`);
    const report = (await service.call('GET', `/api/video/report?meeting_id=${meetingId}`)).body;
    const { followup_v2: followup } = report as { followup_v2: { templates: readonly { id: string }[] } };
    await service.call('PUT', `/api/meeting/${meetingId}/summary`, {
      templateId: followup.templates[0]?.id,
      entityName: 'summary',
      newSummaryText: 'Rewritten by hand.',
    });
    const before = await readAll(meetingId);
    expect(JSON.stringify(before)).toContain('Rewritten by hand.');
    await restart();
    expect(await readAll(meetingId)).toEqual(before);
    expect(await service.call('POST', '/api/workspaces/active/tags', { name: 'SALES' })).toMatchObject({
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
    const first = await record(service, 'a');
    await restart();
    expect([first, await record(service, 'b')]).toEqual(expected);
    expect(first).not.toEqual(expected[1]);
  });

  it('a reset stays in force', async () => {
    const meetingId = await service.holdMeeting();
    await send(0);
    service.sandbox.reset();
    expect(service.sandbox.uploads()).toEqual([]);
    await restart();
    expect(await service.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toMatchObject({
      status: 404,
    });
    expect(service.sandbox.uploads()).toEqual([]);
    expect(listFiles()).toEqual([]);
  });
});

describe('an upload over a restart', () => {
  it('goes on with the chunks that are missing', async () => {
    await send(2);
    await send(0, { fields: { title: 'Said once' } });
    const before = service.sandbox.uploads();
    await restart();
    expect(service.sandbox.uploads()).toEqual(before);
    expect(listFiles()).toHaveLength(2);
    expect(await send(3)).toMatchObject({ status: 409, body: { missing_chunks: [1] } });
    await send(1);
    const { status } = await send(3, { fields: { expected_sha256: sha256 } });
    expect(status).toBe(200);
    expect((await service.call('GET', '/api/workspaces/active/meetings/search')).body).toMatchObject({
      followups: [{ name: 'Said once' }],
    });
    expect(listFiles()).toEqual([]);
  });

  it('is answered again as it was, and its content is known again', async () => {
    for (const number of [0, 1, 2]) await send(number);
    const done = await send(3);
    const before = service.sandbox.uploads();
    expect(before).toMatchObject([{ chunks: [0, 1, 2], bytes: 13, sha256 }]);
    await restart();
    expect(service.sandbox.uploads()).toEqual(before);
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
    expect(service.sandbox.uploads()).toMatchObject([{ chunks: [1] }]);
  });

  it('misses chunks whose files are gone or cut, and leaves no other file', async () => {
    for (const number of [0, 1, 2]) await send(number);
    const files = listFiles();
    await service.sandbox.close();
    rmSync(join(root, 'uploads', files[0] ?? ''));
    truncateSync(join(root, 'uploads', files[1] ?? ''), 1);
    appendFileSync(join(root, 'uploads', 'unknown.part'), 'half a chunk');
    appendFileSync(join(root, 'uploads', 'mine.txt'), 'not a chunk');
    service = await startTestSandbox({ data: root });
    expect(listFiles().toSorted()).toEqual([files[2], 'mine.txt'].toSorted());
    expect(service.sandbox.uploads()[0]?.chunks).toHaveLength(1);
  });

  it('is removed after a day of the sandbox without a request', async () => {
    await send(0);
    service.sandbox.clock.advance(23 * 3_600_000);
    await restart();
    expect(listFiles()).toHaveLength(1);
    service.sandbox.clock.advance(3_600_000);
    await vi.waitFor(() => {
      expect(listFiles()).toEqual([]);
    });
    expect(service.sandbox.uploads()).toEqual([]);
    await restart();
  });
});
