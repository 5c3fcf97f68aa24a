import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyMarkdown, anyUnits } from '../testing/hostile-text.ts';
import { parsePlain } from './parse-plain.ts';
import { parseAnyText } from './parse-text.ts';

const oddSigns = [
  ...Array.from('.:/-–—•()"’«!%日。「」（　é+>_~=*`\\|#@\u00a0\u200b\r\t'),
  ...'1. ;2) ;12.5;1/2;  ;\n===;\n---;&amp;;<br>;www.example.com;http://a.example;a@b.example;[x];![;😀;e\u0301'.split(
    ';',
  ),
];

/** Nearly plain text, a piece at a time. */
const nearlyPlain = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[\p{L}\p{N}]{1,8}$/u) },
      { weight: 6, arbitrary: fc.constantFrom(' ', ' ', ', ', '. ', ': ', ' - ', '; ', '? ') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('\n', '\n\n', '\n- ', '\n\n- ', '\n* ', '\n## ', '\n# ', '\n\n\n'),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('**', ' **', '** ', '**:', ':** ', '.** ', '**,', '(**', '**)'),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...oddSigns),
      },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

const lines = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '- ', '* ', '# ', '### ', '\n', '\n- ', '1. ', '  - '),
      fc.constantFrom(
        'Ann',
        '**Ann**',
        '**Ann:** agreed',
        'We **agreed** on it.',
        'At 10:30',
        '12.5 % more',
        '3 rooms',
        '(or two)',
        'a',
        '日本 **語** です。',
      ),
    ),
    { maxLength: 8 },
  )
  .map((all) => all.map((one) => one.join('')).join('\n'));

describe('text with little Markdown', () => {
  it('is what Markdown makes of it', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(nearlyPlain, lines, anyMarkdown, anyUnits), (markdown) => {
        const plain = parsePlain(markdown);
        if (plain === undefined) return;
        taken += 1;
        expect(plain).toEqual(parseAnyText(markdown));
      }),
      { numRuns: 5000 },
    );
    // It is compared, not only refused.
    expect(taken).toBeGreaterThan(500);
  });

  it.each([
    'Send the offer to Ann, Bob and Carl-Otto.',
    'Écrire à l’équipe!',
    'Costs: 12.5 % of 10,000 €, and/or more (see the “plan”).',
    'The team **agreed**.\nAnn: all of it.\n\n# Next\n- **Ann:** the offer\n- Bob - the minutes\n\nDone.',
    '* one\n* two\n\n* three',
    'Встреча: **бюджет** утверждён — «в срок».',
    '予算は、そのまま。',
    'www',
    'http',
    '1st of May',
    'x-ray',
    '',
  ])('is read without markdown-it: %j', (markdown) => {
    expect(parsePlain(markdown)).toEqual(parseAnyText(markdown));
  });

  it.each([
    '1. one',
    '- one\n  - two',
    '- one\ntwo',
    '- one\n* two',
    'a\n---',
    'www.example.com',
    'https://example.com',
    'ann@example.com',
    'one *two*',
    '**one',
    '`code`',
    'a  \nb ',
    ' a',
    '– one\n– two',
  ])('is more than that: %j', (markdown) => {
    expect(parsePlain(markdown)).toBeUndefined();
  });

  it('takes linear time', () => {
    for (const long of [
      'a. '.repeat(20_000),
      '**a** '.repeat(20_000),
      `${'a'.repeat(40_000)}*`,
      'a/'.repeat(20_000),
    ]) {
      const startMs = performance.now();
      parsePlain(long);
      expect(performance.now() - startMs).toBeLessThan(500);
    }
  });
});
