import { createHash } from 'node:crypto';

import { AmbiguousWriteError, type UploadSource } from '@aftermeet/client';
import { limits } from '@aftermeet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { catchFault, type FaultyService, type Order, startFaultyService } from './faulty-service.ts';

// Chunks are repeated, the one that completes the upload too: it becomes one meeting.

const operation = 'uploads.chunk: POST /api/video';
const source: UploadSource = { bytes: Buffer.from('fLaC\0 a recording'), filename: 'call.flac' };

let service: FaultyService;

beforeAll(async () => {
  service = await startFaultyService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.sandbox.reset();
});

/** As Node's own HTTP client, which sends the chunks, sees them: two bytes of garbage are no answer on 20 and 24 alike. */
const chunkFaults = [
  { name: 'reset', order: { kind: 'reset' }, said: /^connection: ECONNRESET$/ },
  { name: 'empty', order: { kind: 'empty' }, said: /^connection: ECONNRESET$/ },
  { name: 'garbage', order: { kind: 'garbage' }, said: /^connection: HPE_INVALID_CONSTANT$/ },
  { name: 'cut', order: { kind: 'cut' }, said: /^connection: ECONNRESET$/ },
  { name: 'drop_after', order: { kind: 'drop_after' }, said: /^connection: ECONNRESET$/ },
  { name: '500', order: { kind: 'status', status: 500 }, said: /^answered 500: A fault that was planned/ },
] as const satisfies readonly { readonly name: string; readonly order: Order; readonly said: RegExp }[];

describe('a chunk', () => {
  it.each(chunkFaults)(
    '$name: in vain is an error and no meeting, two of them heal and one meeting comes of it',
    async ({ order, said }) => {
      service.plan('uploads.chunk', { ...order, times: null });
      const error = await catchFault(service.connect({ retries: 1 }).uploads.send(source));
      expect(error).not.toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({ operation: 'uploads.chunk', retryable: true });
      expect(error.message.slice(operation.length + 1)).toMatch(said);
      expect([service.countCalls(), await service.countMeetings()]).toEqual([2, 0]);

      service.plan('uploads.chunk', { ...order, times: 2 });
      const client = service.connect();
      const result = await client.uploads.send(source);
      expect(result).toMatchObject({
        duplicate: false,
        bytes: 17,
        chunks: { total: 1, sent: 1, skipped: 0 },
      });
      expect([client.waits, service.countCalls()]).toEqual([[500, 1000], 4]);
      expect(await service.countMeetings()).toBe(1);
    },
  );
});

describe('the final chunk', () => {
  it.each(chunkFaults)('$name: two of them heal, and one meeting comes of it', async ({ order }) => {
    service.plan('uploads.chunk', { ...order, times: 2, after: 1 });
    const client = service.connect();
    const { meetingId, duplicate } = await client.uploads.send(source);
    expect([duplicate, client.waits, service.countCalls()]).toEqual([false, [500, 1000], 4]);
    expect(await service.countMeetings()).toBe(1);
    expect(await client.recordings.status(meetingId)).toMatchObject({ phase: 'processing' });
  });

  it.each(chunkFaults)('$name: in vain is in doubt, and says where to look', async ({ name, order }) => {
    service.plan('uploads.chunk', { ...order, times: null, after: 1 });
    const client = service.connect({ retries: 1 });
    const error = await catchFault(client.uploads.send(source, { title: 'Doubtful' }));
    expect(error).toBeInstanceOf(AmbiguousWriteError);
    expect(error).toMatchObject({ code: 'ambiguous', operation: 'uploads.chunk', retryable: false });
    expect(error.message).toMatch(
      /; it may have taken effect: check with meetings\.search before you send it again$/,
    );
    const { verifyWith } = error instanceof AmbiguousWriteError ? error : {};
    if (verifyWith?.operation !== 'meetings.search') throw new Error('Expected a search.');
    let found = 0;
    for await (const page of client.meetings.search(verifyWith.input)) found += page.items.length;
    expect(found).toBe(name === 'cut' || name === 'drop_after' ? 1 : 0);
  });
});

describe('a file of several chunks', () => {
  const bytes = Buffer.alloc(limits.uploadChunkBytes + 5, 'recording');

  it('arrives whole although every one of its requests fails at first', async () => {
    const { faults } = service.sandbox;
    for (const order of [
      { kind: 'status', status: 503 },
      { kind: 'drop_after' },
      { kind: 'garbage', after: 1 },
      { kind: 'cut', after: 2 },
    ] as const) {
      faults.add({ ...order, on: 'uploads.chunk' });
    }
    const client = service.connect();
    const result = await client.uploads.send({ bytes, filename: 'long.mp4' }, {}, { anyType: true });
    expect(faults.list().map(({ happened }) => happened)).toEqual([1, 1, 1, 1]);
    expect(client.waits).toEqual([500, 1000, 500, 500]);
    expect(result).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      chunks: { total: 2, sent: 2, skipped: 0 },
    });
    expect(await service.countMeetings()).toBe(1);
  });
});
