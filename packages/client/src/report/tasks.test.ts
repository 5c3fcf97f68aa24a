import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readListItems } from './tasks.ts';

function read(text: string): { readonly items: readonly string[]; readonly skipped: number } {
  let skipped = 0;
  const items = readListItems(text, () => {
    skipped += 1;
  });
  return { items, skipped };
}

describe('readListItems', () => {
  it.each([
    ['bullets of every kind', '- a\n* b\n+ c\n• d\n1. e\n2) f\n- [x] g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['right-aligned numbers', ' 9. a\n10. b', ['a', 'b']],
    ['lines without bullets', 'a\r\n\r\nb', ['a', 'b']],
    ['an indented line', '- Send the deck\n  to the client\n- Call', ['Send the deck to the client', 'Call']],
    ['an indented line without bullets', 'Send the deck\n  to the client', ['Send the deck to the client']],
    [
      'a line that goes on',
      '- Send the deck\nto the client\n- Call',
      ['Send the deck to the client', 'Call'],
    ],
    ['an indented paragraph', '- Send the deck\n\n  to the client', ['Send the deck to the client']],
    [
      'deeper bullets',
      '- Send the deck\n  - Owner: Ann\n    - by mail\n\t- Due: Friday\n- Call',
      ['Send the deck; Owner: Ann; by mail; Due: Friday', 'Call'],
    ],
    [
      'deeper bullets after a colon',
      '- Prepare:\n  - a room\n  - coffee.\n  - Tell Bob',
      ['Prepare: a room; coffee. Tell Bob'],
    ],
    ['a list that is indented as a whole', '  - a\n    - b\n  - c', ['a; b', 'c']],
    ['deeper bullets of nobody', '    - a\n- b', ['a', 'b']],
    ['signs', '- a\n---\n- —\n```\n- b', ['a', 'b']],
    ['a heading', '# Plan\n- a\n## \n- b', ['a', 'b']],
    ['the name of the list', '**Action items:**\n- a', ['a']],
    ['the name of the list without bullets', 'Tasks:\na\nb', ['a', 'b']],
  ])('reads %s', (_kind, text, items) => {
    expect(read(text)).toEqual({ items, skipped: 0 });
  });

  it.each([
    ['bold lines', '**Ann**\n- Send the deck\n- Call\n\n**Bob:**\n  - Write'],
    ['lines with a colon', 'Ann:\n- Send the deck\n- Call\nBob:\n- Write'],
    ['headings', '# Tasks\n## Ann\n- Send the deck\n- Call\n## Bob\n- Write'],
  ])('keeps what tells the groups of a list apart, in %s', (_kind, text) => {
    expect(read(text)).toEqual({ items: ['Ann: Send the deck', 'Ann: Call', 'Bob: Write'], skipped: 0 });
  });

  it.each([
    ['before the list', 'We agreed on much.\n- a', ['a'], 1],
    ['after the list', '- a\n\nThat was all.\nReally.', ['a'], 2],
    ['as the only label', '**Ann**\n- a', ['a'], 1],
    ['as a label of nothing', '- a\n**Ann**', ['a'], 1],
    [
      'as a label that is too long',
      `${'Ann '.repeat(20)}:\n- a\nBob:\n- b\nCy:\n- c`,
      ['a', 'Bob: b', 'Cy: c'],
      1,
    ],
  ])('counts a line that is lost %s', (_place, text, items, skipped) => {
    expect(read(text)).toEqual({ items, skipped });
  });

  it.each([
    'No tasks were identified.',
    '- None',
    'None.',
    'No decisions were made.',
    'n/a',
    '—',
    '# Tasks\n\n- N/A',
    'No specific action items were assigned during this meeting.',
    'There were no decisions.',
    'None identified',
    '',
  ])('finds nothing in %j', (text) => {
    expect(read(text)).toEqual({ items: [], skipped: 0 });
  });

  it.each([
    'No task may be left open',
    'No decisions without Ann',
    'None of the offers is good',
    'Nothing but the deck',
    'Решений нет',
  ])('leaves %j as it is', (text) => {
    expect(read(text)).toEqual({ items: [text], skipped: 0 });
  });

  it('loses no word without saying so', () => {
    const line = fc
      .tuple(
        fc.constantFrom('', ' ', '  ', '    ', '\t'),
        fc.constantFrom('', '- ', '* ', '1. ', '- [ ] ', '**', '---', '# '),
        fc.constantFrom('', ':', '**', '.'),
      )
      .map(
        ([indent, open, close]) =>
          (words: string) =>
            `${indent}${open}${words}${close}`,
      );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const words = lines.map((_line, index) => `w${index}w`);
        const { items, skipped } = read(lines.map((write, index) => write(words[index] ?? '')).join('\n'));
        const headings = lines.filter((write) => write('').trim().startsWith('#')).length;
        const lost = words.filter((word) => !items.join('\n').includes(word)).length;
        expect(lost).toBeLessThanOrEqual(skipped + headings);
        expect(items.every((item) => !item.includes('\n'))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
