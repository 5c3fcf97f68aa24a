import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import type { UploadProgress } from '../client.ts';
import { makeFolder as makeStateFolder, nameScope, nameState } from './state.ts';
import {
  API_KEY,
  bytesSource,
  cleanUp,
  CONTENT,
  CONTENT_SHA256,
  countValues,
  makeFile,
  makeFolder,
  numbersOf,
  send,
  sendJson,
  startService,
  startUpload,
} from './testing/upload-service.ts';

afterEach(cleanUp);

/** Of another content with the size of `CONTENT`. */
const OTHER = CONTENT.toReversed();

describe('content that was uploaded before', () => {
  it.each<[string, (path: string) => string]>([
    ['the same file', (path) => path],
    ['a copy under another name', () => makeFile(CONTENT, join(makeFolder(), 'copy.mp4'))],
  ])('is recognised in %s, and nothing is sent', async (_name, find) => {
    const { service, path, stateFolder, run } = await startUpload();
    await run();
    const events: UploadProgress[] = [];
    const onProgress = (event: UploadProgress): void => void events.push(event);
    const result = await send(service, { path: find(path) }, { stateFolder, onProgress });
    expect(result).toEqual({
      meetingId: 'm_1',
      userId: '7',
      duplicate: true,
      bytes: 2500,
      sha256: CONTENT_SHA256,
      chunks: { total: 3, sent: 0, skipped: 0 },
      raw: undefined,
    });
    expect(events.map(({ step, doneBytes }) => `${step} ${doneBytes}`)).toEqual([
      'checking 0',
      'checking 1000',
      'checking 2000',
      'checking 2500',
    ]);
    expect(numbersOf(service)).toEqual([0, 1, 2, 3]);
  });

  it('is uploaded again by force, under other ids', async () => {
    const { service, run } = await startUpload();
    await run();
    const result = await run({ force: true });
    expect(result).toMatchObject({ duplicate: false, chunks: { sent: 3 } });
    expect(countValues(service, 'id')).toBe(2);
    // Nor is the service asked for the meeting that it has.
    expect(service.asked).toEqual([]);
  });

  it('is not known without a folder, with another key or at another address', async () => {
    const { service, stateFolder, run } = await startUpload();
    await send(service, bytesSource);
    expect((await run()).duplicate).toBe(false);
    const elsewhere = await send(await startService(), { path: makeFile() }, { stateFolder });
    expect(elsewhere.duplicate).toBe(false);
    const connection = { apiKey: 'of_another_workspace' };
    expect((await run({ connection })).duplicate).toBe(false);
    expect((await run()).duplicate).toBe(true);
  });

  it('is read in advance only where something of its size was uploaded', async () => {
    const { service, stateFolder } = await startUpload();
    const stepsOf = async (bytes: Uint8Array): Promise<string> => {
      const steps = new Set<string>();
      const onProgress = ({ step }: UploadProgress): void => void steps.add(step);
      const result = await send(service, { path: makeFile(bytes) }, { stateFolder, onProgress });
      expect(result.duplicate).toBe(false);
      return [...steps].join();
    };
    expect(await stepsOf(CONTENT)).toBe('sending,completing');
    expect(await stepsOf(CONTENT.subarray(1))).toBe('sending,completing');
    expect(await stepsOf(OTHER)).toBe('checking,sending,completing');
    // Known by now, so every request of the third says it.
    expect(service.chunks.slice(-4).every(({ fields }) => fields['expected_sha256']?.length === 64)).toBe(
      true,
    );
  });

  it('is recognised for 30 days', async () => {
    const { stateFolder, run } = await startUpload();
    const first = await run();
    expect(await run()).toMatchObject({
      meetingId: first.meetingId,
      duplicate: true,
    });
    for (const name of readdirSync(stateFolder)) {
      utimesSync(join(stateFolder, name), 0, Date.now() / 1000 - 31 * 24 * 3600);
    }
    expect((await run()).duplicate).toBe(false);
  });

  it('is not known from a state file that was spoilt', async () => {
    const { service, path, stateFolder, run } = await startUpload();
    await run();
    const [name = ''] = readdirSync(stateFolder);
    writeFileSync(join(stateFolder, name), '{"meetingId":');
    expect((await run()).duplicate).toBe(false);
    const scope = nameScope({ baseUrl: service.baseUrl, apiKey: API_KEY });
    const stored = join(stateFolder, nameState(scope, path, {}));
    expect(JSON.parse(readFileSync(stored, 'utf8'))).toEqual({
      version: 1,
      kind: 'finished',
      scope,
      size: 2500,
      sha256: CONTENT_SHA256,
      meetingId: 'm_1',
      userId: '7',
      finishedMs: expect.any(Number),
    });
    expect(statSync(stored).mode & 0o777).toBe(0o600);
  });

  it.each<[string, number, number, unknown, number[]]>([
    ['a conflict with the meeting', 3, 409, { code: 'DUPLICATE', meeting_id: 'm_old' }, [0, 1, 2, 3]],
    ['a success that says so', 3, 200, { duplicate: true, data: { meeting_id: 'm_old' } }, [0, 1, 2, 3]],
    ['the first chunk', 0, 200, { duplicate: true, meeting_id: 'm_old' }, [0]],
    ['a conflict at a chunk', 1, 409, { error: { code: 'DUPLICATE', meetingId: 'm_old' } }, [0, 1]],
  ])('is what the service says it is: %s', async (_name, at, status, body, numbers) => {
    const { service, run } = await startUpload(
      (chunk, response) => chunk.number === at && sendJson(response, status, body),
    );
    const result = await run();
    expect(result).toMatchObject({ meetingId: 'm_old', duplicate: true, sha256: CONTENT_SHA256, raw: body });
    expect(numbersOf(service)).toEqual(numbers);
    expect(await run()).toMatchObject({
      meetingId: 'm_old',
      duplicate: true,
    });
    expect(numbersOf(service)).toEqual(numbers);
  });

  it('is not meant by a conflict that names no meeting', async () => {
    const service = await startService((_chunk, response) => sendJson(response, 409, { message: 'busy' }));
    await expect(send(service, bytesSource)).rejects.toMatchObject({ code: 'conflict', status: 409 });
  });
});

