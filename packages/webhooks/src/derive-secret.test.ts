import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deriveSecret } from './derive-secret.ts';

const master = 'master-0123456789abcdef';

describe('deriveSecret', () => {
  // Computed with Python's hmac and struct.
  it.each([
    [master, 'default', 'm_1', '5a5cbdb8c16186c43d26ddcda9345dcb1e42b3b8b4e33f873db00758a0b35288'],
    [
      'another-master-9876543210',
      'default',
      'm_1',
      'dd8db579e31e69c55ddcf8462c13d4cff91498eac8056930384c309e298270f5',
    ],
    [master, 'a', 'bc', 'a98dabfc9d1591f5850cce9f60c766f6424855b7d7c467816ceec1456253f54f'],
    [master, 'ab', 'c', 'dd3dfdc324dd80c301899fd15dc0c391b5a006acb07649393e03c728eb3e831c'],
    [master, 'default', '', '9d72379b353f62dba941ed521f1308e8e75100fd58dc0da4d167c1150b1c6e6b'],
    [
      'мастер-мастер-мастер',
      'продажи',
      'встреча-🛑',
      'a92ba0f873ec2576afbda53c329565a6177e73b2ccfff46d7dd8ddd3295cedf4',
    ],
  ])('gives the same secret at all times: %s, %s, %s', (of, endpoint, key, secret) => {
    expect(deriveSecret(of, endpoint, key)).toBe(secret);
  });

  it('gives 64 lowercase hex digits, another one for every other pair', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, text, (endpoint, key, otherEndpoint, otherKey) => {
        const secret = deriveSecret(master, endpoint, key);
        expect(secret).toMatch(/^[0-9a-f]{64}$/);
        const isSamePair = endpoint === otherEndpoint && key === otherKey;
        expect(deriveSecret(master, otherEndpoint, otherKey) === secret).toBe(isSamePair);
      }),
    );
  });

  it('keeps endpoint and key apart wherever the text is cut', () => {
    const text = 'a:b/c\0d\u0000\u0000\u0000\u0001e';
    const secrets = Array.from(text, (_, cut) => deriveSecret(master, text.slice(0, cut), text.slice(cut)));
    expect(new Set(secrets).size).toBe(text.length);
  });

  it('refuses half of a surrogate pair, which UTF-8 would turn into U+FFFD', () => {
    expect(() => deriveSecret(master, '\uD800', 'k')).toThrow(RangeError);
    expect(() => deriveSecret(master, 'e', 'k\uDC00')).toThrow(RangeError);
  });

  it('refuses an empty master and values that are not text', () => {
    expect(() => deriveSecret('', 'e', 'k')).toThrow(RangeError);
    // @ts-expect-error: a caller without types
    expect(() => deriveSecret(undefined, 'e', 'k')).toThrow(TypeError);
    // @ts-expect-error: a caller without types
    expect(() => deriveSecret(master, 'e', undefined)).toThrow(TypeError);
    // @ts-expect-error: a caller without types
    expect(() => deriveSecret(master, 1, 'k')).toThrow(TypeError);
  });
});
