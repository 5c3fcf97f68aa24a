import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseText } from './parse-text.ts';
import { plainText } from './plain-text.ts';
import type { TextTree } from './text-tree.ts';
import { toMarkdown } from './to-markdown.ts';

const listWords = (tree: TextTree): readonly string[] => plainText(tree).split(/\s+/);

describe('toMarkdown', () => {
  it.each([
    ['**Acme** stays *if* the price stays.', '**Acme** stays *if* the price stays.'],
    ['# Prices\n\n- 2 * 3 is 6\n- ~~old~~', '# Prices\n\n- 2 \\* 3 is 6\n- ~~old~~'],
    ['1. one\n2. two', '1. one\n2. two'],
    ['- [ ] call Ann\n- [x] write', '- [ ] call Ann\n- [x] write'],
    ['| Who | What |\n| - | - |\n| Ann | offer |', '**Who**: Ann · **What**: offer'],
    ['See [the page](https://example.com/a_b).', 'See [the page](https://example.com/a_b).'],
    ['', ''],
  ])('writes %j', (text, wanted) => {
    expect(toMarkdown(parseText(text))).toBe(wanted);
  });

  it('writes what is read back with the same words', () => {
    const words = fc.constantFrom(
      'a',
      'b_c',
      '*',
      '**',
      '_',
      '~~',
      '`',
      '#',
      '1.',
      '-',
      '[x](y)',
      '<b>',
      '\\',
      '|',
      '&amp;',
      '№ 5',
      '@ann',
    );
    const lines = fc.array(
      fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' ')),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(lines, (all) => {
        const tree = parseText(all.join('\n'));
        expect(listWords(parseText(toMarkdown(tree)))).toEqual(listWords(tree));
      }),
      { numRuns: 300 },
    );
  });
});
