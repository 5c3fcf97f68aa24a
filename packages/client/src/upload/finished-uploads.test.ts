import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterEach, describe, expect, it } from 'vitest';

import { createFinishedUploads } from './finished-uploads.ts';
import { openNoteFolder } from './note-folder.ts';
import {
  bytesSource,
  cleanUp,
  CONTENT,
  CONTENT_SHA256,
  failureOf,
  makeFile,
  makeFolder,
  numbersOf,
  send,
  sendJson,
  startService,
} from './testing/upload-service.ts';
import type { UploadProgress, UploadSource } from './upload.ts';

afterEach(cleanUp);

const SCOPE = '0'.repeat(32);
const DAY_MS = 24 * 3600 * 1000;
/** Of another content with the size of `CONTENT`. */
const OTHER = CONTENT.toReversed();

describe('content that was uploaded before', () => {
  it.each<[string, () => UploadSource]>([
    ['the same file', () => ({ path: makeFile() })],
    ['bytes', () => bytesSource],
    ['a stream of unknown size', () => ({ stream: Readable.from([CONTENT]), filename: 'x' })],
  ])('is known again from %s, and nothing is sent', async (_name, makeSource) => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, { path: makeFile() }, { stateFolder });
    const events: UploadProgress[] = [];
    const result = await send(service, makeSource(), {
      stateFolder,
      onProgress: (event) => events.push(event),
    });
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

  it('of a stream that cannot be read twice is known before the end, and not completed', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    const stream = Readable.from([CONTENT]);
    const result = await send(service, { stream, filename: 'x', size: 2500 }, { stateFolder });
    expect(result).toMatchObject({ meetingId: 'm_1', duplicate: true, raw: undefined });
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 0, 1, 2]);
  });

  it('is uploaded again by force, under other ids', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    const result = await send(service, bytesSource, { stateFolder, force: true });
    expect(result).toMatchObject({ duplicate: false, chunks: { sent: 3 } });
    expect(new Set(service.chunks.map(({ fields }) => fields['id'])).size).toBe(2);
  });

  it('is not known without a folder, with another key or at another address', async () => {
    const [service, other] = [await startService(), await startService()];
    const stateFolder = makeFolder();
    await send(service, bytesSource);
    expect((await send(service, bytesSource, { stateFolder })).duplicate).toBe(false);
    const elsewhere = await send(other, bytesSource, { stateFolder });
    expect(elsewhere.duplicate).toBe(false);
    const connection = { apiKey: 'of_another_workspace' };
    expect((await send(service, bytesSource, { stateFolder, connection })).duplicate).toBe(false);
    expect((await send(service, bytesSource, { stateFolder })).duplicate).toBe(true);
  });

  it('is read in advance only where something of its size was uploaded', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    const stepsOf = async (bytes: Uint8Array): Promise<string> => {
      const steps = new Set<string>();
      const onProgress = ({ step }: UploadProgress): void => void steps.add(step);
      const result = await send(service, { bytes, filename: 'a' }, { stateFolder, onProgress });
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

  it('is a conflict when it is another after it was read in advance', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, { bytes: OTHER, filename: 'a' }, { stateFolder });
    const bytes = Buffer.from(CONTENT);
    const onProgress = ({ step }: UploadProgress): void => {
      if (step === 'sending') bytes.fill(0);
    };
    const error = await failureOf(send(service, { bytes, filename: 'a' }, { stateFolder, onProgress }));
    expect(error).toMatchObject({ code: 'conflict', detail: 'the content changed between two readings' });
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 0, 1, 2]);
  });

  it('is not known from a note that was spoilt', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    const [name = ''] = readdirSync(stateFolder);
    writeFileSync(join(stateFolder, name), '{"meetingId":');
    expect((await send(service, bytesSource, { stateFolder })).duplicate).toBe(false);
    expect(JSON.parse(readFileSync(join(stateFolder, name), 'utf8'))).toEqual({
      meetingId: 'm_1',
      userId: '7',
    });
    expect(statSync(join(stateFolder, name)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, number, number, unknown, number[]]>([
    ['a conflict with the meeting', 3, 409, { code: 'DUPLICATE', meeting_id: 'm_old' }, [0, 1, 2, 3]],
    ['a success that says so', 3, 200, { duplicate: true, data: { meeting_id: 'm_old' } }, [0, 1, 2, 3]],
    ['the first chunk', 0, 200, { duplicate: true, meeting_id: 'm_old' }, [0]],
    ['a conflict at a chunk', 1, 409, { error: { code: 'DUPLICATE', meetingId: 'm_old' } }, [0, 1]],
  ])('is what the service says it is: %s', async (_name, at, status, body, numbers) => {
    const service = await startService(
      (chunk, response) => chunk.number === at && sendJson(response, status, body),
    );
    const stateFolder = makeFolder();
    const result = await send(service, bytesSource, { stateFolder });
    expect(result).toMatchObject({ meetingId: 'm_old', duplicate: true, sha256: CONTENT_SHA256, raw: body });
    expect(numbersOf(service)).toEqual(numbers);
    expect(await send(service, bytesSource, { stateFolder })).toMatchObject({
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

describe('a meeting that was noted', () => {
  it.each<[string, UploadSource, string[]]>([
    ['before', bytesSource, ['0', '1', '2', '3']],
    ['at the end', { stream: Readable.from([CONTENT]), filename: 'x', size: 2500 }, ['0', '1', '2', '3']],
  ])('and is gone from the service is uploaded again: seen %s', async (_name, source, numbers) => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    service.meetingStatus = 404;
    expect((await send(service, source, { stateFolder })).duplicate).toBe(false);
    expect(numbersOf(service).slice(4).map(String)).toEqual(numbers);
    expect(service.asked).toEqual(['/api/meeting/status?meeting_id=m_1']);
    service.meetingStatus = 200;
    expect((await send(service, bytesSource, { stateFolder })).duplicate).toBe(true);
  });

  it.each([401, 403, 429, 500, 503])('stands when the service answers %d, asked once', async (status) => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    service.meetingStatus = status;
    expect((await send(service, bytesSource, { stateFolder })).duplicate).toBe(true);
    expect(service.asked).toHaveLength(1);
  });

  it('is not asked for by force', async () => {
    const service = await startService();
    const stateFolder = makeFolder();
    await send(service, bytesSource, { stateFolder });
    await send(service, bytesSource, { stateFolder, force: true });
    expect(service.asked).toEqual([]);
  });
});

describe('the notes', () => {
  it('are kept for half a year, of unfinished uploads for a month, half written ones for a day, and foreign files for ever', async () => {
    const path = makeFolder();
    const folder = await openNoteFolder(path);
    const nowMs = Date.now();
    const put = (name: string, days: number): void => {
      writeFileSync(join(path, name), '{}');
      utimesSync(join(path, name), (nowMs - days * DAY_MS) / 1000, (nowMs - days * DAY_MS) / 1000);
    };
    put(`done-${SCOPE}-1-${'a'.repeat(64)}.json`, 181);
    put(`done-${SCOPE}-2-${'b'.repeat(64)}.json`, 179);
    put(`part-${'1'.repeat(32)}.json`, 31);
    put(`part-${'1'.repeat(32)}.lock`, 31);
    put(`part-${'1'.repeat(32)}.json.77.tmp`, 2);
    put(`part-${'1'.repeat(32)}.json.0b54-f1.tmp`, 2);
    put(`part-${'1'.repeat(32)}.lock.takeover.tmp`, 2);
    put(`done-${SCOPE}-2-${'b'.repeat(64)}.json.0b54-f1.tmp`, 2);
    put(`part-${'2'.repeat(32)}.json.0b54-f1.tmp`, 0.9);
    put(`part-${'2'.repeat(32)}.json`, 29);
    put('part-of-my-thesis.json', 999);
    put('notes.json', 999);
    await createFinishedUploads(folder, SCOPE, () => nowMs).add(3, 'c'.repeat(64), { meetingId: 'm' });
    expect(readdirSync(path).toSorted()).toEqual([
      `done-${SCOPE}-2-${'b'.repeat(64)}.json`,
      `done-${SCOPE}-3-${'c'.repeat(64)}.json`,
      'notes.json',
      `part-${'2'.repeat(32)}.json`,
      `part-${'2'.repeat(32)}.json.0b54-f1.tmp`,
      'part-of-my-thesis.json',
    ]);
  });

  it('of finished uploads are a bounded number, the newest', async () => {
    const path = makeFolder();
    const nowMs = Date.now();
    for (const index of [0, 1, 2, 3]) {
      const name = join(path, `done-${SCOPE}-${index}-${'a'.repeat(64)}.json`);
      writeFileSync(name, '{}');
      utimesSync(name, nowMs / 1000 - index, nowMs / 1000 - index);
    }
    const folder = await openNoteFolder(path);
    const finished = createFinishedUploads(folder, SCOPE, () => nowMs, 3);
    await finished.add(9, 'c'.repeat(64), { meetingId: 'm' });
    const sizes = readdirSync(path).map((name) => name.split('-')[2]);
    expect(sizes.toSorted()).toEqual(['0', '1', '9']);
  });
});
