import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { signDelivery } from './sign-delivery.ts';
import { findHeadRefusal, verifyDelivery, type HeaderValue } from './verify-delivery.ts';

const secrets = fc.string({ unit: 'grapheme', minLength: 16, maxLength: 64 });
const asciiSecrets = fc.string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 128 });
const seconds = fc.integer({ min: 0, max: 99_999_999_999 });
const bodies = fc.uint8Array({ maxLength: 2000 });

/** Flips one bit of one character's code. */
function flipInText(text: string, position: number, bit: number): string {
  const index = position % text.length;
  const code = text.charCodeAt(index) ^ (1 << bit);
  return text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
}

describe('signDelivery and verifyDelivery', () => {
  it('agree on every secret, second and body', () => {
    fc.assert(
      fc.property(secrets, seconds, bodies, (secret, timestampSeconds, body) => {
        const signed = signDelivery({ secret, timestampSeconds, body });
        expect(
          verifyDelivery({ ...signed, body, secrets: [secret], nowSeconds: timestampSeconds }),
        ).toStrictEqual({
          ok: true,
          secretIndex: 0,
        });
      }),
    );
  });

  it('refuse any single changed bit of body, timestamp, signature or secret', () => {
    fc.assert(
      fc.property(
        asciiSecrets,
        seconds,
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        fc.constantFrom('body', 'timestamp', 'signature', 'secret'),
        fc.nat(10_000),
        fc.integer({ min: 0, max: 6 }),
        (secret, timestampSeconds, body, place, position, bit) => {
          const signed = signDelivery({ secret, timestampSeconds, body });
          const changedBody = Uint8Array.from(body);
          const index = position % body.length;
          if (place === 'body') changedBody[index] = (body[index] ?? 0) ^ (1 << bit);
          const result = verifyDelivery({
            body: changedBody,
            timestamp: place === 'timestamp' ? flipInText(signed.timestamp, position, bit) : signed.timestamp,
            signature: place === 'signature' ? flipInText(signed.signature, position, bit) : signed.signature,
            secrets: [place === 'secret' ? flipInText(secret, position, bit) : secret],
            nowSeconds: timestampSeconds,
            // So wide that only the MAC can tell a changed timestamp.
            toleranceSeconds: 1e12,
          });
          expect(result.ok).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('report the position of the one secret that signed', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(asciiSecrets, { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        bodies,
        (list, choice, body) => {
          const secretIndex = choice % list.length;
          const signed = signDelivery({ secret: list[secretIndex] ?? '', timestampSeconds: 1, body });
          expect(verifyDelivery({ ...signed, body, secrets: list, nowSeconds: 1 })).toMatchObject({
            ok: true,
            secretIndex,
          });
        },
      ),
    );
  });

  it('never throw on, and never accept, unsigned headers', () => {
    const almost = fc
      .tuple(
        fc.constantFrom('sha256=', 'SHA256=', 'sha256', ''),
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefABCg')) }),
      )
      .map(([scheme, digits]) => scheme + digits);
    const wellFormed = fc
      .string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 64, maxLength: 64 })
      .map((digits) => `sha256=${digits}`);
    const line = fc.oneof(fc.string({ unit: 'binary' }), almost, wellFormed, seconds.map(String));
    const header: fc.Arbitrary<HeaderValue> = fc.oneof(
      fc.constant(undefined),
      line,
      fc.array(line, { maxLength: 3 }),
    );
    fc.assert(
      fc.property(header, header, bodies, (signature, timestamp, body) => {
        const result = verifyDelivery({
          body,
          signature,
          timestamp,
          secrets: ['whsec_0123456789abcdef'],
          nowSeconds: 1_783_425_600,
          toleranceSeconds: 1e12,
        });
        expect(result.ok).toBe(false);
        const refusal = findHeadRefusal({
          signature,
          timestamp,
          nowSeconds: 1_783_425_600,
          toleranceSeconds: 1e12,
        });
        expect(result).toEqual({ ok: false, reason: refusal ?? 'wrong_signature' });
      }),
      { numRuns: 500 },
    );
  });

  it('never accept a timestamp that is written in another way than it was signed', () => {
    fc.assert(
      fc.property(
        seconds,
        bodies,
        fc.constantFrom('+N', '0N', 'N.0', 'Ne0', 'N ', ' N', 'N000'),
        (second, body, form) => {
          const signed = signDelivery({ secret: 'whsec_0123456789abcdef', timestampSeconds: second, body });
          const result = verifyDelivery({
            ...signed,
            timestamp: form.replace('N', signed.timestamp),
            body,
            secrets: ['whsec_0123456789abcdef'],
            nowSeconds: second,
            toleranceSeconds: 1e15,
          });
          expect(result.ok).toBe(false);
        },
      ),
    );
  });
});
