import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { plainMarkdown } from './plain-markdown.ts';

describe('plainMarkdown', () => {
  it('keeps what is said and drops how it is marked', () => {
    const markdown = [
      '## Result ##',
      '',
      'We **agreed** on _two_ things, see [the plan](https://example.com/plan) and `npm test`.',
      '',
      '',
      '- first *thing*',
      '  - [ ] open',
      '  - [x] closed',
      '1. numbered',
      '> quoted ~~not~~',
      '---',
      '| Who | What |',
      '|-----|------|',
      '| Ann | Offer |',
      '```js',
      'code()',
      '```',
      'snake_case and 2 * 3 * 4 stay, \\*escaped\\* too',
    ].join('\r\n');
    expect(plainMarkdown(markdown)).toBe(
      [
        'Result',
        '',
        'We agreed on two things, see the plan (https://example.com/plan) and npm test.',
        '',
        '• first thing',
        '  • ☐ open',
        '  • ☑ closed',
        '1. numbered',
        'quoted not',
        '| Who | What |',
        '| Ann | Offer |',
        'code()',
        'snake_case and 2 * 3 * 4 stay, *escaped* too',
      ].join('\n'),
    );
  });

  it('keeps the words of a link that leads nowhere good, and not its address', () => {
    expect(plainMarkdown('[click](javascript:alert(1)) ![logo](x.png)')).toBe('click logo');
  });

  // Each repeats what its pattern takes and ends so that the pattern does not fit: a pattern that tries
  // its input in more than one way does not come back from this, and the run hangs here.
  it.each([
    ['a rule of a table', '-|', 'x'],
    ['a rule of a table made of hyphens', '-', '|x'],
    ['a heading of marks', '# ', 'x'],
    ['a heading of blanks', ' ', 'x', '#'],
    ['a heading of tabs', '\t#', 'x', '#'],
    ['a rule of hyphens', '- ', 'x'],
    ['a rule of stars', '* ', 'x'],
    ['a rule of underscores', '_\t', 'x'],
    ['a bullet', ' \t', 'x', '-'],
    ['a task', ' ', 'x', '- [ ]'],
    ['an indented bullet', ' ', 'x'],
    ['a quote', '> ', 'x'],
    ['a fence', '~', 'x', '``'],
    ['an image', '![', 'x'],
    ['an image without an end', '![a](', 'x'],
    ['a link', '[', 'x'],
    ['a link without an end', '[a](', 'x'],
    ['a link of brackets', '()', 'x', '[a]('],
    ['a link of links', '[a](b)', 'x', '[a]('],
    ['a link to the web', '[a](https://', 'x'],
    ['code', '`', 'x'],
    ['long code', 'a', 'x', '`'],
    ['strong text', '**a*', 'x'],
    ['strong text of underscores', '__a__b', 'x'],
    ['struck text', '~~a~', 'x'],
    ['emphasis', '*a ', 'x'],
    ['emphasis of underscores', '_a_b', 'x'],
    ['a line break', '<br     ', 'x'],
    ['an escape', '\\', 'x'],
    ['empty lines', '\n \n', 'x'],
    ['line ends', '\r', 'x'],
  ])('comes to an end with 200,000 characters that are not quite %s', (_name, part, end, start = '') => {
    const markdown = start + part.repeat(200_000 / part.length) + end;
    expect(plainMarkdown(markdown).length).toBeLessThanOrEqual(markdown.length * 2);
  });

  it('drops the rule under the head of a table, and marks at the end of a heading', () => {
    expect(plainMarkdown('| a |\n|:-- | --:|\n| b |')).toBe('| a |\n| b |');
    expect(plainMarkdown('#  C # and F# ## \t#')).toBe('C # and F');
    expect(plainMarkdown('# #')).toBe('');
  });

  it('never throws and leaves well-formed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (markdown) => {
        const plain = plainMarkdown(markdown);
        expect(() => encodeURIComponent(plain)).not.toThrow();
        expect(plain).not.toContain('\r');
      }),
    );
  });
});
