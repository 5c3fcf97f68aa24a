import { expect, it } from 'vitest';

import { parseAcceptAnswers, sizeOfEntry, toInboxEntry } from './inbox-store.ts';

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

it('reads one digit for each delivery', () => {
  expect(parseAcceptAnswers('3:17:0123', 4)).toEqual({
    lines: { epoch: 3, head: 17 },
    accepted: [
      { kind: 'accepted', isConflict: false },
      { kind: 'duplicate', isConflict: false },
      { kind: 'accepted', isConflict: true },
      { kind: 'duplicate', isConflict: true },
    ],
  });
});

it('takes nothing else for an answer: silence is no acceptance', () => {
  for (const answers of [
    undefined,
    null,
    '',
    '00',
    '0:',
    '0:0',
    '0:000',
    '0:00',
    '1:0:0',
    '1:0:000',
    '1:0:04',
    '1:0:0 ',
    '1::00',
    ':0:00',
    'x:0:00',
    0,
    ['0', '0'],
  ]) {
    expect(() => parseAcceptAnswers(answers, 2)).toThrow('one digit for each delivery');
  }
});
