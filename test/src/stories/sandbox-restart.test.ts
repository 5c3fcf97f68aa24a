import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { makeTemporaryFolder, startScript } from '../support/index.ts';
import { waitFor } from './wait-for.ts';

const firstKey = 'sandbox_key';
const newKey = 'sandbox_another_key';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface House {
  readonly call: (key: string, method: string, path: string, body?: object) => Promise<Answer>;
  readonly post: (key: string, form: Response, isCut?: boolean) => Promise<Answer>;
  readonly kill: () => Promise<void>;
}

async function start(data: string): Promise<House> {
  const script = await startScript('sandbox-process', [data]);
  onTestFinished(() => script.kill('SIGKILL'));
  const url = (await script.nextLine('listening')).split(' ')[1] ?? '';
  const ask = async (address: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + address, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  return {
    call: (key, method, address, body) =>
      ask(address, {
        method,
        headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async post(key, form, isCut = false) {
      const headers = { 'X-API-KEY': key, 'Content-Type': form.headers.get('content-type') ?? '' };
      const bytes = Buffer.from(await form.arrayBuffer());
      const body = isCut ? sendHalf(bytes) : bytes;
      return ask('/api/video', { method: 'POST', headers, body, duplex: 'half' });
    },
    async kill() {
      script.kill('SIGKILL');
      await script.ended;
    },
  };
}

async function* sendHalf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  await pause(60_000, undefined, { ref: false });
}

const parts = [randomBytes(3_000_000), randomBytes(2_500_000)];
const identity = {
  id: randomUUID(),
  upload_session_id: randomUUID(),
  chunk_total: '3',
  filename: 'call.mp4',
};

/** The request of a chunk; the one after the last is empty. */
function makeForm(number: number): Response {
  const form = new FormData();
  const fields = { ...identity, chunk_number: String(number), expected_file_size: '5500000' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const whole = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  form.set('expected_sha256', whole);
  form.set('file', new Blob([parts[number] ?? Buffer.alloc(0)]), 'call.mp4');
  return new Response(form);
}

const madeSchema = z.object({ meeting_id: z.string() });
const tagSchema = z.object({ tag: z.object({ id: z.string() }) });
const reportSchema = z.object({
  followup_v2: z.object({ templates: z.array(z.object({ id: z.string() })).min(1) }),
});
const tagListSchema = z.object({ tags: z.array(z.object({ name: z.string() })) });

it('a sandbox killed with SIGKILL has everything that it answered when it starts again', async () => {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => {
    folder.remove();
  });
  const data = path.join(folder.path, 'data');
  const countFiles = async (): Promise<number> => (await readdir(path.join(data, 'uploads'))).length;
  const tags = '/api/workspaces/active/tags';

  const doomed = await start(data);
  const ask = (method: string, address: string, body?: object) =>
    doomed.call(firstKey, method, address, body);
  const recording = await ask('POST', '/api/record-meeting', {
    link: 'https://meet.example.com/a',
    title: 'Kept',
  });
  const { meeting_id: meetingId } = madeSchema.parse(recording.body);
  await ask('POST', `/_sandbox/meetings/${meetingId}/complete`);
  const tagId = tagSchema.parse((await ask('POST', tags, { name: 'Kept', color: 'red' })).body).tag.id;
  await ask('PUT', `/api/workspaces/active/meetings/${meetingId}/tags/${tagId}`);
  const report = reportSchema.parse((await ask('GET', `/api/video/report?meeting_id=${meetingId}`)).body);
  const edit = {
    templateId: report.followup_v2.templates[0]?.id,
    entityName: 'summary',
    newSummaryText: 'Rewritten by hand.',
  };
  expect(await ask('PUT', `/api/meeting/${meetingId}/summary`, edit)).toMatchObject({ status: 200 });
  expect(await doomed.post(firstKey, makeForm(0))).toMatchObject({ status: 200 });
  await ask('POST', '/_sandbox/key', { key: newKey });

  // It dies with a chunk under way, and between two of many answers.
  const broken = doomed.post(newKey, makeForm(1), true).then(String, String);
  await waitFor('half a chunk', async () => ((await countFiles()) === 2 ? true : undefined), 10_000);
  const answered: string[] = [];
  const creating = (async () => {
    for (;;) {
      const name = `Tag ${String(answered.length)}`;
      await doomed.call(newKey, 'POST', tags, { name, color: 'blue' });
      answered.push(name);
      if (answered.length === 20) void doomed.kill();
    }
  })();
  await expect(creating).rejects.toThrow('fetch failed');
  expect(await broken).toContain('fetch failed');
  expect(await countFiles()).toBe(2);

  const heir = await start(data);
  expect(await heir.call(firstKey, 'GET', tags)).toMatchObject({ status: 401 });
  const again = (method: string, address: string) => heir.call(newKey, method, address);
  const names = tagListSchema.parse((await again('GET', tags)).body).tags.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Kept', ...answered]));
  expect((await again('GET', `/api/workspaces/active/meetings/search?tagIds=${tagId}`)).body).toMatchObject({
    total: 1,
    followups: [{ id: meetingId, name: 'Kept' }],
  });
  const kept = await again('GET', `/api/video/report?meeting_id=${meetingId}`);
  expect(JSON.stringify(kept.body)).toContain('Rewritten by hand.');

  expect(await countFiles()).toBe(1);
  expect(await heir.post(newKey, makeForm(2))).toMatchObject({ status: 409, body: { missing_chunks: [1] } });
  expect(await heir.post(newKey, makeForm(1))).toMatchObject({ status: 200 });
  expect(await heir.post(newKey, makeForm(2))).toMatchObject({
    status: 200,
    body: { user_id: expect.any(String) },
  });
  expect(await countFiles()).toBe(0);
});
