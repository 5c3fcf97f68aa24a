import { describe, expect, it } from 'vitest';

import { deriveSecret } from './derive-secret.ts';
import { verifyDelivery } from './verify-delivery.ts';

// The errors of wrong calls without types: they name the value and the rule, and never show a secret.

const secret = 'whsec_0123456789abcdef';
const call = {
  body: Buffer.from('{}'),
  signature: undefined,
  timestamp: undefined,
  secrets: [secret],
  nowSeconds: 1,
};

describe('a wrong call of verifyDelivery says', () => {
  it.each([
    [
      { body: '{}' },
      new TypeError(
        'The body must be the raw bytes (Uint8Array or Buffer), as they came: text or parsed JSON has lost what was signed.',
      ),
    ],
    [{ secrets: secret }, new TypeError('secrets must be a list of strings.')],
    [{ secrets: undefined }, new TypeError('secrets must be a list of strings.')],
    [{ secrets: [] }, new RangeError('secrets is empty: with no secret nothing can be verified.')],
    [{ secrets: [secret, 5] }, new TypeError('The secret must be a string, found number.')],
    [{ secrets: [undefined] }, new TypeError('The secret must be a string, found undefined.')],
    [{ secrets: [secret, ''] }, new RangeError('The secret is empty: everyone could sign with it.')],
    [{ nowSeconds: '1' }, new TypeError('nowSeconds must be a number, found string.')],
    [
      { nowSeconds: Number.NaN },
      new RangeError('nowSeconds must be a finite number of seconds, 0 or more, found NaN.'),
    ],
    [{ toleranceSeconds: null }, new TypeError('toleranceSeconds must be a number, found object.')],
    [
      { toleranceSeconds: -1 },
      new RangeError('toleranceSeconds must be a finite number of seconds, 0 or more, found -1.'),
    ],
  ])('what is wrong (%#)', (change, error) => {
    // @ts-expect-error: a caller without types
    expect(() => verifyDelivery({ ...call, ...change })).toThrow(error);
  });
});

describe('a wrong call of deriveSecret says', () => {
  it.each([
    [undefined, 'e', 'k', new TypeError('The master secret must be a string, found undefined.')],
    ['', 'e', 'k', new RangeError('The master secret is empty: everyone could sign with it.')],
    ['m', 1, 'k', new TypeError('The endpoint must be a string, found number.')],
    ['m', 'e', null, new TypeError('The key must be a string, found object.')],
    ['m', '\uD800', 'k', new RangeError('The endpoint holds half of a surrogate pair.')],
    ['m', 'e', 'k\uDC00', new RangeError('The key holds half of a surrogate pair.')],
  ])('what is wrong (%#)', (master, endpoint, key, error) => {
    // @ts-expect-error: a caller without types
    expect(() => deriveSecret(master, endpoint, key)).toThrow(error);
  });
});
