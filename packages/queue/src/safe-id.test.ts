import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { toSafeId } from './safe-id.ts';

it('leaves plain ids as they are and hashes the others', () => {
  expect(toSafeId('a1b2_C-3')).toBe('a1b2_C-3');
  expect(toSafeId('12345')).toBe('5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5');
  expect(toSafeId('a:b')).toBe('6783a31eabf68ccc0660f935c0826282bdd2241f3a80a9f2d10d59aea9ebb5d8');
});

it('makes every text an id that BullMQ and PostgreSQL take', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 200 }), (text) => {
      expect(toSafeId(text)).toMatch(/^(?!-?\d+$)[A-Za-z0-9_-]{1,128}$/);
    }),
    { numRuns: 50 },
  );
});
