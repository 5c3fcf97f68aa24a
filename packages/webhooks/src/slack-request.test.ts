import { createHmac } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { verifySlackRequest } from './slack-request.ts';

/** docs.slack.dev, Verifying requests from Slack: the published example. */
const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const text =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
  '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
  '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
  '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const body = Buffer.from(text);
const timestamp = '1531420618';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const published = { body, timestamp, signature };
const atSeconds = 1_531_420_618;

describe('verifySlackRequest', () => {
  it('takes the published example, up to five minutes before and after', () => {
    for (const seconds of [-300, 0, 300])
      expect([seconds, verifySlackRequest(published, secret, atSeconds + seconds)]).toEqual([seconds, true]);
    for (const seconds of [-301, 301, Number.NaN])
      expect([seconds, verifySlackRequest(published, secret, atSeconds + seconds)]).toEqual([seconds, false]);
  });

  it.each([
    ['another secret', published, `${secret.slice(0, -1)}6`],
    ['a changed body', { ...published, body: Buffer.from(text.replace('roadrunner', 'coyote')) }, secret],
    ['an empty body', { ...published, body: Buffer.alloc(0) }, secret],
    ['another time', { ...published, timestamp: '1531420619' }, secret],
    ['a time with a sign', { ...published, timestamp: '+1531420618' }, secret],
    ['a time with a fraction', { ...published, timestamp: '1531420618.0' }, secret],
    ['no time', { ...published, timestamp: undefined }, secret],
    ['no signature', { ...published, signature: undefined }, secret],
    ['a short signature', { ...published, signature: signature.slice(0, -2) }, secret],
    [
      'a signature in capitals',
      { ...published, signature: signature.toUpperCase().replace('V0', 'v0') },
      secret,
    ],
    ['another version', { ...published, signature: signature.replace('v0', 'v1') }, secret],
    ['no version', { ...published, signature: signature.slice(3) }, secret],
  ])('refuses %s', (_name, request, key) => {
    expect(verifySlackRequest(request, key, atSeconds)).toBe(false);
  });

  it('refuses every changed bit, and takes what it was made of', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 7 }),
        fc.nat(),
        (bytes, bit, place) => {
          const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex');
          const signed = { body: bytes, timestamp, signature: `v0=${mac}` };
          const changed = Uint8Array.from(bytes);
          changed[place % bytes.length] = (changed[place % bytes.length] ?? 0) ^ (1 << bit);
          return (
            verifySlackRequest(signed, secret, atSeconds) &&
            !verifySlackRequest({ ...signed, body: changed }, secret, atSeconds)
          );
        },
      ),
    );
  });
});
