import { openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { describe, expect, it } from 'vitest';

import { openApprovalKey, readApprovalToken, writeApprovalToken } from './approval-links.ts';
import { openSharedStore } from './store/open-stores.ts';

const key = '0b'.repeat(32);
const id = 'a'.repeat(80);

describe('an approval token', () => {
  const token = writeApprovalToken(key, id);

  it('names its request under its key alone', () => {
    expect(token).toHaveLength(144);
    expect(readApprovalToken(key, token)).toBe(id);
    expect(readApprovalToken('0c'.repeat(32), token)).toBeUndefined();
  });

  it.each([
    ['another id', `b${token.slice(1)}`],
    ['another MAC', `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['a shorter one', token.slice(0, -2)],
    ['a longer one', `${token}00`],
    ['capitals', token.toUpperCase()],
    ['an id alone', id],
    ['nothing', ''],
  ])('is refused: %s', (_name, altered) => {
    expect(readApprovalToken(key, altered)).toBeUndefined();
  });
});

describeEachStore(
  'the key of approval links',
  (kind) => {
    it('is made once, whoever asks first', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const shared = await openSharedStore(backend, silentLog);
      const keys = await Promise.all([1, 2, 3].map(() => openApprovalKey(shared, Date.now())));
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set([...keys, await openApprovalKey(shared, Date.now())]).size).toBe(1);
      await shared.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis', 'postgres'],
);
