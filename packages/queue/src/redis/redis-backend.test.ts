import { expect, it } from 'vitest';

import { createReconnectRule } from './redis-backend.ts';

it.each([
  "READONLY You can't write against a read only replica.",
  "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica.",
])('connects anew, at most once a second, after: %s', (text) => {
  let nowMs = 0;
  const isToReconnect = createReconnectRule(() => nowMs);
  expect(isToReconnect(new Error('ERR something else'))).toBe(false);
  expect(isToReconnect(new Error(text))).toBe(true);
  nowMs = 999;
  expect(isToReconnect(new Error(text))).toBe(false);
  nowMs = 1000;
  expect(isToReconnect(new Error(text))).toBe(true);
});
