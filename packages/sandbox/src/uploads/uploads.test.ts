import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../testing/sandbox.ts';
import {
  makeChunkBody,
  makeMultipart,
  multipartType,
  sessionId,
  type TestChunk,
  uploadId,
} from '../testing/uploads.ts';

const otherSession = '33333333-3333-4333-8333-333333333333';
const otherUpload = '44444444-4444-4444-8444-444444444444';
const userId = '5f3c9a1e-2b74-4d86-8e10-7a9d4c6b2f51';

let service: TestSandbox;
let temporary: string;

beforeEach(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'aftermeet-test-'));
  vi.stubEnv('TMPDIR', temporary);
  service = await startTestSandbox();
});

afterEach(async () => {
  await service.sandbox.close();
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

/** Every file that the sandbox holds on disk. */
function listFiles(): readonly string[] {
  return readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.part'),
  );
}

/** Waits for what the disk shows only a moment later. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

async function post(body: Uint8Array, contentType = multipartType) {
  const response = await fetch(`${service.url}/api/video`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': contentType },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const parts = [Buffer.from('one '), Buffer.from('two '), Buffer.from('three')];
const size = 13;
const total = 4;
const sha256 = createHash('sha256').update('one two three').digest('hex');

/** The data chunks one after the other, then the answer to the final request. */
async function sendAll(extra: Partial<TestChunk> = {}) {
  for (const number of [0, 1, 2]) await send(number, extra);
  return send(3, extra);
}

const countMeetings = async () =>
  ((await service.call('GET', '/api/workspaces/active/meetings/search')).body as { total: number }).total;

const send = (number: number, extra: Partial<TestChunk> = {}) =>
  post(makeChunkBody({ number, total, size, bytes: parts[number] ?? Buffer.alloc(0), ...extra }));

describe('an upload', () => {
  it('becomes a meeting when its last, empty chunk arrives', async () => {
    for (const number of [0, 1, 2]) {
      expect(await send(number)).toEqual({ status: 200, body: { accepted: number } });
    }
    const fields = { title: 'Sales call', expected_sha256: sha256 };
    const { status, body } = await send(3, { fields });
    expect([status, body]).toEqual([200, { meeting_id: expect.any(String) as string, user_id: userId }]);
    const meetingId = String(body['meeting_id']);
    expect(await service.readStatus(meetingId)).toBe('processing');
    service.sandbox.completeMeeting(meetingId);
    expect((await service.readReport(meetingId)).body).toMatchObject({
      followup_v2: { name: 'Sales call', source: 'upload', date: '2026-07-07T12:00:00.000Z' },
    });
    expect(service.sandbox.uploads()).toEqual([
      {
        id: uploadId,
        upload_session_id: sessionId,
        filename: 'call.mp3',
        chunk_total: 4,
        chunks: [0, 1, 2],
        requests: 4,
        bytes: 13,
        sha256,
        meeting_id: meetingId,
      },
    ]);
    expect(listFiles()).toEqual([]);
  });

  it('takes its name from the file when it has no title, and its time from localTime', async () => {
    const { body } = await sendAll({ fields: { localTime: '2026-07-01T09:30+02:00' } });
    expect((await service.call('GET', '/api/workspaces/active/meetings/search')).body).toMatchObject({
      followups: [{ id: body['meeting_id'], name: 'call.mp3', date: '2026-07-01T09:30+02:00' }],
    });
  });

  it('sends its event to the address that came with it', async () => {
    const fields = { webhook_url: 'http://127.0.0.1:9/hooks', webhook_secret: 'a-secret-of-enough-length' };
    const meetingId = String((await sendAll({ fields })).body['meeting_id']);
    service.sandbox.completeMeeting(meetingId);
    expect(service.sandbox.deliveries()).toMatchObject([{ meetingId, isSigned: true }]);
  });

  it('takes its chunks in any order, fields before or after the file', async () => {
    await send(2, { fileFirst: true });
    await send(0);
    await send(1, { fileFirst: true });
    expect((await send(3, { fields: { expected_sha256: sha256 }, fileFirst: true })).status).toBe(200);
  });

  it('takes three chunks at once', async () => {
    const big = [0, 1, 2].map((number) => Buffer.alloc(1_500_000, number + 1));
    const answers = await Promise.all(big.map((bytes, number) => send(number, { bytes, size: 4_500_000 })));
    expect(answers.map(({ body }) => body)).toEqual([{ accepted: 0 }, { accepted: 1 }, { accepted: 2 }]);
    const expected = createHash('sha256').update(Buffer.concat(big)).digest('hex');
    const final = await send(3, { size: 4_500_000, fields: { expected_sha256: expected } });
    expect(final.status).toBe(200);
  });

  it('takes a chunk twice, and the final request again with the same answer', async () => {
    await send(0, { bytes: Buffer.from('ONE ') });
    for (const number of [0, 1, 2, 1]) await send(number);
    const first = await send(3, { fields: { expected_sha256: sha256 } });
    expect(await send(3)).toEqual(first);
    expect(await send(1)).toEqual({ status: 200, body: { accepted: 1 } });
    expect(service.sandbox.uploads()).toMatchObject([{ chunks: [0, 1, 2], requests: 8, bytes: 13 }]);
    expect(first.body).not.toHaveProperty('duplicate');
    expect(listFiles()).toEqual([]);
  });

  it('makes one meeting of two final requests at once', async () => {
    for (const number of [0, 1, 2]) await send(number);
    const [one, other] = await Promise.all([send(3), send(3)]);
    expect(one).toEqual(other);
    expect(await countMeetings()).toBe(1);
  });

  it('may hold a chunk of exactly 20 MiB, and none that is larger', async () => {
    const most = Buffer.alloc(20 * 1024 ** 2, 7);
    const single = { total: 2, size: most.length };
    expect(await send(0, { ...single, bytes: most })).toEqual({ status: 200, body: { accepted: 0 } });
    const more = Buffer.concat([most, Buffer.from('x')]);
    expect(await send(0, { ...single, size: more.length, bytes: more })).toEqual({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        message: 'file must be at most 20971520 bytes (20 MiB); found 20971521 bytes',
        field: 'file',
      },
    });
    expect((await send(1, { ...single, bytes: Buffer.alloc(0) })).status).toBe(200);
  });
});

