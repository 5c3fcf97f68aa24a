import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import type { ExportInput } from '@aftermeet/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { brokenFaults, catchFault, type FaultyService, startFaultyService } from './faulty-service.ts';

// A file is there whole or not at all, whatever happens on its way.

const operation = 'exports.download: GET /api/storage/download';

let service: FaultyService;
let input: ExportInput;
let content: Buffer;
let folder: string;
let path: string;

beforeAll(async () => {
  service = await startFaultyService();
  input = { meetingId: await service.holdMeeting('Export'), format: 'md' };
  content = await buffer((await service.connect().exports.stream(input)).stream);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faulty-export-'));
  path = join(folder, 'notes.md');
});
afterEach(() => rm(folder, { recursive: true }));

describe('exports.download', () => {
  it.each(brokenFaults)(
    '$name: two of them heal, and every byte is right; in vain it leaves nothing behind',
    async ({ order, code, said }) => {
      service.plan('exports.download', { ...order, times: null });
      const error = await catchFault(service.connect({ retries: 1 }).exports.download(input, path));
      expect(error).toMatchObject({ code, operation: 'exports.download', retryable: true });
      expect(error.message.slice(operation.length + 1)).toMatch(said);
      expect([service.countCalls(), await readdir(folder)]).toEqual([2, []]);

      service.plan('exports.download', { ...order, times: 2 });
      const client = service.connect();
      expect(await client.exports.download(input, path)).toEqual({ path, bytes: content.length });
      expect(await readFile(path)).toEqual(content);
      expect([client.waits.length, service.countCalls()]).toEqual([2, 3]);
      expect(await readdir(folder)).toEqual(['notes.md']);
    },
  );

  it.each([
    ['hang', { kind: 'hang' }],
    ['drip', { kind: 'drip', ms: 60_000 }],
  ] as const)('%s: ends when no further byte comes in time', async (_name, order) => {
    service.plan('exports.download', order);
    const error = await catchFault(
      service.connect({ retries: 0, timeoutMs: 60 }).exports.download(input, path),
    );
    expect(error).toMatchObject({ code: 'timeout', message: `${operation} timeout: no answer in 60 ms` });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('exports.stream', () => {
  it('drip: a slow file may take longer than one answer', async () => {
    const short = { ...input, meetingId: await service.holdMeeting('Silence', { isTranscriptEmpty: true }) };
    service.plan('exports.download', { kind: 'drip', ms: 0 });
    const { stream } = await service.connect({ retries: 0 }).exports.stream(short);
    const slow = await buffer(stream);
    expect(slow).toEqual(await buffer((await service.connect().exports.stream(short)).stream));
  });
});
