import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseText } from './parse-text.ts';
import { plainText } from './plain-text.ts';

function plain(markdown: string): string {
  return plainText(parseText(markdown));
}

describe('plainText', () => {
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
      '2. again',
      '',
      '> quoted ~~not~~',
      '> twice',
      '',
      '---',
      '| Who | What |',
      '|-----|------|',
      '| Ann | Offer<br>two |',
      '```js',
      'code()',
      '```',
      'snake_case and 2 * 3 * 4 stay, \\*escaped\\* too',
    ].join('\r\n');
    expect(plain(markdown)).toBe(
      [
        'Result',
        '',
        'We agreed on two things, see the plan (https://example.com/plan) and npm test.',
        '',
        '• first thing',
        '  • ☐ open',
        '  • ☑ closed',
        '',
        '1. numbered',
        '2. again',
        '',
        '> quoted ~~not~~',
        '> twice',
        '',
        '---',
        '',
        'Who: Ann · What: Offer two',
        '',
        'code()',
        '',
        'snake_case and 2 * 3 * 4 stay, *escaped* too',
      ].join('\n'),
    );
  });

  it('says what was struck out', () => {
    expect(plain('~~Beta for **all**~~ Beta for ten')).toBe('~~Beta for all~~ Beta for ten');
  });

  it('keeps the words of a link that leads nowhere good, and not its address', () => {
    expect(plain('[click](javascript:alert(1)) ![logo](x.png)')).toBe('click logo');
  });

  it('says an address once', () => {
    expect(
      plain('www.example.com, ann@example.com <https://example.com/> [example.com](https://example.com)'),
    ).toBe('www.example.com, ann@example.com https://example.com/ example.com');
  });

  it('keeps what stands in one item below its mark', () => {
    expect(plain('- one\n  two\n\n  three\n  - four\n    five\n- - six')).toBe(
      '• one\n  two\n  three\n  • four\n    five\n•\n  • six',
    );
  });

  it('drops marks at the end of a heading', () => {
    expect(plain('#  C # and F# ## \t#')).toBe('C # and F# ##');
    expect(plain('# #')).toBe('');
  });

  it('never merges two words', () => {
    const words = ['budget', 'offer', 'room', 'plan'];
    const joints = fc.constantFrom(
      '\n',
      '\n\n',
      '\n- ',
      '\n1. ',
      '\n> ',
      ' **x** ',
      '\n|a|b|\n|-|-|\n|',
      ' | ',
      '<br>',
      '\n# ',
    );
    fc.assert(
      fc.property(fc.array(joints, { minLength: 3, maxLength: 3 }), (between) => {
        const markdown = words.map((word, at) => word + (between[at] ?? '')).join('');
        expect(plain(markdown)).toMatch(/\bbudget\b[^]*\boffer\b[^]*\broom\b[^]*\bplan\b/);
      }),
    );
  });
});