it('the same content is known under another upload id, and processed again when it failed', async () => {
  const { body } = await sendAll();
  const meetingId = String(body['meeting_id']);
  const again = { fields: { id: otherUpload, upload_session_id: otherSession } };
  expect(await sendAll(again)).toEqual({
    status: 200,
    body: { meeting_id: meetingId, user_id: userId, duplicate: true },
  });
  expect(await countMeetings()).toBe(1);
  service.sandbox.failMeeting(meetingId);
  const third = { fields: { id: randomUUID(), upload_session_id: randomUUID() } };
  const anew = await sendAll(third);
  expect(anew.body['meeting_id']).not.toBe(meetingId);
  expect(anew.body).not.toHaveProperty('duplicate');
});

it('a new session of the same upload starts over, and the old one is refused from then on', async () => {
  const fields = { upload_session_id: otherSession };
  for (const number of [0, 1]) await send(number);
  await send(2, { fields });
  expect(service.sandbox.uploads()).toMatchObject([
    { upload_session_id: otherSession, chunks: [2], requests: 1, bytes: 5 },
  ]);
  expect(await send(2)).toMatchObject({ status: 409, body: { code: 'UPLOAD_SESSION_REPLACED' } });
  expect(await send(3, { fields })).toMatchObject({ status: 409, body: { missing_chunks: [0, 1] } });
  await soon(() => expect(listFiles()).toHaveLength(1));
  service.sandbox.reset();
  expect((await send(2)).status).toBe(200);
});

describe('a refused completion', () => {
  it('names the missing chunks, and is taken once they are there', async () => {
    await send(1);
    expect(await send(3)).toEqual({
      status: 409,
      body: {
        code: 'CHUNKS_MISSING',
        message: 'Chunks are missing: 0, 2. Send them, and the final request again.',
        field: 'chunk_number',
        missing_chunks: [0, 2],
      },
    });
    await send(0);
    await send(2);
    expect((await send(3)).status).toBe(200);
  });

  it('names at most twenty, for any chunk_total', async () => {
    const many = { total: 3_000_000_000, size: 2_999_999_999 };
    await send(0, many);
    const { body } = await send(2_999_999_999, many);
    expect(body['missing_chunks']).toHaveLength(20);
    expect(body['message']).toContain('20 and 2999999978 more.');
  });

  it('says which size is wrong', async () => {
    const message = 'The chunks hold 13 bytes, and expected_file_size is 14.';
    expect(await sendAll({ size: 14 })).toEqual({
      status: 400,
      body: { code: 'FILE_SIZE_MISMATCH', message, field: 'expected_file_size' },
    });
  });

  it('says that the hash is wrong, and takes the right chunk after it', async () => {
    await send(0, { bytes: Buffer.from('One ') });
    for (const number of [1, 2]) await send(number);
    const final = { fields: { expected_sha256: sha256 } };
    expect(await send(3, final)).toMatchObject({
      status: 400,
      body: { code: 'FILE_HASH_MISMATCH', field: 'expected_sha256' },
    });
    await send(0);
    expect((await send(3, final)).status).toBe(200);
  });
});

