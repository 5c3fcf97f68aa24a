import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { useSharedStore } from '../testing/use-ledger.ts';
import {
  listSuppressions,
  openSuppressions,
  readUnsubscribeToken,
  setSuppression,
  writeUnsubscribeToken,
} from './suppressions.ts';

const key = '0b'.repeat(32);
const whom = { address: 'ann@example.com', meetingId: 'm_1' };

describe('an unsubscribe token', () => {
  const token = writeUnsubscribeToken(key, whom);

  it('names its recipient and meeting under its key alone, and shows neither', () => {
    expect(readUnsubscribeToken(key, token)).toEqual(whom);
    expect(readUnsubscribeToken('0c'.repeat(32), token)).toBeUndefined();
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ann');
    expect(writeUnsubscribeToken(key, { ...whom, address: 'ANN@example.com' })).toBe(token);
    expect(writeUnsubscribeToken(key, { address: 'ann@example.com' })).not.toBe(token);
  });

  it('is refused when anything of it is changed', () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '7', '_'), (at, put) => {
        const altered = token.slice(0, at) + put + token.slice(at + 1);
        const isSame = Buffer.from(altered, 'base64url').equals(Buffer.from(token, 'base64url'));
        expect(readUnsubscribeToken(key, altered)).toEqual(isSame ? whom : undefined);
      }),
    );
  });

  it.each(['', 'x', token.slice(0, -3), `${token}AAAA`, 'a'.repeat(5000), '{}'])('is refused: %s', (text) => {
    expect(readUnsubscribeToken(key, text)).toBeUndefined();
  });
});

describeEachStore(
  'the suppression list',
  (kind) => {
    const open = useSharedStore(() => openTestStore(kind));
    it('covers an address for all meetings or for one, and is shown with who put it there', async () => {
      const { opened: shared } = open();
      const change = { isSuppressed: true, who: 'a test', nowMs: 1000 };
      expect(await setSuppression(shared, { ...change, address: 'Ann@Example.com' })).toBe(true);
      expect(await setSuppression(shared, { ...change, address: 'ann@example.com' })).toBe(false);
      const forOne = { ...change, address: 'bob@example.com', meetingId: 'm_1', nowMs: 2000 };
      expect(await setSuppression(shared, forOne)).toBe(true);
      expect(await setSuppression(shared, { ...change, address: 'U0CLEO', nowMs: 3000 })).toBe(true);
      const list = await openSuppressions(shared);
      expect(list.covers(['ANN@example.com'], 'm_2')).toBe(true);
      expect(list.covers(['bob@example.com'], 'm_1')).toBe(true);
      expect(list.covers(['bob@example.com'], 'm_2')).toBe(false);
      expect(list.covers(['dana@example.com', 'U0CLEO'], 'm_2')).toBe(true);
      expect(list.covers([], 'm_1')).toBe(false);
      await list.close();
      expect(await listSuppressions(shared)).toEqual([
        { address: 'u0cleo', atMs: 3000, who: 'a test' },
        { address: 'bob@example.com', meetingId: 'm_1', atMs: 2000, who: 'a test' },
        { address: 'ann@example.com', atMs: 1000, who: 'a test' },
      ]);
      expect(await setSuppression(shared, { ...forOne, isSuppressed: false })).toBe(true);
      expect(await listSuppressions(shared)).toHaveLength(2);
    });
  },
  ['redis', 'postgres'],
);
