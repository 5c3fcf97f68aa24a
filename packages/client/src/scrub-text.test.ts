import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { scrubText } from './scrub-text.ts';

const KEY = 'Key/For=Tests+0<1>&"2"';
const entities = (text: string): string =>
  text.replaceAll(/[&<>"/=+]/g, (sign) => `&#${sign.codePointAt(0)};`);

describe('scrubText', () => {
  it.each([
    ['as it is', KEY],
    ['in upper case', KEY.toUpperCase()],
    ['in an address', encodeURIComponent(KEY)],
    ['in an address, in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['in JSON', JSON.stringify(KEY).slice(1, -1)],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in base64url', Buffer.from(KEY).toString('base64url')],
    ['in hex', Buffer.from(KEY).toString('hex')],
    ['in hex, in upper case', Buffer.from(KEY).toString('hex').toUpperCase()],
  ])('hides a secret %s, and nothing else', (_name, spelling) => {
    expect(scrubText(`no: ${spelling}`, [KEY])).toMatch(/^no: \[hidden\]={0,2}[a-z0-9]{0,2}={0,2}$/i);
  });

  it.each([
    ['with JSON’s other escapes', KEY.replaceAll('/', String.raw`\/`).replaceAll('"', String.raw`\"`)],
    ['with JSON’s numbers', KEY.replaceAll('<', String.raw`\u003C`)],
    ['in HTML, by number', entities(KEY)],
    ['in HTML, by name', KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
    ['in an address, twice', encodeURIComponent(encodeURIComponent(KEY))],
    ['in an address, with letters too', `%4B%65%79${KEY.slice(3)}`],
    ['in an address within HTML', encodeURIComponent(KEY).replaceAll('%', '&#x25;')],
    ['split by marks that nobody sees', Array.from(KEY).join('\u200B')],
    ['split by a soft hyphen', `${KEY.slice(0, 5)}\u00AD${KEY.slice(5)}`],
  ])('leaves nothing of a text that holds a secret %s', (_name, spelling) => {
    expect(scrubText(`no: ${spelling}`, [KEY])).toBe('[hidden]');
  });

  it('finds a secret wherever in base64 it begins', () => {
    for (const user of ['', 'a', 'ab', 'abc']) {
      const basic = Buffer.from(`${user}:${KEY}:x`).toString('base64');
      const clean = scrubText(`Basic ${basic}`, [KEY]);
      expect(clean).toContain('[hidden]');
      expect(Buffer.from(clean.slice(6), 'base64').toString('latin1')).not.toContain('Key');
    }
  });

  it('hides a title in any case, but not in the spellings of machines', () => {
    const title = 'Board meeting';
    expect(scrubText('no: BOARD Meeting, Board%20meeting', [], [title])).toBe('no: [hidden], [hidden]');
    const hex = Buffer.from(title).toString('hex');
    expect(scrubText(hex, [], [title])).toBe(hex);
  });

  it('leaves a text without a secret as it is', () => {
    const said = String.raw`100%25 of "a\/b" &amp; c, see https://x.example/?q=%zz&#9999999;`;
    expect(scrubText(said, [KEY, ''], [''])).toBe(said);
  });

  it('hides a text of any length', () => {
    const long = 'Long. '.repeat(50_000);
    expect(scrubText(`no: ${long}`, [long], [long])).toBe('no: [hidden]');
  });

  it('never shows a secret, whatever both are', () => {
    const texts = fc.string({ unit: anyCodePoint, maxLength: 40 });
    const secrets = fc.string({ unit: anyCodePoint, minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(texts, secrets, texts, (before, secret, after) => {
        expect(scrubText(before + secret + after, [secret])).not.toContain(secret);
        expect(scrubText(before + encodeURIComponent(secret).toLowerCase(), [secret])).toContain('[hidden]');
      }),
      { numRuns: 25 },
    );
  });
});
