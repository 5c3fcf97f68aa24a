import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeJobData, encodeJobData, encodeJobText, toSafeId } from './job-catalog.ts';

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

it('leaves plain ids as they are and hashes the others', () => {
  expect(toSafeId('a1b2_C-3')).toBe('a1b2_C-3');
  expect(toSafeId('12345')).toBe('5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5');
  expect(toSafeId('a:b')).toBe('6783a31eabf68ccc0660f935c0826282bdd2241f3a80a9f2d10d59aea9ebb5d8');
});

it('makes every text an id that BullMQ and PostgreSQL take', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 200 }), (text) => {
      expect(toSafeId(text)).toMatch(/^(?!-?\d+$)[A-Za-z0-9_-]{1,128}$/);
    }),
    { numRuns: 50 },
  );
});
