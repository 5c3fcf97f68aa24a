import { describe, expect, it } from 'vitest';

import { toSafeUrl } from './safe-link.ts';

describe('safeLink', () => {
  it.each([
    ['https://example.com/plan?a=1&b=(2)#c', 'https://example.com/plan?a=1&b=(2)#c'],
    ['HTTP://Example.com', 'http://example.com/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https:\\\\example.com\\x', 'https://example.com/x'],
    ['https://example.com/"><b>', 'https://example.com/%22%3E%3Cb%3E'],
    ['mailto:ann@example.com', 'mailto:ann@example.com'],
    ['mailto:ann@example.com?bcc=evil@z.io&body=x', 'mailto:ann@example.com'],
  ])('%j leads to %j', (address, expected) => {
    expect(toSafeUrl(address)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'slack://channel',
    'ftp://example.com',
    '/meetings/1',
    '//example.com',
    '#top',
    'https://bank.example@evil.example/',
    'https://user:secret@example.com/',
    'https://example.com/\u202Efdp.exe',
    'https://exa\u200Bmple.com',
    'https://example.com/a b',
    'https://',
    'mailto:ann@example.com,bob@example.com@x',
    'mailto:',
    `https://example.com/${'a'.repeat(2000)}`,
    `https://example.com/${'ä'.repeat(500)}`,
    '',
  ])('%j is no link', (address) => {
    expect(toSafeUrl(address)).toBeUndefined();
  });

  it('takes an address with other letters however often it is asked', () => {
    const leads = Array.from({ length: 20_000 }, () => toSafeUrl('https://bücher.example/'));
    expect(new Set(leads)).toEqual(new Set(['https://xn--bcher-kva.example/']));
  });
});
