import { describe, expect, it } from 'vitest';

import { fitItems } from './fit-html.ts';

describe('fitItems', () => {
  it('writes as many as fit and one more, however many there are', () => {
    let written = 0;
    const write = (item: number): string => {
      written += 1;
      return `<p>ä${item}</p>`;
    };
    const items = Array.from({ length: 30_000 }, () => 1);
    expect(fitItems(items, write, 25)).toEqual({ html: '<p>ä1</p>\n<p>ä1</p>', bytes: 22, isCut: true });
    expect(written).toBe(3);
    expect(fitItems([1], write, 25)).toMatchObject({ isCut: false });
    expect(fitItems([1], write, 10)).toEqual({ html: '', bytes: 0, isCut: true });
  });
});
