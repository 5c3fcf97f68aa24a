import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

import { describe, expect, it } from 'vitest';

import { findHeadRefusal, verifyDelivery, type VerifyDeliveryInput } from './verify-delivery.ts';

interface ServiceCase {
  name: string;
  secret: string;
  timestamp: string;
  body_base64: string;
  signature: string;
}

const service: { cases: ServiceCase[] } = JSON.parse(
  readFileSync(new URL('../../../test/vectors/service-deliveries.json', import.meta.url), 'utf8'),
);

const secret = 'whsec_0123456789abcdef';
const otherSecret = 'whsec_fedcba9876543210';
const nowSeconds = 1_783_425_600;
const body = Buffer.from('{"a":1}');
const mac = '6228b6d083aca9bd5b0b1cf5fce55638a37ad999c3a54821b1e6fa282a6c15ad';
const signature = `sha256=${mac}`;
const otherMac = 'a5ff097bd1037a9a076ae0c8dfa584a79675bf2921e5152dfbd833d6f6bde017';

/** A genuine delivery, with one thing changed. */
function verify(change: Partial<VerifyDeliveryInput> = {}) {
  return verifyDelivery({
    body,
    signature,
    timestamp: '1783425600',
    secrets: [secret],
    nowSeconds,
    ...change,
  });
}

