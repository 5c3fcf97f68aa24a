import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { escapeMrkdwn, escapeWithin } from './escape-mrkdwn.ts';

describe('escapeMrkdwn', () => {
  it('takes the meaning from mentions and links', () => {
    expect(escapeMrkdwn('<!channel> <@U1> a & b')).toBe('&lt;!channel&gt; &lt;@U1&gt; a &amp; b');
  });
});

describe('escapeWithin', () => {
  it('stays within the length and cuts no escape in two', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '&', 'a', ' ', '😀'), maxLength: 400 }),
        fc.integer({ min: 5, max: 200 }),
        (text, max) => {
          const escaped = escapeWithin(text, max);
          expect(escaped.length).toBeLessThanOrEqual(max);
          expect(escaped.replace(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
        },
      ),
    );
  });
});
