import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyMarkdown } from '../testing/hostile-text.ts';
import { splitOutcome } from './outcome.ts';
import { parseText } from './parse-text.ts';
import { plainText } from './plain-text.ts';

const long =
  ' It took the team most of the hour to get there, with much detail on each of the numbers.'.repeat(4);

function split(markdown: string): readonly [string | undefined, string] {
  const { outcome, rest } = splitOutcome(parseText(markdown));
  return [outcome && plainText(outcome), plainText(rest)];
}

describe('splitOutcome', () => {
  it.each([
    [
      'a short paragraph whole',
      'We ship on Friday. Ann writes.\n\n- one',
      'We ship on Friday. Ann writes.',
      '• one',
    ],
    ['all there is', 'We ship on Friday', 'We ship on Friday', ''],
    [
      'the first sentence before a list',
      'The launch stays on 21 July. Risks:\n\n- one',
      'The launch stays on 21 July.',
      'Risks:\n\n• one',
    ],
    [
      'a sentence and the one after it',
      `We met. The launch stays on 21 July.${long}`,
      'We met. The launch stays on 21 July.',
      long.trim(),
    ],
    [
      'beyond a title',
      `Wir haben mit Dr. Weber und Prof. Lang z. B. Das neue Werk besprochen.${long}`,
      'Wir haben mit Dr. Weber und Prof. Lang z. B. Das neue Werk besprochen.',
      long.trim(),
    ],
    [
      'beyond a number',
      `The budget grows by 3.5 million euros this year.${long}`,
      'The budget grows by 3.5 million euros this year.',
      long.trim(),
    ],
    [
      'with its bold words',
      `The **launch** stays on 21 July.${long}`,
      'The launch stays on 21 July.',
      long.trim(),
    ],
    [
      'in Japanese',
      `発売日は七月二十一日のままです。${'担当者が詳細を確認しました。'.repeat(30)}`,
      '発売日は七月二十一日のままです。',
      '担当者が詳細を確認しました。'.repeat(30),
    ],
    [
      'in Russian',
      `Склад переезжает в августе этого года.${' Команда подробно обсудила все сроки и расходы.'.repeat(8)}`,
      'Склад переезжает в августе этого года.',
      'Команда подробно обсудила все сроки и расходы. '.repeat(8).trim(),
    ],
  ])('takes %s', (_what, markdown, outcome, rest) => {
    expect(split(markdown)).toEqual([outcome, rest]);
  });

  it.each([
    ['a list', '- one\n- two'],
    ['a heading', '# Overview\n\nWe ship.'],
    ['a bold line before other text', '**Overview**\n\nWe ship on Friday.'],
    ['a line that leads on', 'We agreed on these points:\n\n- one'],
    ['a sentence without an end', `${'word '.repeat(100)}.`],
    ['nothing', ''],
  ])('leaves %s alone', (_what, markdown) => {
    expect(split(markdown)).toEqual([undefined, plainText(parseText(markdown))]);
  });

  it('loses no word of any text', () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        const tree = parseText(markdown);
        const { outcome, rest } = splitOutcome(tree);
        const words = `${outcome === undefined ? '' : plainText(outcome)} ${plainText(rest)}`;
        expect(words.replaceAll(/\s/g, '')).toBe(plainText(tree).replaceAll(/\s/g, ''));
      }),
    );
  });
});