/** Signs any timestamp text, valid or not, with nothing of the package. */
function signText(timestamp: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

describe('a genuine delivery', () => {
  it('is accepted, and its MAC is reported', () => {
    expect(verify()).toStrictEqual({ ok: true, secretIndex: 0 });
  });

  it.each(service.cases)('of the vectors is accepted: $name', (vector) => {
    expect(
      verify({
        body: Buffer.from(vector.body_base64, 'base64'),
        signature: vector.signature,
        timestamp: vector.timestamp,
        secrets: [vector.secret],
        nowSeconds: Number(vector.timestamp),
      }),
    ).toStrictEqual({ ok: true, secretIndex: 0 });
  });

  it('is accepted as any kind of bytes: a plain array, a view of a larger buffer, bytes of another realm', () => {
    const larger = Buffer.from('xx{"a":1}yy');
    const foreign: Uint8Array = vm.runInNewContext('Uint8Array.from([123, 34, 97, 34, 58, 49, 125])');
    expect(foreign instanceof Uint8Array).toBe(false);
    for (const bytes of [Uint8Array.from(body), larger.subarray(2, 9), foreign]) {
      expect(verify({ body: bytes })).toStrictEqual({ ok: true, secretIndex: 0 });
    }
  });

  it('is accepted with headers as lists of one line', () => {
    expect(verify({ signature: [signature], timestamp: ['1783425600'] }).ok).toBe(true);
  });

  it('says which of several secrets signed it, the first one if it stands twice', () => {
    expect(verify({ secrets: [otherSecret, secret] })).toStrictEqual({ ok: true, secretIndex: 1 });
    expect(verify({ secrets: [secret, otherSecret] })).toStrictEqual({ ok: true, secretIndex: 0 });
    expect(verify({ secrets: [secret, secret] })).toStrictEqual({ ok: true, secretIndex: 0 });
    expect(verify({ secrets: [secret, otherSecret], signature: `sha256=${otherMac}` })).toStrictEqual({
      ok: true,
      secretIndex: 1,
    });
  });
});

describe('the clock', () => {
  it.each([
    [-300, { ok: true, secretIndex: 0 }],
    [-301, { ok: false, reason: 'too_new' }],
    [-300.001, { ok: false, reason: 'too_new' }],
    [0, { ok: true, secretIndex: 0 }],
    [300, { ok: true, secretIndex: 0 }],
    [300.001, { ok: false, reason: 'too_old' }],
    [301, { ok: false, reason: 'too_old' }],
    [50 * 365 * 86_400, { ok: false, reason: 'too_old' }],
  ])('%d s after the timestamp, with the usual tolerance', (age, result) => {
    expect(verify({ nowSeconds: nowSeconds + age })).toStrictEqual(result);
  });

  it('takes another tolerance, down to none', () => {
    expect(verify({ nowSeconds: nowSeconds + 301, toleranceSeconds: 301 }).ok).toBe(true);
    expect(verify({ toleranceSeconds: 0 }).ok).toBe(true);
    expect(verify({ nowSeconds: nowSeconds + 1, toleranceSeconds: 0 })).toStrictEqual({
      ok: false,
      reason: 'too_old',
    });
    expect(verify({ nowSeconds: nowSeconds - 1, toleranceSeconds: 0 })).toStrictEqual({
      ok: false,
      reason: 'too_new',
    });
  });

  it('accepts the last second that eleven digits hold', () => {
    expect(
      verify({
        timestamp: '99999999999',
        signature: 'sha256=2df8eb046ef0ee629831fe383141ef48d782501019f211e14580cad78fbfceb7',
        nowSeconds: 99_999_999_999,
      }).ok,
    ).toBe(true);
  });
});

describe('the signature header', () => {
  it.each([
    ['absent', undefined, 'missing_signature'],
    ['a list without lines', [], 'missing_signature'],
    ['empty', '', 'malformed_signature'],
    ['two equal lines', [signature, signature], 'doubled_signature'],
    ['a good and a bad line', [signature, `sha256=${'0'.repeat(64)}`], 'doubled_signature'],
    ['two values joined by a comma', `${signature}, ${signature}`, 'malformed_signature'],
    ['two values joined in a list of one', [`${signature},${signature}`], 'malformed_signature'],
    ['upper-case digits', `sha256=${mac.toUpperCase()}`, 'malformed_signature'],
    ['without the algorithm', mac, 'malformed_signature'],
    ['cut to 128 bits', `sha256=${mac.slice(0, 32)}`, 'malformed_signature'],
    ['only the algorithm', 'sha256=', 'malformed_signature'],
    ['of zeros', `sha256=${'0'.repeat(64)}`, 'wrong_signature'],
    ['of another secret', `sha256=${otherMac}`, 'wrong_signature'],
    ['with its last bit changed', `sha256=${mac.slice(0, -1)}c`, 'wrong_signature'],
    ['with its first bit changed', `sha256=e${mac.slice(1)}`, 'wrong_signature'],
  ])('%s', (_form, value, reason) => {
    expect(verify({ signature: value })).toStrictEqual({ ok: false, reason });
  });

  it('of a type that no HTTP server hands over is refused, not coerced', () => {
    // @ts-expect-error: a list in a list would read as its text
    expect(verify({ signature: [[signature]] })).toStrictEqual({ ok: false, reason: 'malformed_signature' });
    // @ts-expect-error: null is how some frameworks say "absent"
    expect(verify({ signature: null })).toStrictEqual({ ok: false, reason: 'malformed_signature' });
  });
});

describe('the timestamp header', () => {
  it.each([
    ['absent', undefined, 'missing_timestamp'],
    ['a list without lines', [], 'missing_timestamp'],
    ['two equal lines', ['1783425600', '1783425600'], 'doubled_timestamp'],
    ['two lines', ['1783425600', '1783425601'], 'doubled_timestamp'],
  ])('%s', (_form, value, reason) => {
    expect(verify({ timestamp: value })).toStrictEqual({ ok: false, reason });
  });

  // Each text is signed as it stands: only its spelling is wrong.
  it.each([
    ['a plus sign', '+1783425600'],
    ['a minus sign', '-1783425600'],
    ['a leading zero', '01783425600'],
    ['two zeros', '00'],
    ['a fraction', '1783425600.0'],
    ['a dot at its end', '1783425600.'],
    ['an exponent', '1783425600e0'],
    ['hex', '0x6a4cea40'],
    ['octal', '0o15223165100'],
    ['binary', '0b1101010010011001110101001000000'],
    ['milliseconds', '1783425600000'],
    ['twelve digits', '100000000000'],
    ['a blank in front', ' 1783425600'],
    ['a blank behind', '1783425600 '],
    ['a line feed behind', '1783425600\n'],
    ['a tab in front', '\t1783425600'],
    ['only a blank', ' '],
    ['nothing', ''],
    ['Arabic digits', '\u0661\u0667\u0668\u0663\u0664\u0662\u0665\u0666\u0660\u0660'],
    ['full-width digits', '\uFF11\uFF17\uFF18\uFF13\uFF14\uFF12\uFF15\uFF16\uFF10\uFF10'],
    ['a comma-joined pair', '1783425600, 1783425600'],
    ['digits grouped by underscores', '1_783_425_600'],
    ['letters behind', '1783425600abc'],
    ['a bigint suffix', '1783425600n'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['an ISO date', '2026-07-07T12:00:00Z'],
    ['a NUL behind', '1783425600\0'],
  ])('with %s is refused although it is signed so', (_form, text) => {
    expect(verify({ timestamp: text, signature: signText(text) })).toStrictEqual({
      ok: false,
      reason: 'malformed_timestamp',
    });
  });

  it('is signed as text: a delivery of another second does not verify', () => {
    expect(verify({ timestamp: '1783425601' })).toStrictEqual({ ok: false, reason: 'wrong_signature' });
  });

  it('of a type that no HTTP server hands over is refused, not coerced', () => {
    // @ts-expect-error: a number has lost its spelling
    expect(verify({ timestamp: 1_783_425_600 })).toStrictEqual({ ok: false, reason: 'malformed_timestamp' });
  });
});

describe('the body', () => {
  const signedFffd = 'sha256=8a22ad042a8a7b9145e92790e85ceee34b19b686bfbe5cf77826e221b4bfac35';
  const signedFf = 'sha256=44864ab0115528488f4b35607bb844661ad1b1b845a3d17152f3cf8175617099';
  const withFffd = Buffer.from('{"a":"\uFFFD"}');
  const withFf = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);

  it('is compared byte by byte: 0xFF is not U+FFFD', () => {
    expect(verify({ body: withFffd, signature: signedFffd }).ok).toBe(true);
    expect(verify({ body: withFf, signature: signedFf }).ok).toBe(true);
    expect(verify({ body: withFf, signature: signedFffd })).toStrictEqual({
      ok: false,
      reason: 'wrong_signature',
    });
    expect(verify({ body: withFffd, signature: signedFf })).toStrictEqual({
      ok: false,
      reason: 'wrong_signature',
    });
  });

  it.each([
    ['a byte order mark in front', Buffer.from('\uFEFF{"a":1}')],
    ['a line feed behind', Buffer.from('{"a":1}\n')],
    ['the same JSON with a blank', Buffer.from('{"a": 1}')],
    ['nothing', Buffer.alloc(0)],
    ['a NUL behind', Buffer.from('{"a":1}\0')],
  ])('changed to %s is refused', (_change, changed) => {
    expect(verify({ body: changed })).toStrictEqual({ ok: false, reason: 'wrong_signature' });
  });

  it('cannot lend bytes to the timestamp', () => {
    // "1783425600." + "5.x" against "17834256005." + "x": the full stop ends the digits.
    const lent = `sha256=${createHmac('sha256', secret).update('1783425600.5.x').digest('hex')}`;
    expect(verify({ timestamp: '1783425600.5', body: Buffer.from('x'), signature: lent })).toStrictEqual({
      ok: false,
      reason: 'malformed_timestamp',
    });
    expect(verify({ timestamp: '1783425600', body: Buffer.from('5.x'), signature: lent }).ok).toBe(true);
  });
});

describe('the secret', () => {
  it.each([
    ' whsec_0123456789abcdef',
    'whsec_0123456789abcdef ',
    'whsec_0123456789abcdef\n',
    'WHSEC_0123456789ABCDEF',
  ])('is used as it is: %j is another one', (other) => {
    expect(verify({ secrets: [other] })).toStrictEqual({ ok: false, reason: 'wrong_signature' });
  });
});

describe('what is looked at first', () => {
  it('is the signature, then the timestamp, then the clock, then the MAC', () => {
    const late = nowSeconds + 1000;
    const wrong = `sha256=${otherMac}`;
    expect(verify({ signature: undefined, timestamp: undefined, nowSeconds: late })).toMatchObject({
      reason: 'missing_signature',
    });
    expect(verify({ signature: 'x', timestamp: undefined, nowSeconds: late })).toMatchObject({
      reason: 'malformed_signature',
    });
    expect(verify({ signature: wrong, timestamp: undefined, nowSeconds: late })).toMatchObject({
      reason: 'missing_timestamp',
    });
    expect(verify({ signature: wrong, nowSeconds: late })).toMatchObject({ reason: 'too_old' });
    expect(verify({ signature: wrong })).toMatchObject({ reason: 'wrong_signature' });
  });
});

describe('a wrong call', () => {
  it.each([
    '{"a":1}',
    { a: 1 },
    undefined,
    null,
    new ArrayBuffer(7),
    new DataView(new ArrayBuffer(7)),
    [123],
  ])('throws on a body that is not bytes (%#)', (wrongBody) => {
    // @ts-expect-error: a caller without types
    expect(() => verify({ body: wrongBody })).toThrow(TypeError);
  });

  it('throws on a body that only claims to be bytes, even where no MAC is computed', () => {
    const claims = { [Symbol.toStringTag]: 'Uint8Array', length: 0 };
    // @ts-expect-error: a caller without types
    expect(() => verify({ body: claims, signature: undefined })).toThrow(TypeError);
  });

  it('throws when there is nothing to verify with', () => {
    expect(() => verify({ secrets: [] })).toThrow(RangeError);
    expect(() => verify({ secrets: [''] })).toThrow(RangeError);
    expect(() => verify({ secrets: [secret, ''] })).toThrow(RangeError);
    // @ts-expect-error: a caller without types
    expect(() => verify({ secrets: secret })).toThrow(TypeError);
    // @ts-expect-error: a caller without types
    expect(() => verify({ secrets: [secret, undefined] })).toThrow(TypeError);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'throws on a tolerance or a clock of %d, which would turn the check off',
    (seconds) => {
      expect(() => verify({ toleranceSeconds: seconds })).toThrow(RangeError);
      expect(() => verify({ nowSeconds: seconds })).toThrow(RangeError);
    },
  );

  it('throws on a tolerance or a clock that is not a number', () => {
    // @ts-expect-error: a caller without types
    expect(() => verify({ toleranceSeconds: '300' })).toThrow(TypeError);
    // @ts-expect-error: a caller without types
    expect(() => verify({ nowSeconds: new Date() })).toThrow(TypeError);
  });

  it('throws for any headers, so that the first delivery shows the mistake', () => {
    expect(() => verify({ secrets: [], signature: undefined })).toThrow(RangeError);
  });

  it('never names the secret', () => {
    for (const call of [() => verify({ secrets: [secret, ''] }), () => verify({ toleranceSeconds: -1 })]) {
      expect(call).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
    }
  });
});

describe('findHeadRefusal', () => {
  const zeros = `sha256=${'0'.repeat(64)}`;
  it.each([
    [{}, undefined],
    [{ signature: undefined }, 'missing_signature'],
    [{ signature: 'sha256=0' }, 'malformed_signature'],
    [{ signature: [zeros, zeros] }, 'doubled_signature'],
    [{ timestamp: undefined }, 'missing_timestamp'],
    [{ timestamp: '+1' }, 'malformed_timestamp'],
    [{ timestamp: '1783425299' }, 'too_old'],
    [{ timestamp: '1783425300' }, undefined],
    [{ timestamp: '1783425901' }, 'too_new'],
    [{ timestamp: '1783425900' }, undefined],
  ])('of %j is %s, whatever the body is', (other, reason) => {
    const head = { signature: zeros, timestamp: '1783425600', nowSeconds: 1_783_425_600, ...other };
    expect(findHeadRefusal(head)).toBe(reason);
  });
});
