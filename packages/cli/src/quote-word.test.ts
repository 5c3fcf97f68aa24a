import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { pasteWord, quoteWord } from './quote-word.ts';

describe('quoteWord', () => {
  it.each([
    ['m_42', 'm_42'],
    ['Weekly sync', "'Weekly sync'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(reboot)', "'$(reboot)'"],
    ['', "''"],
  ])('of %j is %s', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });

  it('is read back by a shell as it was', () => {
    const words = ["a'b", '$HOME `x` \\ "y"', '*', 'two\nlines', '!!', '~'];
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(quoteWord).join(' ')}`]);
    expect(printed.toString().split('\0').slice(0, -1)).toEqual(words);
  });
});

describe('pasteWord', () => {
  it.each([
    ['m_42', 'm_42'],
    ['m1;touch /tmp/pwned;echo', "'m1;touch /tmp/pwned;echo'"],
    ['`id`', "'`id`'"],
    ['a\u001B]0;x\u0007b', 'ab'],
  ])('makes %j safe to paste', (word, safe) => {
    expect(pasteWord(word)).toBe(safe);
  });
});
