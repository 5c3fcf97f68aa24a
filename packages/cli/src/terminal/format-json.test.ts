import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatJson } from './format-json.ts';

describe('formatJson', () => {
  it('escapes what a terminal would obey', () => {
    expect(formatJson({ title: '\u009B31mred\u202E\u061C\u206F\u001B[0m' }, { oneLine: true })).toBe(
      String.raw`{"title":"\u009b31mred\u202e\u061c\u206f\u001b[0m"}` + '\n',
    );
  });

  it('prints null for what JSON has no word for', () => {
    expect(formatJson(undefined)).toBe('null\n');
  });

  it('cuts what is nested too deep for its readers, and says so', () => {
    const deep: unknown = JSON.parse(`{"answer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const [before, after] = formatJson(deep, { oneLine: true }).split('"(cut: more than 500 levels deep)"');
    expect(before).toBe(`{"answer":${'['.repeat(499)}`);
    expect(after).toBe(`${']'.repeat(499)}}\n`);
  });

  it('leaves whole what stands in many places', () => {
    const shared = { at: new Date(0) };
    expect(formatJson([shared, [shared, [[shared]]]], { oneLine: true })).toBe(
      '[{"at":"1970-01-01T00:00:00.000Z"},[{"at":"1970-01-01T00:00:00.000Z"},[[{"at":"1970-01-01T00:00:00.000Z"}]]]]\n',
    );
  });

  it('is the same value to every reader', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x20_6f })), (codes) => {
        const value = { text: String.fromCharCode(...codes) };
        expect(JSON.parse(formatJson(value))).toEqual(value);
      }),
    );
  });
});
