import { limits } from '@aftermeet/contract';
import { expect, it } from 'vitest';

import { createSandboxClock } from '../clock/sandbox-clock.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { noJournal } from '../state/journal.ts';
import { createUploadStore } from '../uploads/upload-store.ts';
import { takeChunk } from './take-chunk.ts';

it('refuses the chunk with which a file is larger than 3 GB, and takes a smaller one in its place', async () => {
  const clock = createSandboxClock(() => 0);
  const uploads = createUploadStore({
    journal: noJournal,
    files: undefined,
    clock,
    lifetimeHours: () => null,
  });
  // Of the world, a chunk needs no more.
  const world = { uploads, clock } as SandboxWorld;
  const take = (number: number, bytes: number) => {
    const input = {
      id: 'upload',
      upload_session_id: 'session',
      chunk_total: 1000,
      chunk_number: number,
      filename: 'call.mp4',
      expected_file_size: limits.uploadMaxBytes,
    };
    return takeChunk(world, input, { path: `/no-such-folder/${String(number)}`, bytes, keep() {} });
  };
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
