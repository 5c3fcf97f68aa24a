import { describe, expect, it } from 'vitest';

import { localDateTime, participants, webAddress } from './fields.ts';
import { limits } from './limits.ts';
import { isTimeZone } from './time-zone.ts';

describe('a web address', () => {
  it.each([
    'https://meet.example/a',
    'http://127.0.0.1:8080',
    'HTTPS://MEET.EXAMPLE',
    'https://пример.рф/ю?x=1#y',
    'http://[::1]:1/',
  ])('takes %j as it is', (address) => {
    expect(webAddress.parse(address)).toBe(address);
  });

  it.each([
    '',
    'meet.example',
    '//meet.example',
    'https:meet.example',
    'https://',
    'https:///x y',
    ' https://meet.example',
    'https://meet.example\n',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://meet.example:99999',
    'https://x\uD800',
  ])('refuses %j', (address) => {
    expect(webAddress.safeParse(address).success).toBe(false);
  });
});

describe('a planned start', () => {
  it.each(['2026-07-07T12:00:00Z', '2026-07-07T12:00:00+03:00', '2028-02-29T00:00:00.250-11:30'])(
    'takes %j',
    (text) => {
      expect(localDateTime.safeParse(text).success).toBe(true);
    },
  );

  it.each([
    '2026-07-07T12:00:00',
    '2026-07-07',
    '2026-02-29T12:00:00Z',
    '2026-07-07T24:00:00Z',
    '2026-07-07 12:00:00Z',
    '2026-07-07T12:00:00+3',
    '1783425600',
  ])('refuses %j', (text) => {
    expect(localDateTime.safeParse(text).success).toBe(false);
  });
});

describe('participants', () => {
  it.each([
    'a',
    'a@b',
    '@b.example',
    'a@b.example, c@d.example',
    'a@b.example\nBcc: x@y.example',
    'Ann <a@b.example>',
    '',
  ])('refuses %j as one address', (address) => {
    expect(participants.safeParse([address]).success).toBe(false);
  });
});

describe('isTimeZone', () => {
  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'])('knows %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', ' ', 'Mars/Olympus', '+03:00', '-0300', 'Europe/Berlin ', 'Europe', 'GMT+3:00'])(
    'does not know %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe('limits', () => {
  it('are those of the specification', () => {
    expect(limits).toStrictEqual({
      uploadMaxBytes: 3_221_225_472,
      uploadChunkBytes: 20_971_520,
      schedulingHorizonMonths: 3,
      deliveryToleranceSeconds: 300,
      tagPageSize: 100,
      searchPageSize: 50,
      secretMinLength: 16,
      secretMaxLength: 128,
    });
  });
});
