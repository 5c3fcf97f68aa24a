import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import type { UploadProgress } from '../client.ts';
import {
  type AnswerChunk,
  API_KEY,
  cleanUp,
  CONTENT,
  CONTENT_SHA256,
  countValues,
  makeFile,
  makeFolder,
  numbersOf,
  send,
  sendJson,
  startUpload,
} from './testing/upload-service.ts';

afterEach(cleanUp);

/** Refuses one chunk, once, in a way that is not repeated. */
function refuseOnce(chunkNumber: number): AnswerChunk {
  let isOver = false;
  return (chunk, response) => {
    if (chunk.number !== chunkNumber || isOver) return false;
    isOver = true;
    return sendJson(response, 401, { message: 'no' });
  };
}

function findNote(folder: string): string {
  const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('part-'));
  return join(folder, name);
}

describe('an upload that broke off', () => {
  it('goes on where it was, with the same ids', async () => {
    const { service, stateFolder, run, fail } = await startUpload(refuseOnce(2));
    expect((await fail()).code).toBe('unauthorized');
    expect(numbersOf(service)).toEqual([0, 1, 2]);

    const events: UploadProgress[] = [];
    const result = await run({ onProgress: (event) => events.push(event) });
    expect(numbersOf(service)).toEqual([0, 1, 2, 2, 3]);
    expect(countValues(service, 'id')).toBe(1);
    expect(countValues(service, 'upload_session_id')).toBe(1);
    expect(result).toMatchObject({ sha256: CONTENT_SHA256, chunks: { total: 3, sent: 1, skipped: 2 } });
    expect(service.chunks.at(-1)?.fields['expected_sha256']).toBe(CONTENT_SHA256);
    expect(events.map(({ step, doneBytes }) => `${step} ${doneBytes}`)).toEqual([
      'checking 0',
      'checking 1000',
      'checking 2000',
      'sending 2500',
      'completing 2500',
    ]);
    expect(readdirSync(stateFolder)).toEqual([expect.stringMatching(/^part-.*\.json$/)]);
    expect(readFileSync(findNote(stateFolder), 'utf8')).toContain('"kind":"finished"');
  });

  it('before its first chunk was taken goes on, with the same ids', async () => {
    const { service, run, fail } = await startUpload(refuseOnce(0));
    await fail();
    await run();
    expect(numbersOf(service)).toEqual([0, 0, 1, 2, 3]);
    expect(countValues(service, 'id')).toBe(1);
    expect(countValues(service, 'upload_session_id')).toBe(1);
  });

  it('before its first chunk was taken is no more when the content was uploaded meanwhile', async () => {
    const { service, stateFolder, run, fail } = await startUpload(refuseOnce(0));
    await fail();
    await send(service, { path: makeFile() }, { stateFolder });
    expect((await run()).duplicate).toBe(true);
    expect(numbersOf(service)).toEqual([0, 0, 1, 2, 3]);
  });

  it('takes away what a run left that was killed while it noted', async () => {
    const { stateFolder, run, fail } = await startUpload(refuseOnce(2));
    await fail();
    writeFileSync(`${findNote(stateFolder)}.0f0e-1.tmp`, '{');
    writeFileSync(join(stateFolder, 'mine.tmp'), '');
    await run();
    expect(readdirSync(stateFolder).filter((name) => name.endsWith('.tmp'))).toEqual(['mine.tmp']);
  });

  it('sends only what is missing when chunks were taken out of order', async () => {
    const { service, run, fail } = await startUpload((chunk, response, { chunks }) => {
      if (chunk.number !== 0 || chunks.filter(({ number }) => number === 0).length > 1) return false;
      // Refused when the two behind it have been taken, and the client has had time to note it.
      return new Promise((resolve) => {
        const refuse = (): void => {
          if (chunks.length < 3) setTimeout(refuse, 10);
          else setTimeout(() => resolve(sendJson(response, 403, {})), 500);
        };
        refuse();
      });
    });
    await fail({ parallel: 3 });
    const result = await run({ parallel: 3 });
    expect(numbersOf(service).slice(3)).toEqual([0, 3]);
    expect(result).toMatchObject({ sha256: CONTENT_SHA256, chunks: { sent: 1, skipped: 2 } });
  });

  it('asks again only for the end when all chunks were taken', async () => {
    const { service, run, fail } = await startUpload(refuseOnce(3));
    await fail();
    const result = await run();
    expect(numbersOf(service)).toEqual([0, 1, 2, 3, 3]);
    expect(result.chunks).toEqual({ total: 3, sent: 0, skipped: 3 });
    expect(countValues(service, 'upload_session_id')).toBe(1);
  });

  it.each([400, 404, 409, 410, 422])('starts one new session when the service answers %d', async (status) => {
    const { service, run, fail } = await startUpload((chunk, response, { chunks }) => {
      const isSecond = chunk.fields['upload_session_id'] !== chunks[0]?.fields['upload_session_id'];
      if (chunks.length === 2) return sendJson(response, 401, {});
      return chunks.length > 2 && !isSecond && sendJson(response, status, { message: 'unknown session' });
    });
    await fail();
    const result = await run();
    expect(numbersOf(service)).toEqual([0, 1, 1, 0, 1, 2, 3]);
    expect(countValues(service, 'id')).toBe(1);
    expect(countValues(service, 'upload_session_id')).toBe(2);
    expect(result).toMatchObject({ sha256: CONTENT_SHA256, chunks: { sent: 3, skipped: 0 } });
  });

  it('starts a new session once and no more', async () => {
    const { service, fail } = await startUpload((_chunk, response, { chunks }) => {
      if (chunks.length === 2) return sendJson(response, 401, {});
      return chunks.length > 2 && sendJson(response, 404, {});
    });
    await fail();
    expect((await fail()).status).toBe(404);
    expect(numbersOf(service)).toEqual([0, 1, 1, 0]);
  });

  it('does not take the chunks of a forgotten session for those of the new one', async () => {
    const { service, run, fail } = await startUpload((_chunk, response, { chunks }) => {
      if (chunks.length === 3) return sendJson(response, 401, {});
      if (chunks.length === 4) return sendJson(response, 404, {});
      return chunks.length === 6 && sendJson(response, 401, {});
    });
    await fail();
    await fail();
    await run();
    expect(numbersOf(service)).toEqual([0, 1, 2, 2, 0, 1, 1, 2, 3]);
    expect(countValues(service, 'upload_session_id')).toBe(2);
  });

  it('starts anew with another id when the content is another, though size and time are the same', async () => {
    const { service, path, run, fail } = await startUpload(refuseOnce(2));
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, mtime);
    await fail();
    const changed = Buffer.from(CONTENT);
    changed[1500] = 0;
    writeFileSync(path, changed);
    utimesSync(path, atime, mtime);
    const result = await run();
    expect(numbersOf(service)).toEqual([0, 1, 2, 0, 1, 2, 3]);
    expect(countValues(service, 'id')).toBe(2);
    expect(countValues(service, 'upload_session_id')).toBe(2);
    expect(result.sha256).not.toBe(CONTENT_SHA256);
    expect(Buffer.concat(service.chunks.slice(3).map(({ bytes }) => bytes)).equals(changed)).toBe(true);
  });

  it.each<[string, (path: string) => void, object]>([
    ['another time', (path) => utimesSync(path, 5, 5), {}],
    ['another size', (path) => writeFileSync(path, CONTENT.subarray(0, 2400)), {}],
    ['other details', () => {}, { details: { title: 'Another' } }],
    ['another key', () => {}, { connection: { apiKey: 'another_key' } }],
  ])('is another upload with %s', async (_name, change, options) => {
    const { service, path, run, fail } = await startUpload(refuseOnce(2));
    await fail();
    change(path);
    await run(options);
    expect(numbersOf(service).slice(3, 5)).toEqual([0, 1]);
    expect(countValues(service, 'id')).toBe(2);
  });

  it('leaves a note that only its owner may read, without secrets', async () => {
    const { path, fail } = await startUpload(refuseOnce(2));
    const stateFolder = join(makeFolder(), 'a/b');
    const details = {
      webhookSecret: 'sixteen-and-more',
      title: 'Board',
      webhookUrl: 'https://hooks.example',
    };
    await fail({ stateFolder, details });
    const note = findNote(stateFolder);
    expect(readdirSync(stateFolder)).toHaveLength(1);
    expect(statSync(note).mode & 0o777).toBe(0o600);
    expect(statSync(stateFolder).mode & 0o777).toBe(0o700);
    const text = readFileSync(note, 'utf8');
    expect(text).not.toMatch(/sixteen|Board|hooks|key_for/);
    expect(text).not.toContain(API_KEY);
    expect(JSON.parse(text)).toMatchObject({ path, size: 2500 });
  });

  const text = (note: string): unknown => JSON.parse(readFileSync(note, 'utf8'));
  it.each<[string, (note: string) => string]>([
    ['nothing', () => ''],
    ['half of it', (note) => readFileSync(note, 'utf8').slice(0, 80)],
    ['no object', () => '[1,2]'],
    ['null', () => 'null'],
    ['another version', (note) => JSON.stringify({ ...Object(text(note)), version: 2 })],
    ['another path', (note) => JSON.stringify({ ...Object(text(note)), path: '/etc/passwd' })],
    ['an id that is none', (note) => JSON.stringify({ ...Object(text(note)), id: '../x' })],
    ['no word about its end', (note) => JSON.stringify({ ...Object(text(note)), final: {} })],
    ['no chunks', (note) => JSON.stringify({ ...Object(text(note)), accepted: undefined })],
    ['chunks that are none', (note) => JSON.stringify({ ...Object(text(note)), accepted: [[0]] })],
    ['chunks beyond the end', (note) => JSON.stringify({ ...Object(text(note)), accepted: [[3, 'x']] })],
    ['binary', () => '\u0000\uFFFF'],
  ])('starts anew when the note holds %s', async (_name, spoil) => {
    const { service, stateFolder, run, fail } = await startUpload(refuseOnce(2));
    await fail();
    const note = findNote(stateFolder);
    writeFileSync(note, spoil(note));
    expect(await run()).toMatchObject({ chunks: { sent: 3, skipped: 0 } });
    expect(numbersOf(service)).toEqual([0, 1, 2, 0, 1, 2, 3]);
  });

  it('says so when nothing can be noted', async () => {
    const { service, fail } = await startUpload();
    const error = await fail({ stateFolder: makeFile() });
    expect(error.detail).toBe('the state folder cannot be made: EEXIST');
    expect(service.chunks).toEqual([]);
  });
});

describe('two uploads of one file at once', () => {
  it('are one upload and a conflict', async () => {
    const { service, stateFolder, run } = await startUpload();
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'conflict' });
    expect(String(lost?.reason)).toContain('another process is uploading this file');
    expect(numbersOf(service)).toEqual([0, 1, 2, 3]);
    expect(readdirSync(stateFolder)).toEqual([expect.stringMatching(/^part-.*\.json$/)]);
  });
});
