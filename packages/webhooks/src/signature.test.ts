import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { computeMac, formatSignature, parseSignature } from './signature.ts';

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

interface Rfc4231Case {
  case: string;
  key_hex: string;
  data_hex: string;
  hmac_sha256: string;
}

interface ProviderCase {
  provider: string;
  secret: string;
  signed: string;
  hmac_sha256: string;
}

interface WycheproofTest {
  tcId: number;
  comment: string;
  key: string;
  msg: string;
  tag: string;
  result: 'valid' | 'invalid';
}

interface WycheproofGroup {
  keySize: number;
  tagSize: number;
  tests: WycheproofTest[];
}

const readVectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/${name}`, import.meta.url), 'utf8'));

const rfc4231: { cases: Rfc4231Case[] } = readVectors('rfc4231-hmac-sha256.json');

const providers: { cases: ProviderCase[] } = readVectors('provider-examples.json');

const wycheproof: { numberOfTests: number; testGroups: WycheproofGroup[] } = readVectors(
  'wycheproof-hmac-sha256.json',
);

const bytes = (digits: string) => Buffer.from(digits, 'hex');

/** Verification as deliveries have it: the header's form first, then all 32 bytes. */
function acceptsTag(test: WycheproofTest): boolean {
  const received = parseSignature(`sha256=${test.tag}`);
  return received !== undefined && received.equals(computeMac(bytes(test.key), bytes(test.msg)));
}

describe('computeMac', () => {
  it.each(rfc4231.cases)('agrees with RFC 4231, case $case', ({ key_hex, data_hex, hmac_sha256 }) => {
    expect(computeMac(bytes(key_hex), bytes(data_hex)).toString('hex')).toBe(hmac_sha256);
  });

  it.each(providers.cases)('agrees with the example of $provider', ({ secret, signed, hmac_sha256 }) => {
    expect(computeMac(secret, signed).toString('hex')).toBe(hmac_sha256);
    expect(formatSignature(computeMac(secret, signed.slice(0, 5), Buffer.from(signed.slice(5))))).toBe(
      `sha256=${hmac_sha256}`,
    );
  });

  it('agrees with each of the 174 Wycheproof tests; a tag cut to 128 bits is never accepted', () => {
    let count = 0;
    for (const group of wycheproof.testGroups) {
      for (const test of group.tests) {
        const isWholeTag = group.tagSize === 256;
        expect(acceptsTag(test), `tcId ${test.tcId}: ${test.comment}`).toBe(
          isWholeTag && test.result === 'valid',
        );
        const computed = computeMac(bytes(test.key), bytes(test.msg)).toString('hex');
        expect(computed.startsWith(test.tag), `tcId ${test.tcId}`).toBe(test.result === 'valid');
        count += 1;
      }
    }
    expect(count).toBe(174);
  });
});
