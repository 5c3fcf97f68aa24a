import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isStandardWebhook, readStandardSigningKey, signStandardWebhook } from './standard-webhook.ts';

const standardKey = readStandardSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') ?? Buffer.alloc(0);

it('signs as the example of Standard Webhooks does', () => {
  const part = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAtMs: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  };
  expect(signStandardWebhook(part, [standardKey])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('signs once for each key, by the bytes of UTF-8', () => {
  const other = readStandardSigningKey('sixteen characters') ?? Buffer.alloc(0);
  const part = { id: 'e1', sentAtMs: 1_800_000_000_999, body: '{"title":"Планёрка"}' };
  expect(signStandardWebhook(part, [standardKey, other])).toEqual({
    'webhook-id': 'e1',
    'webhook-timestamp': '1800000000',
    'webhook-signature':
      'v1,8a/MzgLhyaOyJ0Y+nlZya7R2tA+OQTdsE6OvMCsErX8= v1,S9u39Jd7/PqLm07PVAhgYkL3yfpUbfxdOe6lAqM+PV4=',
  });
});

it.each([
  ['whsec_', undefined],
  ['whsec_not base64 at all, though long enough for it', undefined],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 24],
  ['whsec_dG9vIHNob3J0', undefined],
  ['fifteen letters', undefined],
  ['sixteen letters!', 16],
  [' sixteen letters!', undefined],
])('reads the secret %j', (secret, bytes) => {
  expect(readStandardSigningKey(secret)?.length).toBe(bytes);
});

describe('isStandardWebhook', () => {
  // The reference vector of Standard Webhooks (github.com/standard-webhooks/standard-webhooks, MIT): facts, recomputed.
  const example = {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: Buffer.from('{"test": 2432232314}'),
    headers: {
      'webhook-id': ['msg_p5jXN8AQM9LWM0D4loKWxJek'],
      'webhook-timestamp': ['1614265330'],
      'webhook-signature': ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    },
  };
  const check = { secrets: [example.secret], nowSeconds: 1_614_265_330, toleranceSeconds: 300 };

  it('takes the reference vector, among other signatures and by any of the secrets', () => {
    expect(isStandardWebhook(example, check)).toBe(true);
    const listed =
      'v1a,AAAA v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(
      isStandardWebhook(
        { ...example, headers: { ...example.headers, 'webhook-signature': [listed] } },
        check,
      ),
    ).toBe(true);
    expect(
      isStandardWebhook(example, { ...check, secrets: ['another-one-of-16-characters', example.secret] }),
    ).toBe(true);
  });

  it.each([
    ['another body', { body: Buffer.from('{"test": 2432232315}') }, {}, {}],
    ['another id', {}, { 'webhook-id': ['msg_p5jXN8AQM9LWM0D4loKWxJel'] }, {}],
    ['a full stop in the id', {}, { 'webhook-id': ['msg.1'] }, {}],
    ['another timestamp', {}, { 'webhook-timestamp': ['1614265331'] }, {}],
    [
      'a doubled signature',
      {},
      { 'webhook-signature': [...example.headers['webhook-signature'], 'v1,x'] },
      {},
    ],
    ['no signature', {}, { 'webhook-signature': undefined }, {}],
    [
      'another spelling of the signature',
      {},
      { 'webhook-signature': ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OF='] },
      {},
    ],
    ['a clock 301 seconds on', {}, {}, { nowSeconds: check.nowSeconds + 301 }],
    ['a clock 301 seconds back', {}, {}, { nowSeconds: check.nowSeconds - 301 }],
    ['another secret', {}, {}, { secrets: ['another-one-of-16-characters'] }],
  ])('refuses %s', (_name, delivery, headers, changes) => {
    const changed = { ...example, ...delivery, headers: { ...example.headers, ...headers } };
    expect(isStandardWebhook(changed, { ...check, ...changes })).toBe(false);
  });

  it('accepts what signStandardWebhook signs, and refuses a body with one changed bit', () => {
    const keyBytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(keyBytes, fc.string({ minLength: 1 }), fc.nat(), (bytes, text, at) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const keys = [readStandardSigningKey(secret)].filter((key) => key !== undefined);
        const signed = signStandardWebhook({ id: 'e1', sentAtMs: 1_800_000_000_000, body: text }, keys);
        const headers = Object.fromEntries(Object.entries(signed).map(([name, line]) => [name, [line]]));
        const asked = { secrets: [secret], nowSeconds: 1_800_000_000, toleranceSeconds: 300 };
        const body = Buffer.from(text);
        expect(isStandardWebhook({ body, headers }, asked)).toBe(true);
        const bit = at % (8 * body.length);
        body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(isStandardWebhook({ body, headers }, asked)).toBe(false);
      }),
    );
  });

  it('throws when no secret could have signed: that check would let nothing through without a word', () => {
    expect(() => isStandardWebhook(example, { ...check, secrets: ['whsec_short'] })).toThrow(RangeError);
  });
});
