import { afterEach, expect, it } from 'vitest';

import { createSandboxClock } from '../clock/sandbox-clock.ts';
import { noJournal } from '../state/journal.ts';
import { createUploadStore } from './upload-store.ts';
import type { ChunkInput, UploadResult } from './upload.ts';

const clock = createSandboxClock(() => 0);

const openStore = () =>
  createUploadStore({ journal: noJournal, files: undefined, clock, lifetimeHours: () => null });

afterEach(() => {
  clock.reset();
});

const attempt = (id: string, sessionId: string): ChunkInput => ({
  id,
  upload_session_id: sessionId,
  chunk_total: 2,
  chunk_number: 0,
  filename: 'call.mp3',
  expected_file_size: 1,
});

const result = (sha256: string): UploadResult => ({
  sha256,
  bytes: 1,
  meetingId: 'meeting',
  isDuplicate: false,
});

it('remembers which attempts were replaced, the newest 1000', () => {
  const store = openStore();
  for (let number = 0; number <= 1000; number += 1) store.open(attempt('one', `session ${String(number)}`));
  expect(store.list()).toMatchObject([{ upload_session_id: 'session 1000' }]);
  expect(store.open(attempt('one', 'session 0'))).toBeUndefined();
  store.open(attempt('one', 'session 1001'));
  expect(store.open(attempt('one', 'session 1'))).toBeUndefined();
  expect(store.open(attempt('two', 'session 0'))?.facts).toMatchObject({ id: 'two', sessionId: 'session 0' });
});

it('remembers which meeting a content became, of as many contents as there are meetings', async () => {
  const store = openStore();
  const upload = store.open(attempt('one', 'session'));
  if (upload === undefined) throw new TypeError('The first attempt is refused.');
  for (let number = 0; number < 2000; number += 1)
    await store.complete(upload, result(`hash ${String(number)}`));
  expect(store.findContent('hash 0')).toBe('meeting');
  await store.complete(upload, result('hash 2000'));
  expect(store.findContent('hash 0')).toBeUndefined();
  expect(store.findContent('hash 1')).toBe('meeting');
  expect(store.findContent('hash 2000')).toBe('meeting');
});
