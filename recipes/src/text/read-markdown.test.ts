import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, it } from 'vitest';

import { readMarkdown } from './read-markdown.ts';

const pieces = [
  'abx *_`[]()!<>#+.1&\\"\n:-|~^@='.split(''),
  ['\n\n', '\n- ', '\n> ', '\n1. ', '    ', '- [ ] ', '[x] ', '[^a]', '[^a]: ', '[a]: b', '---', ':-:', '~~'],
  ['www.a.io', 'https://a.io', 'HTTP://a', 'a@b.io', 'mailto:', '**b**', '| a |', '\n|-|', '<br>', '\t'],
].flat();

it('finds all that GitHub adds, though it looks for that only where it can be', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 16 }), (parts) => {
      const markdown = parts.join('');
      const whole = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
      expect(readMarkdown(markdown)).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

it.each(['a ~~b~~', 'a\n:-', '| a |\n|-|', '- [x] a', '- [ ] a', 'a[^1]\n\n[^1]: b', 'www.a.io', 'a@b.io'])(
  'reads %j as GitHub does',
  (markdown) => {
    expect(JSON.stringify(readMarkdown(markdown))).toMatch(
      /"(?:delete|table|checked|footnoteDefinition|link)"/,
    );
  },
);
