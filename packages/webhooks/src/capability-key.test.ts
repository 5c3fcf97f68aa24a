import { describe, expect, it } from 'vitest';

import { deriveCapabilityKey, isCapabilityKey } from './capability-key.ts';

const master = 'master-secret-0123456789';

describe('deriveCapabilityKey', () => {
  // Computed with Python's hmac and struct.
  it.each([
    [master, 'uploads', 'm_1', 'm_1.370ae0f96c3a04147376394f8438fe32'],
    [master, 'uploads', 'm_2', 'm_2.6a7d7ea377340debea11b481313624d4'],
    [master, 'closed', 'm_1', 'm_1.6bea33e8b1bac6977a1122d1669607b2'],
    ['other-master-0123456789', 'uploads', 'm_1', 'm_1.12d16ca576f2532a6af4d7b686d5836e'],
  ])('gives the same key at all times: %s, %s, %s', (of, endpoint, name, key) => {
    expect(deriveCapabilityKey(of, endpoint, name)).toBe(key);
    expect(isCapabilityKey(of, endpoint, key)).toBe(true);
  });

  it.each(['a', '0', 'a-b_C9', 'a'.repeat(64)])('takes the name %s', (name) => {
    expect(isCapabilityKey(master, 'e', deriveCapabilityKey(master, 'e', name))).toBe(true);
  });

  it.each(['', '.', 'a.b', '_a', '-a', 'a b', 'a/b', 'ä', 'a\n', ' a', 'a'.repeat(65)])(
    'refuses the name %j, which could not stand in an address or be read back',
    (name) => {
      expect(() => deriveCapabilityKey(master, 'e', name)).toThrow(
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
    expect(isCapabilityKey(master, 'uploads', key)).toBe(true);
    expect(isCapabilityKey(master, 'closed', key)).toBe(false);
    expect(isCapabilityKey('other-master-0123456789', 'uploads', key)).toBe(false);
  });

  it('knows a name of one letter, and of 64', () => {
    for (const name of ['a', 'b'.repeat(64)]) {
      expect(isCapabilityKey(master, 'e', deriveCapabilityKey(master, 'e', name))).toBe(true);
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
    expect(isCapabilityKey(master, 'uploads', other)).toBe(false);
  });
});
