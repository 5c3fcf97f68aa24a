import fc from 'fast-check';
import { expect, it } from 'vitest';

import { shorten } from './values.ts';

it.each([
  ['Plans', 5, 'Plans'],
  ['Plans', 4, 'Pla…'],
  ['ab😀cd', 4, 'ab…'],
  ['ab😀cd', 5, 'ab😀…'],
])('%j in %i is %j', (text, most, short) => {
  expect(shorten(text, most)).toBe(short);
});

it('is never longer, and halves no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      const short = shorten(text, most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(short).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});
