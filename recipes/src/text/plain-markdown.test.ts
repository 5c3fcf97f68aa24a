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

  it.each(['[', '*', '_', '`', '![', '**', '- ', '> ', '(', '~~', '[a](', '\\', '|-'])(
    'takes 200,000 characters of %j in little time',
    (mark) => {
      const startedMs = performance.now();
      plainMarkdown(mark.repeat(200_000 / mark.length));
      expect(performance.now() - startedMs).toBeLessThan(1000);
    },
  );

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
