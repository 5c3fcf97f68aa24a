import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeJobData, encodeJobData, encodeJobText } from './job-data-codec.ts';

describe('job data', () => {
  it('is stored as it is where every store can hold it', () => {
    expect(encodeJobData({ body: '{"a":1}', part: 0 })).toEqual({ body: '{"a":1}', part: 0 });
  });

  it('is stored as text where jsonb could not hold it', () => {
    expect(encodeJobData({ title: 'a\u0000b' })).toEqual({ json: '{"title":"a\\u0000b"}' });
    expect(encodeJobData({ title: '\ud83d' })).toEqual({ json: '{"title":"\\ud83d"}' });
  });

  it('comes back the same, also through JSON', () => {
    fc.assert(
      fc.property(fc.record({ title: fc.string({ unit: anyCodePoint }), part: fc.integer() }), (data) => {
        const stored = JSON.stringify(encodeJobData(data));
        expect(stored).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
        expect(encodeJobText(data)).toBe(stored);
        expect(decodeJobData(JSON.parse(stored))).toEqual(data);
      }),
      { numRuns: 50, examples: [[{ title: '\\u0000 \u0000 \ud800', part: 1 }]] },
    );
  });
});