describe('a chunk that is wrong', () => {
  it.each<[string, Partial<TestChunk>, string, string]>([
    ['has no id', { fields: { id: undefined } }, 'id', 'must be a UUID'],
    ['has a number that is none', { fields: { chunk_number: 'first' } }, 'chunk_number', 'a whole number'],
    [
      'has too high a number',
      { fields: { chunk_number: '4' } },
      'chunk_number',
      'smaller than the number of chunks',
    ],
    ['is empty', { bytes: Buffer.alloc(0) }, 'file', 'must be empty in the last chunk and in no other'],
    ['has one field too many', { fields: { more: '1' } }, 'more', 'not a field of uploads.chunk'],
    ['has a short secret', { fields: { webhook_secret: 'short' } }, 'webhook_secret', '16 to 128'],
    ['has size 0', { fields: { expected_file_size: '0' } }, 'expected_file_size', 'a whole number'],
  ])('%s', async (_name, chunk, field, rule) => {
    expect(await send(0, chunk)).toEqual({
      status: 400,
      body: { code: 'INVALID_REQUEST', field, message: expect.stringContaining(rule) as string },
    });
    expect(service.sandbox.uploads()).toEqual([]);
    expect(listFiles()).toEqual([]);
  });

  it('is the last one and has bytes, or has another chunk_total than the first', async () => {
    const last = await send(3, { bytes: Buffer.from('x') });
    expect(last).toMatchObject({ status: 400, body: { field: 'file' } });
    await send(0);
    expect(await send(1, { total: 5 })).toMatchObject({ status: 400, body: { field: 'chunk_total' } });
  });

  it.each<[string, Parameters<typeof makeMultipart>[0], string]>([
    ['no file', [{ name: 'id', value: uploadId }], 'a file part named file'],
    ['a file under another name', [{ name: 'video', bytes: Buffer.from('x') }], 'must be named file'],
    [
      'a field twice',
      [
        { name: 'id', value: '1' },
        { name: 'id', value: '2' },
        { name: 'file', bytes: Buffer.from('x') },
      ],
      'id must be in the form once',
    ],
  ])('is a form with %s', async (_name, form, rule) => {
    const { status, body } = await post(makeMultipart(form));
    expect([status, body['message']]).toEqual([400, expect.stringContaining(rule)]);
    expect(listFiles()).toEqual([]);
  });

  it.each([
    ['JSON', 'application/json', '{}'],
    ['a form without a boundary', 'multipart/form-data', 'x'],
    [
      'cut off before its end',
      multipartType,
      makeChunkBody({ number: 0, total, size, bytes: Buffer.from('x') })
        .subarray(0, -12)
        .toString(),
    ],
    ['no form at all', multipartType, 'hello'],
  ])('is %s', async (_name, type, body) => {
    expect(await post(Buffer.from(body), type)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
    expect(listFiles()).toEqual([]);
    expect((await send(0)).status).toBe(200);
  });
});

describe('a chunk that is broken off', () => {
  it('leaves nothing behind', async () => {
    const body = makeChunkBody({ number: 0, total: 2, size: 9_000_000, bytes: Buffer.alloc(9_000_000, 1) });
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/video HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: sandbox_key\r\nContent-Type: ${multipartType}\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 4_000_000));
    await soon(() => expect(listFiles()).toHaveLength(1));
    socket.resetAndDestroy();
    await soon(() => expect(listFiles()).toEqual([]));
    expect(service.sandbox.uploads()).toEqual([]);
    expect(await send(0)).toEqual({ status: 200, body: { accepted: 0 } });
  });

  it('is told so when the sandbox is reset meanwhile', async () => {
    const body = makeChunkBody({ number: 0, total: 2, size: 9_000_000, bytes: Buffer.alloc(9_000_000, 1) });
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* pour(): AsyncGenerator<Uint8Array> {
      yield body.subarray(0, 4_000_000);
      await gate;
      yield body.subarray(4_000_000);
    }
    const answering = fetch(`${service.url}/api/video`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
      body: pour(),
      duplex: 'half',
    });
    await soon(() => expect(listFiles()).toHaveLength(1));
    service.sandbox.reset();
    const answer = await answering;
    release();
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'SANDBOX_RESET' }]);
    expect(service.sandbox.uploads()).toEqual([]);
    await soon(() => expect(readdirSync(temporary)).toEqual([]));
  });
});

describe('the temporary folder', () => {
  it('is made for the first chunk and removed on closing', async () => {
    expect(readdirSync(temporary)).toEqual([]);
    await send(0);
    expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^aftermeet-sandbox-/)]);
    await service.sandbox.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is missed by the sender of a chunk while it cannot be made, and no longer', async () => {
    vi.stubEnv('TMPDIR', join(temporary, 'no-such-folder'));
    expect(await send(0)).toEqual({
      status: 500,
      body: { code: 'STORAGE_FAILED', message: "The file can't be stored: ENOENT." },
    });
    vi.stubEnv('TMPDIR', temporary);
    expect((await send(0)).status).toBe(200);
  });

  it('is removed on a reset, and made again', async () => {
    await send(0);
    service.sandbox.reset();
    expect(service.sandbox.uploads()).toEqual([]);
    await soon(() => expect(readdirSync(temporary)).toEqual([]));
    await send(1);
    expect((await service.call('GET', '/_sandbox/uploads')).body).toMatchObject({
      uploads: [{ id: uploadId, chunks: [1], sha256: null, meeting_id: null }],
    });
  });
});
