import fc from 'fast-check';
import { expect, it } from 'vitest';

import { parseText } from './parse-text.ts';
import { plainText } from './plain-text.ts';
import { escapeMarkdown } from './to-markdown.ts';

it.each([
  ['*draft* [x](https://a.example)', String.raw`\*draft\* \[x]\(https://a.example)`],
  ['# 1. Q3', String.raw`\# 1. Q3`],
  ['two\nlines', 'two\\\nlines'],
])('%j becomes %j', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

it('is read as the text that it was', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z*_#[\]()<>|~`+.!-]{1,40}$/), (text) => {
      expect(plainText(parseText(escapeMarkdown(text)))).toBe(text);
    }),
  );
});
