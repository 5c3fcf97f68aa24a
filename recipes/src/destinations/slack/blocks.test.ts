import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { escapeMrkdwn, escapeToLength } from './blocks.ts';

describe('escapeMrkdwn', () => {
  it('escapes mentions and links', () => {
    expect(escapeMrkdwn('<!channel> <@U1> a & b')).toBe('&lt;!channel&gt; &lt;@U1&gt; a &amp; b');
  });
});

describe('escapeToLength', () => {
  it('keeps within the length and cuts no escape', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '&', 'a', ' ', '😀'), maxLength: 400 }),
        fc.integer({ min: 5, max: 200 }),
        (text, max) => {
          const escaped = escapeToLength(text, max);
          expect(escaped.length).toBeLessThanOrEqual(max);
          expect(escaped.replace(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
        },
      ),
    );
  });
});
