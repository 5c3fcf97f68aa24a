import { randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deriveSecret } from './derive-secret.ts';
import { describeWeakSecret } from './describe-weak-secret.ts';

describe('describeWeakSecret', () => {
  it.each([
    ['', 'is empty'],
    ['secret', 'is shorter than 16 characters'],
    ['fifteen-letters', 'is shorter than 16 characters'],
    ['k7'.repeat(20) + 'Zq!x'.repeat(23), 'is longer than 128 characters'],
    [' 3f9a0c71be52d846', 'begins or ends with white space'],
    ['3f9a0c71be52d846\n', 'begins or ends with white space'],
    ['3f9a0c71be52d846\uFEFF', 'begins or ends with white space'],
    ['aaaaaaaaaaaaaaaa', 'repeats a short piece'],
    ['secretsecretsecret', 'repeats a short piece'],
    ['changemechangeme', 'repeats a short piece'],
    ['12345678123456781', 'repeats a short piece'],
    ['0123456789abcdef', 'is a well-known sequence'],
    ['0123-4567-89AB-CDEF', 'is a well-known sequence'],
    ['abcdefghijklmnop', 'is a well-known sequence'],
    ['1234567890123456', 'is a well-known sequence'],
    ['qwertyuiopasdfgh', 'is a well-known sequence'],
    ['your-webhook-secret', 'is made of common words and digits'],
    ['${WEBHOOK_SECRET}', 'is made of common words and digits'],
    ['<your secret here>', 'is made of common words and digits'],
    ['development-secret', 'is made of common words and digits'],
    ['Change-Me-Please-2026', 'is made of common words and digits'],
    ['password1234567890', 'is made of common words and digits'],
    ['3f9a0c71be52d84\uD800', 'holds half of a surrogate pair'],
  ])('says why %j must not be used', (secret, reason) => {
    expect(describeWeakSecret(secret)).toBe(reason);
  });

  it.each([
    '3f9a0c71be52d846',
    'correct horse battery staple',
    'whsec_0123456789abcdef',
    'секрет-секретный-1',
    '8305719264038571',
    '!#%&()*+,-./:;<x',
    '3f9a0c71be52d846'.repeat(8),
    deriveSecret('master-0123456789abcdef', 'default', 'm_1'),
  ])('has nothing against %j', (secret) => {
    expect(describeWeakSecret(secret)).toBeUndefined();
  });

  it('has nothing against random secrets', () => {
    for (let round = 0; round < 200; round += 1) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(describeWeakSecret(randomBytes(24).toString(encoding))).toBeUndefined();
      }
    }
  });

  it('never repeats the secret and never takes long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 4, maxLength: 140 }), (secret) => {
        expect(describeWeakSecret(secret) ?? '').not.toContain(secret);
      }),
    );
    expect(describeWeakSecret(`${'changeme1'.repeat(14)}!`)).toBeDefined();
    expect(describeWeakSecret(`${'mechange'.repeat(8)}${'testtesting'.repeat(5)}z`)).toBeUndefined();
  });
});
