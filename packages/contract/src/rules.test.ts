import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isTimeZone } from './addresses.ts';
import { limits } from './limits.ts';
import { cronExpression, mailAddresses, type Rule, startTime, webAddress } from './rules.ts';

const isRight = (rule: Rule, value: unknown): boolean => rule.check(value).length === 0;

const listExpected = (rule: Rule, value: unknown): string[] =>
  rule.check(value).map(({ expected }) => expected);

describe('a web address', () => {
  it.each([
    'https://meet.example/a',
    'http://127.0.0.1:8080',
    'HTTPS://MEET.EXAMPLE',
    'https://пример.рф/ю?x=1#y',
    'http://[::1]:1/',
  ])('takes %j as it is', (address) => {
    expect(isRight(webAddress, address)).toBe(true);
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
    expect(isRight(webAddress, address)).toBe(false);
  });
});

describe('a planned start', () => {
  it.each([
    '2026-07-07T12:00:00Z',
    '2026-07-07T12:00:00+03:00',
    '2028-02-29T00:00:00.250-11:30',
    '2026-07-07T12:00Z',
    '2026-07-07T12:00+03:00',
  ])('takes %j', (text) => {
    expect(isRight(startTime, text)).toBe(true);
    expect(Date.parse(text)).not.toBeNaN();
  });

  it('is what Date.parse understands in the same way', () => {
    const parts = fc.record({
      dayMs: fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }).map(Number),
      seconds: fc.option(fc.nat({ max: 59 })),
      fraction: fc.constantFrom('', '.5', '.123456789'),
      offset: fc.option(fc.integer({ min: -1439, max: 1439 })),
    });
    const pad = (value: number): string => String(value).padStart(2, '0');
    fc.assert(
      fc.property(parts, ({ dayMs, seconds, fraction, offset }) => {
        const minutes = new Date(Math.floor(dayMs / 60_000) * 60_000);
        const tail = seconds === null ? '' : `:${pad(seconds)}${fraction}`;
        const minutesOff = Math.abs(offset ?? 0);
        const zone = `${(offset ?? 0) < 0 ? '-' : '+'}${pad(Math.floor(minutesOff / 60))}:${pad(minutesOff % 60)}`;
        const text = `${minutes.toISOString().slice(0, 16)}${tail}${offset === null ? 'Z' : zone}`;
        expect(isRight(startTime, text)).toBe(true);
        const expected = minutes.getTime() + (seconds ?? 0) * 1000 - (offset ?? 0) * 60_000;
        expect(Math.floor(Date.parse(text) / 1000) * 1000).toBe(expected);
      }),
    );
  });

  it.each([
    '2026-07-07T12:00:00',
    '2026-07-07',
    '2026-02-29T12:00:00Z',
    '2026-07-07T24:00:00Z',
    '2026-07-07 12:00:00Z',
    '2026-07-07T12:00:00+3',
    '2026-07-07T12:00',
    '2026-07-07T12Z',
    '2026-07-07T12:60Z',
    '2026-07-07T12:00+24:00',
    '2026-07-07T12:00z',
    '1783425600',
  ])('refuses %j', (text) => {
    expect(isRight(startTime, text)).toBe(false);
  });
});

describe('participants', () => {
  it.each([
    'a@b.example',
    'first.last+tag@sub.domain.example',
    "o'neil@example.com",
    'user@example.xn--p1ai',
    'user@xn--mller-kva.de',
    'a!b@example.com',
    'a&b@example.com',
    'root@localhost',
  ])('take %j as one address', (address) => {
    expect(isRight(mailAddresses, [address])).toBe(true);
    expect(mailAddresses.write([address])).toBe(address);
  });

  it.each(['иван@почта.рф', 'user@müller.de', 'a@b_c.example'])(
    'refuse %j and say how a domain is written',
    (address) => {
      expect(listExpected(mailAddresses, [address])).toStrictEqual([
        'an e-mail address in ASCII, an internationalised domain in its xn-- form',
      ]);
    },
  );

  it.each([
    'a',
    'a@',
    '@b.example',
    'a@-b.example',
    'a@b..example',
    'a b@c.example',
    'a@b.example ',
    'a,b@c.example',
    'a@b.example, c@d.example',
    'a@b.example\nBcc: x@y.example',
    'Ann <a@b.example>',
    '',
  ])('refuse %j as one address', (address) => {
    expect(isRight(mailAddresses, [address])).toBe(false);
  });
});

describe('cron', () => {
  it.each(['0 9 * * MON', '0  9 * * MON', ' 0 9 * * MON', '0\t9\t*\t*\tMON', '\t0 \t 9 * * MON '])(
    'goes over the wire with single blanks: %j',
    (text) => {
      expect(isRight(cronExpression, text)).toBe(true);
      expect(cronExpression.write(text)).toBe('0 9 * * MON');
    },
  );

  it.each(['0  9 31 2 *', '\t0 9 31 2 *', '0 9 31 2 */1 '])('that never fires is refused: %j', (text) => {
    expect(listExpected(cronExpression, text).join()).toMatch(/can fire/);
  });

  it.each([' ', '\t', ' 0 9 * * ', '0 9 * * 1\n', '0 9 * *\u00A01', '0 9 * * 1 2'])('refuses %j', (text) => {
    expect(listExpected(cronExpression, text)).toStrictEqual([
      'a cron expression of five fields such as 0 9 * * 1',
    ]);
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
