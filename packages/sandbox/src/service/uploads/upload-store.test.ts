import { expect, it } from 'vitest';

import { createUploadStore } from './upload-store.ts';
import type { ChunkInput } from './upload.ts';

const attempt = (id: string, sessionId: string): ChunkInput => ({
  id,
  upload_session_id: sessionId,
  chunk_total: 2,
  chunk_number: 0,
  filename: 'call.mp3',
  expected_file_size: 1,
});

it('remembers which attempts were replaced, the newest 1000', () => {
  const store = createUploadStore();
  for (let number = 0; number <= 1000; number += 1) store.open(attempt('one', `session ${String(number)}`));
  expect(store.list()).toMatchObject([{ upload_session_id: 'session 1000' }]);
  expect(store.open(attempt('one', 'session 0'))).toBeUndefined();
  store.open(attempt('one', 'session 1001'));
  expect(store.open(attempt('one', 'session 1'))).toBeUndefined();
  expect(store.open(attempt('two', 'session 0'))).toMatchObject({ id: 'two', sessionId: 'session 0' });
});

it('remembers which meeting a content became, of as many contents as there are meetings', () => {
  const store = createUploadStore();
  for (let number = 0; number < 2000; number += 1) store.noteContent(`hash ${String(number)}`, 'meeting');
  expect(store.findContent('hash 0')).toBe('meeting');
  store.noteContent('hash 2000', 'meeting');
  expect(store.findContent('hash 0')).toBeUndefined();
  expect(store.findContent('hash 1')).toBe('meeting');
  expect(store.findContent('hash 2000')).toBe('meeting');
});
