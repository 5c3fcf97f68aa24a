import { expect, it } from 'vitest';

import { sizeOfEntry, toInboxEntry } from './inbox-entry.ts';

const job = { endpoint: 'e', receivedAt: 'r', body: '日本' };

it.each([
  [0, 1],
  [0.0005, 1],
  [660, 660_000],
  [31_536_000, 31_536_000_000],
  [31_536_001, 31_536_000_000],
  [1e300, 31_536_000_000],
])('keeps a delivery known for %d s as %d ms, a year at most', (keepSeconds, keepMs) => {
  expect(toInboxEntry({ jobId: 'a', job, keepSeconds }).keepMs).toBe(keepMs);
});

it('weighs an entry in bytes, as it is sent', () => {
  const entry = toInboxEntry({ jobId: 'a', job, keepSeconds: 1 });
  expect(entry.data).toBe('{"endpoint":"e","receivedAt":"r","body":"日本"}');
  expect(sizeOfEntry(entry)).toBe(49);
});