describe('a meeting that was stored', () => {
  it('and is gone from the service is uploaded again', async () => {
    const { service, run } = await startUpload();
    await run();
    service.meetingStatus = 404;
    expect((await run()).duplicate).toBe(false);
    expect(numbersOf(service).slice(4)).toEqual([0, 1, 2, 3]);
    expect(service.asked).toEqual(['/api/meeting/status?meeting_id=m_1']);
    service.meetingStatus = 200;
    expect((await run()).duplicate).toBe(true);
  });

  it.each([401, 403, 429, 500, 503])('stands when the service answers %d, asked once', async (status) => {
    const { service, run } = await startUpload();
    await run();
    service.meetingStatus = status;
    expect((await run()).duplicate).toBe(true);
    expect(service.asked).toHaveLength(1);
  });
});

it('state files are kept for 30 days, half written ones for a day, and foreign files for ever', async () => {
  const { service, path, stateFolder, run } = await startUpload();
  const put = (name: string, days: number): void => {
    const seconds = Date.now() / 1000 - days * 24 * 3600;
    writeFileSync(join(stateFolder, name), '{}');
    utimesSync(join(stateFolder, name), seconds, seconds);
  };
  put(`part-${'1'.repeat(32)}.json`, 31);
  put(`part-${'1'.repeat(32)}.lock`, 31);
  put(`part-${'1'.repeat(32)}.json.77.tmp`, 2);
  put(`part-${'1'.repeat(32)}.json.0b54-f1.tmp`, 2);
  put(`part-${'1'.repeat(32)}.lock.takeover.tmp`, 2);
  put(`part-${'2'.repeat(32)}.json.0b54-f1.tmp`, 0.9);
  put(`part-${'2'.repeat(32)}.json`, 29);
  put('part-of-my-thesis.json', 999);
  put('notes.json', 999);
  await run();
  const scope = nameScope({ baseUrl: service.baseUrl, apiKey: API_KEY });
  expect(new Set(readdirSync(stateFolder))).toEqual(
    new Set([
      'notes.json',
      nameState(scope, path, {}),
      `part-${'2'.repeat(32)}.json`,
      `part-${'2'.repeat(32)}.json.0b54-f1.tmp`,
      'part-of-my-thesis.json',
    ]),
  );
});

describe('a state file', () => {
  it('does not follow a link that was put there before', async () => {
    const { service, path, stateFolder, run } = await startUpload();
    const precious = makeFile(Buffer.from('precious'));
    const name = nameState(nameScope({ baseUrl: service.baseUrl, apiKey: API_KEY }), path, {});
    symlinkSync(precious, join(stateFolder, `${name}.${process.pid}.tmp`));
    await run();
    expect(readFileSync(precious, 'utf8')).toBe('precious');
  });

  it('that cannot be written leaves nothing behind', async () => {
    const { service, path, stateFolder, fail } = await startUpload();
    const name = nameState(nameScope({ baseUrl: service.baseUrl, apiKey: API_KEY }), path, {});
    mkdirSync(join(stateFolder, name, 'x'), { recursive: true });
    const error = await fail();
    expect(error.detail).toMatch(/^the state folder cannot be written: E[A-Z]+$/);
    expect(readdirSync(stateFolder)).toEqual([name]);
  });
});

describe('makeFolder', () => {
  it('makes what is missing on the way, for the owner only', async () => {
    const path = join(makeFolder(), 'a/b/c');
    await Promise.all([makeStateFolder(path), makeStateFolder(path)]);
    await makeStateFolder(path);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  it('refuses to go through a file', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    await expect(makeStateFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeStateFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(existsSync('/proc/self'))('ends where no folder can be made', async () => {
    await expect(makeStateFolder('/proc/x/aftermeet/uploads')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
