import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutText, splitText } from './cut-text.ts';

describe('cutText', () => {
  it('leaves text that fits', () => {
    expect(cutText('Weekly sync', 11)).toBe('Weekly sync');
  });

  it('cuts between words and marks the cut', () => {
    expect(cutText('Weekly sync with the whole team', 20)).toBe('Weekly sync with…');
  });

  it('never cuts a family of emojis into its members', () => {
    expect(cutText('ab👨‍👩‍👧cd', 6)).toBe('ab…');
  });

  it('stays within the length and well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 0, max: 100 }),
        (text, max) => {
          const cut = cutText(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(() => encodeURIComponent(cut)).not.toThrow();
        },
      ),
    );
  });
});

describe('splitText', () => {
  it('loses nothing and keeps every piece within the length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 40, max: 100 }),
        (text, max) => {
          const pieces = splitText(text, max);
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(max);
            expect(() => encodeURIComponent(piece)).not.toThrow();
          }
        },
      ),
    );
  });
});
