import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['Соколова', 8],
    ['日本語', 6],
    ['한국어', 6],
    ['ｶﾀｶﾅ', 4],
    ['Ｆｕｌｌ', 8],
    ['👍', 2],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['é', 1],
    ['\u200B', 0],
    ['…', 1],
  ])('of %j is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('cutToWidth', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('of %j to %d', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });

  it('never takes more cells than it may, and padded it takes all of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(displayWidth(padToWidth(cut, width))).toBe(width);
      }),
    );
  });
});
