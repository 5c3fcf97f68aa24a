import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deriveCapabilityKey, deriveSecret, isCapabilityKey } from './derive-secret.ts';

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

const capabilityMaster = 'master-secret-0123456789';

describe('deriveCapabilityKey', () => {
  // Computed with Python's hmac and struct.
  it.each([
    [capabilityMaster, 'uploads', 'm_1', 'm_1.370ae0f96c3a04147376394f8438fe32'],
    [capabilityMaster, 'uploads', 'm_2', 'm_2.6a7d7ea377340debea11b481313624d4'],
    [capabilityMaster, 'closed', 'm_1', 'm_1.6bea33e8b1bac6977a1122d1669607b2'],
    ['other-master-0123456789', 'uploads', 'm_1', 'm_1.12d16ca576f2532a6af4d7b686d5836e'],
  ])('gives the same key at all times: %s, %s, %s', (of, endpoint, name, key) => {
    expect(deriveCapabilityKey(of, endpoint, name)).toBe(key);
    expect(isCapabilityKey(of, endpoint, key)).toBe(true);
  });

  it.each(['a', '0', 'a-b_C9', 'a'.repeat(64)])('takes the name %s', (name) => {
    expect(isCapabilityKey(capabilityMaster, 'e', deriveCapabilityKey(capabilityMaster, 'e', name))).toBe(
      true,
    );
  });

  it.each(['', '.', 'a.b', '_a', '-a', 'a b', 'a/b', 'ä', 'a\n', ' a', 'a'.repeat(65)])(
    'refuses the name %j, which an address cannot hold unchanged',
    (name) => {
      expect(() => deriveCapabilityKey(capabilityMaster, 'e', name)).toThrow(
        new RangeError('The name of a capability must be 1 to 64 letters, digits, _ and -.'),
      );
    },
  );

  it('refuses an empty master', () => {
    expect(() => deriveCapabilityKey('', 'e', 'a')).toThrow(RangeError);
  });
});

describe('isCapabilityKey', () => {
  const key = 'm_1.370ae0f96c3a04147376394f8438fe32';

  it('knows its own and no other', () => {
    expect(isCapabilityKey(capabilityMaster, 'uploads', key)).toBe(true);
    expect(isCapabilityKey(capabilityMaster, 'closed', key)).toBe(false);
    expect(isCapabilityKey('other-master-0123456789', 'uploads', key)).toBe(false);
  });

  it('knows a name of one letter, and of 64', () => {
    for (const name of ['a', 'b'.repeat(64)]) {
      expect(isCapabilityKey(capabilityMaster, 'e', deriveCapabilityKey(capabilityMaster, 'e', name))).toBe(
        true,
      );
    }
  });

  it.each([
    '',
    '.',
    'm_1',
    'm_1.',
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    `x${key}`,
    `m_2${key.slice(3)}`,
    key.replace('.', ''),
    key.replace('.', 'x'),
    key.slice(3),
    key.toUpperCase(),
    `m_1.${'0'.repeat(32)}`,
    `m_1.${'g'.repeat(32)}`,
    `${key}${key}`,
    `_m.${key.slice(4)}`,
    // A right tag under a name that is none.
    '_a.aa563bcfa6865dc3946c59b6ba278a02',
    '-a.bcdfb90fa34bee78dbf8ee5b7624bfda',
    'a b.baefee5d265b43aa4128772de45f737a',
    `${'a'.repeat(65)}.3d6d6aa2d7214456f9a0dc7e4f28b225`,
    '.8da0542cdbe03217b54ffafd31abd0fe',
    ' a.cd546d0517a5eea31beb6fc771dbb068',
    `${'a'.repeat(65)}.${key.slice(4)}`,
  ])('refuses %j, and never throws', (other) => {
    expect(isCapabilityKey(capabilityMaster, 'uploads', other)).toBe(false);
  });
});
