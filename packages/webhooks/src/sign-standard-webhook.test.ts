import { expect, it } from 'vitest';

import { signStandardWebhook } from './sign-standard-webhook.ts';
import { readStandardSigningKey } from './standard-signing-key.ts';

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
