import { describe, expect, it } from 'vitest';

import { formatSignature, parseSignature } from './signature-text.ts';

const hex = '6228b6d083aca9bd5b0b1cf5fce55638a37ad999c3a54821b1e6fa282a6c15ad';

describe('signature text', () => {
  it('is the algorithm, an equals sign and 64 lowercase hex digits', () => {
    expect(formatSignature(Buffer.from(hex, 'hex'))).toBe(`sha256=${hex}`);
    expect(parseSignature(`sha256=${hex}`)?.toString('hex')).toBe(hex);
  });

  it.each([
    ['empty text', ''],
    ['only the algorithm', 'sha256='],
    ['no algorithm', hex],
    ['another algorithm', `sha1=${hex}`],
    ['an upper-case algorithm', `SHA256=${hex}`],
    ['upper-case digits', `sha256=${hex.toUpperCase()}`],
    ['one upper-case digit', `sha256=${hex.slice(0, -2)}Ad`],
    ['63 digits', `sha256=${hex.slice(1)}`],
    ['65 digits', `sha256=${hex}0`],
    ['128 bits', `sha256=${hex.slice(0, 32)}`],
    ['a digit that is not hex', `sha256=g${hex.slice(1)}`],
    ['a blank in front', ` sha256=${hex}`],
    ['a blank behind', `sha256=${hex} `],
    ['a line feed behind', `sha256=${hex}\n`],
    ['two values in one line', `sha256=${hex}, sha256=${hex}`],
    ['full-width digits', `sha256=${'\uFF11'.repeat(64)}`],
    ['a NUL behind', `sha256=${hex}\0`],
  ])('is refused with %s', (_form, text) => {
    expect(parseSignature(text)).toBeUndefined();
  });
});
