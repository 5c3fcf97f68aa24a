import { truncateSync } from 'node:fs';
import { Readable } from 'node:stream';

import { afterEach, describe, expect, it } from 'vitest';

import type { UploadProgress, UploadSource } from '../client.ts';
import { createClient } from '../create-client.ts';
import {
  API_KEY,
  bytesSource,
  cleanUp,
  CONTENT,
  CONTENT_SHA256,
  failureOf,
  makeFile,
  numbersOf,
  send,
  sendJson,
  sha256,
  startService,
} from './testing/upload-service.ts';

afterEach(cleanUp);

describe('an upload', () => {
  it('is data chunks and an empty last one, with the fields of the specification', async () => {
    const service = await startService();
    const details = {
      title: 'Plan "Q3"',
      templateName: 'team-sync',
      webhookUrl: 'https://hooks.example/x',
      webhookSecret: 'sixteen-and-more',
      localTime: '2026-07-07T12:00:00+03:00',
      speakersNumber: 3,
    };
    const result = await send(service, { path: makeFile() }, { details });

    expect(result).toEqual({
      meetingId: 'm_1',
      userId: '7',
      duplicate: false,
      bytes: 2500,
      sha256: CONTENT_SHA256,
      chunks: { total: 3, sent: 3, skipped: 0 },
      raw: { meeting_id: 'm_1', user_id: 7 },
    });
    const [first] = service.chunks;
    expect(service.chunks.map(({ fields }) => fields)).toEqual(
      [0, 1, 2, 3].map((number) => ({
        title: 'Plan "Q3"',
        template_name: 'team-sync',
        webhook_url: 'https://hooks.example/x',
        webhook_secret: 'sixteen-and-more',
        localTime: '2026-07-07T12:00:00+03:00',
        speakers_number: '3',
        id: first?.fields['id'],
        upload_session_id: first?.fields['upload_session_id'],
        filename: 'call.mp4',
        expected_file_size: '2500',
        chunk_total: '4',
        chunk_number: String(number),
        ...(number === 3 ? { expected_sha256: CONTENT_SHA256 } : {}),
      })),
    );
    expect(first?.fields['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.fields['id']).not.toBe(first?.fields['upload_session_id']);
    expect(service.chunks.map(({ bytes }) => bytes.length)).toEqual([1000, 1000, 500, 0]);
    expect(Buffer.concat(service.chunks.map(({ bytes }) => bytes)).equals(CONTENT)).toBe(true);
    expect(service.chunks.map(({ filename }) => filename)).toEqual(Array(4).fill('call.mp4'));
    expect(service.chunks.map(({ headers }) => headers['x-api-key'])).toEqual(Array(4).fill(API_KEY));
  });

  it('has chunks of 20 MiB through the client', async () => {
    const service = await startService();
    const bytes = Buffer.alloc(41 * 1024 ** 2, 'm');
    const client = createClient({ baseUrl: `${service.baseUrl}/`, apiKey: API_KEY });
    const { sha256: digest } = await client.uploads.send(
      { bytes, filename: 'long.mp4' },
      {},
      { parallel: 2, anyType: true },
    );
    expect(digest).toBe('feb7a0553d11648f78c258be0d1726744d620977f81cba16bc4ce2afa6dbd0c5');
    const inOrder = service.chunks.toSorted((one, other) => one.number - other.number);
    expect(inOrder.map(({ bytes: part }) => part.length)).toEqual([20_971_520, 20_971_520, 1_048_576, 0]);
    expect(sha256(Buffer.concat(inOrder.map(({ bytes: part }) => part)))).toBe(digest);
  });

  it.each<[string, () => UploadSource]>([
    ['a file', () => ({ path: makeFile() })],
    ['bytes', () => bytesSource],
    [
      'a stream of known size',
      () => ({
        stream: Readable.from([CONTENT.subarray(0, 1700), CONTENT.subarray(1700)]),
        filename: 'call.mp4',
        size: 2500,
      }),
    ],
    ['a web stream', () => ({ stream: new Blob([CONTENT]).stream(), filename: 'call.mp4', size: 2500 })],
  ])('takes %s', async (_name, makeSource) => {
    const service = await startService();
    const result = await send(service, makeSource());
    expect(result).toMatchObject({ meetingId: 'm_1', bytes: 2500, sha256: CONTENT_SHA256 });
    expect(sha256(Buffer.concat(service.chunks.map(({ bytes }) => bytes)))).toBe(CONTENT_SHA256);
  });

  it('tells of its progress', async () => {
    const service = await startService();
    const events: UploadProgress[] = [];
    await send(service, { path: makeFile() }, { onProgress: (event) => events.push(event) });
    expect(events.map(({ step, doneBytes }) => `${step} ${doneBytes}`)).toEqual([
      'sending 0',
      'sending 1000',
      'sending 2000',
      'sending 2500',
      'completing 2500',
    ]);
    expect(new Set(events.map(({ totalBytes }) => totalBytes))).toEqual(new Set([2500]));
  });

  it('tells of the progress within a chunk', async () => {
    const service = await startService();
    const events: UploadProgress[] = [];
    const client = createClient({ baseUrl: service.baseUrl, apiKey: API_KEY });
    const source = { bytes: Buffer.alloc(10 * 1024 ** 2), filename: 'a.mp3' };
    await client.uploads.send(source, {}, { anyType: true, onProgress: (event) => events.push(event) });
    const told = events.filter(({ step }) => step === 'sending').map(({ doneBytes }) => doneBytes);
    expect(told).toHaveLength(4);
    expect(told.at(0)).toBe(0);
    expect(told.at(-1)).toBe(source.bytes.length);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });

  it('sends as many chunks at once as it may, and each byte once', async () => {
    const waiting: (() => void)[] = [];
    const service = await startService((chunk) => {
      if (chunk.number >= 9) return false;
      // Answered in the reverse order, three at a time.
      return new Promise((resolve) => {
        waiting.push(() => resolve(false));
        if (waiting.length === 3) for (const release of waiting.splice(0).toReversed()) release();
      });
    });
    const bytes = Buffer.concat([CONTENT, CONTENT, CONTENT, CONTENT.subarray(0, 1500)]);
    const { sha256: digest } = await send(service, { bytes, filename: 'a' }, { parallel: 3 });
    expect(service.mostAtOnce).toBe(3);
    const inOrder = service.chunks.toSorted((one, other) => one.number - other.number);
    expect(sha256(Buffer.concat(inOrder.map((chunk) => chunk.bytes)))).toBe(digest);
    expect(digest).toBe(sha256(bytes));
  });
});

const NOT_REGULAR = 'the path must be that of a regular file (send anything else as a stream)';

describe('an upload that breaks a rule', () => {
  it.each<[string, UploadSource, object, string]>([
    [
      'an empty file',
      { bytes: new Uint8Array(0), filename: 'a' },
      {},
      'the file is empty: a recording has at least one byte',
    ],
    [
      'half a byte',
      { stream: Readable.from([]), filename: 'a', size: 1.5 },
      {},
      'size must be a whole number of bytes',
    ],
    [
      'a short secret',
      bytesSource,
      { details: { webhookSecret: 'short' } },
      'webhookSecret must be 16 to 128 characters; found text of length 5',
    ],
    [
      'five at once',
      bytesSource,
      { parallel: 5 },
      'parallel must be a whole number from 1 to 4; found the number 5',
    ],
    [
      'none at once',
      bytesSource,
      { parallel: 0 },
      'parallel must be a whole number from 1 to 4; found the number 0',
    ],
    [
      'a file that is not there',
      { path: '/nowhere/Secret plan.mp4' },
      {},
      'the file cannot be found: ENOENT',
    ],
    ['a folder', { path: '/' }, {}, NOT_REGULAR],
    ['a device', { path: '/dev/zero' }, {}, NOT_REGULAR],
  ])('is refused: %s', async (_name, source, options, rule) => {
    const service = await startService();
    const error = await failureOf(send(service, source, options));
    expect(error.message).toBe(`uploads.chunk: POST /api/video bad_request: ${rule}`);
    expect(service.chunks).toEqual([]);
  });

  it.each([
    {},
    null,
    'call.mp4',
    { path: 5 },
    { bytes: 'abc', filename: 'a' },
    { stream: [1], filename: 'a' },
  ])('is refused: %j for a source', async (source) => {
    // @ts-expect-error: a caller without types
    const error = await failureOf(send({ baseUrl: 'http://127.0.0.1:1' }, source));
    expect(error.detail).toMatch(/^the source must be/);
  });

  it('is refused before the stream is read', async () => {
    let reads = 0;
    const stream = Readable.from(
      (function* () {
        reads += 1;
        yield CONTENT;
      })(),
    );
    const source = { stream, filename: 'a', size: 2500 };
    const nowhere = { baseUrl: 'http://127.0.0.1:1' };
    const error = await failureOf(send(nowhere, source, { details: { title: '' } }));
    expect(error.detail).toContain('title');
    expect(reads).toBe(0);
  });

  it('is refused over 3 GB without reading it, from a sparse file', async () => {
    const path = makeFile();
    truncateSync(path, 3_221_225_473);
    const error = await failureOf(send({ baseUrl: 'http://127.0.0.1:1' }, { path }));
    expect(error.detail).toBe('the file is too large: at most 3221225472 bytes (3 GB) can be uploaded');
  });
});

describe('a stream', () => {
  it.each<[string, AsyncIterable<Uint8Array>, number, string]>([
    [
      'that ends early',
      Readable.from([CONTENT.subarray(0, 1900)]),
      2500,
      'the stream ended after 1900 bytes of the 2500 that were announced',
    ],
    [
      'that is longer',
      Readable.from([CONTENT, Buffer.from('x')]),
      2500,
      'the stream is longer than the 2500 bytes that were announced',
    ],
    ['of text', Readable.from(['abc']), 2500, 'the stream must consist of bytes (Uint8Array or Buffer)'],
    ['that fails', Readable.from(failAfter(CONTENT.subarray(0, 1200))), 2500, 'the stream failed: ENOSPC'],
  ])('%s is never completed', async (_name, stream, size, rule) => {
    const service = await startService();
    const error = await failureOf(send(service, { stream, filename: 'a', size }));
    expect(error).toMatchObject({ code: 'bad_request', detail: rule });
    expect(numbersOf(service)).not.toContain(3);
  });

  it('of unknown size is refused, with what to do instead', async () => {
    const source = { stream: Readable.from([CONTENT]), filename: 'a' };
    // @ts-expect-error: a caller without types
    const error = await failureOf(send({ baseUrl: 'http://127.0.0.1:1' }, source));
    expect(error).toMatchObject({
      code: 'bad_request',
      detail: 'a stream needs its size: give size, or save the stream to a file and upload its path',
    });
  });

  it('is destroyed when nobody reads it any more', async () => {
    const service = await startService((_chunk, response) => sendJson(response, 401, {}));
    const stream = new Readable({
      read() {
        this.push(CONTENT);
      },
    });
    await failureOf(send(service, { stream, filename: 'a', size: 500_000 }));
    expect(stream.destroyed).toBe(true);
  });
});

function* failAfter(bytes: Uint8Array): Generator<Uint8Array> {
  yield bytes;
  throw Object.assign(new Error('disk full on /home/secret'), { code: 'ENOSPC' });
}
