import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { computeMac } from './compute-mac.ts';
import { formatSignature, parseSignature } from './signature-text.ts';

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

const bytes = (hex: string) => Buffer.from(hex, 'hex');

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
