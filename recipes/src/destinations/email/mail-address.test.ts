import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  findAddressFault,
  isMailAddress,
  isMailSender,
  readMailAddress,
  readMailbox,
} from './mail-address.ts';

describe('isMailAddress', () => {
  it.each([
    ['ann@example.com', true],
    ['ann+x@mail.example.com', true],
    ['ann@example.com, bob@example.com', false],
    ['b@x.io\r\nBcc: evil@z.io', false],
    ['Ann <ann@example.com>', false],
    ['ann', false],
    ['', false],
    ["sales&it/o'brien=x.io@example.com", true],
    ['ann@xn--e1afmkfd.xn--p1ai', true],
    ['ann%evil.io@example.com', false],
    ['evil.io!ann@example.com', false],
    ['|ann@example.com', false],
    ['=?utf-8?q?eve=40evil.io=3E?=ann@example.com', false],
    ['"ann b"@example.com', false],
    ['"ann"@example.com', false],
    ['.ann@example.com', false],
    ['ann..b@example.com', false],
    ['ann.@example.com', false],
    ['ann@example.com.', false],
    ['ann@-example.com', false],
    ['ann@example-.com', false],
    ['ann@localhost', false],
    ['ann@[127.0.0.1]', false],
    ['ann@127.0.0.1', false],
    ['ann@example.com\n', false],
    ['(x)ann@example.com', false],
    [`${'a'.repeat(64)}@example.com`, true],
    [`${'a'.repeat(65)}@example.com`, false],
    [`ann@${'b'.repeat(63)}.com`, true],
    [`ann@${'b'.repeat(64)}.com`, false],
    [`ann@${'b.'.repeat(124)}io`, true],
    [`ann@${'b.'.repeat(125)}io`, false],
  ])('%j: %j', (text, expected) => {
    expect(isMailAddress(text)).toBe(expected);
  });

  it('never takes white space, separators or brackets', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '.', '@', ' ', '\r', '\n', ',', ';', '<', '>', ':'),
    });
    const taken = fc.sample(part, 2000).filter(isMailAddress);
    expect(taken.filter((text) => /[\s,;<>:]/.test(text))).toEqual([]);
  });
});

describe('readMailAddress', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['ann@müller.de', 'ann@xn--mller-kva.de'],
    ['ann@mu\u0308ller.de', 'ann@xn--mller-kva.de'],
    ['ivan@почта.рф', 'ivan@xn--80a1acny.xn--p1ai'],
    ['info@例え.テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['bob@exаmple.com', 'bob@xn--exmple-4nf.com'],
    ['bоb@example.com', undefined],
    ['ann@müller.de/x', undefined],
    ['ann@müller.de?x', undefined],
    ['ann@müller.de#x', undefined],
    ['ann@müller.de:25', undefined],
    ['ann@evil.io@müller.de', undefined],
    ['ann@müller.de, eve@evil.io', undefined],
    ['ann@mül\u200dler.de', undefined],
    ['ann@１２７.0.0.1', undefined],
    ['müller.de', undefined],
  ])('%j: %j', (text, expected) => {
    expect(readMailAddress(text)).toBe(expected);
  });
});

describe('findAddressFault', () => {
  it.each([
    ['try..this..05@docomo.example', 'double_dot'],
    ['d.oi.@ezweb.example', 'trailing_dot'],
    ['max.müster@kunde.example', 'non_ascii'],
    ['user@例え.jp', undefined],
    ['"a.b"@partner.example', 'quoted'],
    ['plus+tag@partner.example', undefined],
    ['ann.lee@example.com', undefined],
    ['.ann@example.com', 'leading_dot'],
    ['ann@localhost', 'domain'],
    ['ann@example.com.', 'domain'],
    ['ann@127.0.0.1', 'domain'],
    ['ann@mül\u200dler.de', 'domain'],
    ['ann@', 'domain'],
    [`${'a'.repeat(65)}@example.com`, 'too_long'],
    [`ann@${'b.'.repeat(125)}io`, 'too_long'],
    ['ann%evil.io@example.com', 'no_address'],
    ['ann@evil.io@example.com', 'no_address'],
    ['a@x.io, b@x.io', 'no_address'],
    ['Ann <ann@example.com>', 'no_address'],
    ['@example.com', 'no_address'],
    ['ann', 'no_address'],
    ['', 'no_address'],
  ])('%j: %j', (text, fault) => {
    expect(findAddressFault(text)).toBe(fault);
  });

  it('finds a fault exactly where an address is refused', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '.', '@', ' ', '"', 'ü', '-', ',', '%', '\n') });
    fc.assert(
      fc.property(part, (text) => {
        expect(findAddressFault(text) === undefined).toBe(readMailAddress(text) !== undefined);
      }),
    );
  });
});

describe('isMailSender', () => {
  it('takes what can be read as a sender, and nothing else', () => {
    expect(['bot@example.com', 'Bot <bot@example.com>'].filter(isMailSender)).toHaveLength(2);
    expect(['', 'bot', 'Bot <bot>', 'a@x.io, b@x.io'].filter(isMailSender)).toEqual([]);
  });
});

describe('readMailbox', () => {
  it('reads an address with and without a name', () => {
    expect(readMailbox('bot@example.com')).toEqual({ name: '', address: 'bot@example.com' });
    expect(readMailbox(' "Aftermeet Bot" <bot@example.com> ')).toEqual({
      name: 'Aftermeet Bot',
      address: 'bot@example.com',
    });
    expect(readMailbox('Bot <bot@example.com>, evil@z.io')).toBeUndefined();
    expect(readMailbox('Bot\r\nBcc: <evil@z.io>')).toBeUndefined();
  });
});
