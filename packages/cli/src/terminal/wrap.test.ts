import { describe, expect, it } from 'vitest';

import { wrapText } from './wrap.ts';

describe('wrapText', () => {
  it.each([
    ['at words', 'such as the second one', 'such as the\nsecond one'],
    ['what fits: not at all', 'such as this', 'such as this'],
    ['line by line', 'one\n\ntwo three four', 'one\n\ntwo three\nfour'],
    ['below the text of a list', '- one two three', '- one two\n  three'],
    ['below a label', 'id  one two three', 'id  one two\n    three'],
    ['an address: not at all', 'see https://a.example/b', 'see\nhttps://a.example/b'],
    ['Japanese between characters', '日本語の会議の記録', '日本語の会議\nの記録'],
    ['colours without counting them', '\u001B[1mone two\u001B[0m three', '\u001B[1mone two\u001B[0m\nthree'],
  ])('wraps %s', (_name, text, wrapped) => {
    expect(wrapText(text, 12)).toBe(wrapped);
  });

  it('goes on after a backslash in a command that is to be pasted, and keeps quoted words', () => {
    expect(wrapText('  aftermeet search "weekly sync" --limit all', 34)).toBe(
      '  aftermeet search "weekly sync" \\\n    --limit all',
    );
  });
});
