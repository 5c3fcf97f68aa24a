import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { tidyLine, tidyText } from './tidy-text.ts';

const hostileText = fc.string({ unit: 'binary', maxLength: 200 });

describe('tidyText', () => {
  it('mends line ends, drops control characters and replaces half a character', () => {
    expect(tidyText('a\r\nb\rc\u0000d\u001be\tf \ud83d g 😀')).toBe('a\nb\ncde\tf \uFFFD g 😀');
  });

  it('leaves well-formed text without controls, whatever comes in', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string()), (text) => {
        const tidy = tidyText(text);
        // encodeURIComponent throws on a lone surrogate.
        expect(() => encodeURIComponent(tidy)).not.toThrow();
        expect(tidyText(tidy)).toBe(tidy);
      }),
    );
  });
});

describe('tidyLine', () => {
  it('keeps a title on one line', () => {
    expect(tidyLine(' Weekly\r\nBcc: evil@z.io\u2028sync\t ')).toBe('Weekly Bcc: evil@z.io sync');
  });
});
