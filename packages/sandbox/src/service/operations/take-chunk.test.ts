import { limits } from '@aftermeet/contract';
import { expect, it } from 'vitest';

import { createSandboxClock } from '../clock/sandbox-clock.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import { noJournal } from '../state/journal.ts';
import { createUploadStore } from '../uploads/upload-store.ts';
import { takeChunk } from './take-chunk.ts';

/** Takes chunks of one upload, whose files nobody looks at. */
function startTaking() {
  const clock = createSandboxClock(() => 0);
  const uploads = createUploadStore({
    journal: noJournal,
    files: undefined,
    clock,
    lifetimeHours: () => null,
  });
  // Of the world, a chunk needs no more.
  const world = { uploads, clock } as SandboxWorld;
  const makeInput = (number: number) => ({
    id: 'upload',
    upload_session_id: 'session',
    chunk_total: 1000,
    chunk_number: number,
    filename: 'call.mp4',
    expected_file_size: limits.uploadMaxBytes,
  });
  const take = (number: number, bytes: number) =>
    takeChunk(world, makeInput(number), { path: `/no-such-folder/${String(number)}`, bytes, keep() {} });
  return { take, open: () => uploads.open(makeInput(0)), uploads, clock };
}

it('keeps a chunk that comes while the final request is checked, once that one was refused', async () => {
  const { take, open, clock } = startTaking();
  const upload = open();
  if (upload === undefined) throw new Error('a first chunk always has an upload');
  let refuse = (): void => {};
  upload.completion = new Promise<ServiceAnswer>((resolve) => {
    refuse = () => resolve({ status: 400, text: 'another hash' });
  }).finally(() => {
    upload.completion = undefined;
  });
  const taking = take(0, 5);
  expect(upload.chunks.size).toBe(0);
  refuse();
  expect(await taking).toEqual({ status: 200, json: { accepted: 0 } });
  expect(upload.chunks.get(0)?.bytes).toBe(5);
  clock.stop();
});

it('refuses the chunk with which a file is larger than 3 GB, and takes a smaller one in its place', async () => {
  const { take, uploads, clock } = startTaking();
  const full = limits.uploadChunkBytes;
  // 153 chunks of 20 MiB are 3060 MiB; 12 MiB more are 3 GiB.
  for (let number = 0; number < 153; number += 1) await take(number, full);
  expect(await take(153, 12 * 1024 ** 2 + 1)).toEqual({
    status: 413,
    json: {
      code: 'FILE_TOO_LARGE',
      message: 'With this chunk the file has 3221225473 bytes, and 3221225472 (3 GB) is the most.',
      field: 'file',
    },
  });
  expect(uploads.list()[0]?.bytes).toBe(153 * full);
  expect(await take(0, full)).toEqual({ status: 200, json: { accepted: 0 } });
  expect(await take(153, 12 * 1024 ** 2)).toEqual({ status: 200, json: { accepted: 153 } });
  expect(await take(154, 1)).toMatchObject({ status: 413 });
  clock.stop();
});
