import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { planUpload } from './plan-upload.ts';

const MIB = 1024 ** 2;

describe('planUpload', () => {
  it.each([
    [1, [[0, 0, 1]], 2],
    [20 * MIB, [[0, 0, 20 * MIB]], 2],
    [
      20 * MIB + 1,
      [
        [0, 0, 20 * MIB],
        [1, 20 * MIB, 1],
      ],
      3,
    ],
  ])('cuts %d bytes', (size, chunks, chunkTotal) => {
    const plan = planUpload(size, 20 * MIB);
    expect(plan.chunks.map(({ number, offset, length }) => [number, offset, length])).toEqual(chunks);
    expect(plan.chunkTotal).toBe(chunkTotal);
  });

  it('cuts 3 GiB into 154 chunks, of which the last has 12 MiB', () => {
    const { chunks, chunkTotal } = planUpload(3 * 1024 * MIB, 20 * MIB);
    expect(chunkTotal).toBe(155);
    expect(chunks.at(-1)).toEqual({ number: 153, offset: 3_208_642_560, length: 12 * MIB });
  });

  it('covers every byte once, in order, with full chunks before the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 700 }), (size, chunkBytes) => {
        const { chunks, chunkTotal } = planUpload(size, chunkBytes);
        const last = chunks.length - 1;
        expect(chunkTotal).toBe(chunks.length + 1);
        expect((chunks[last]?.offset ?? 0) + (chunks[last]?.length ?? 0)).toBe(size);
        const isRight = chunks.every(
          ({ number, offset, length }, index) =>
            number === index &&
            offset === index * chunkBytes &&
            (index < last ? length === chunkBytes : length >= 1 && length <= chunkBytes),
        );
        expect(isRight).toBe(true);
      }),
    );
  });
});
