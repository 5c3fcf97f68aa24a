import { expect, it } from 'vitest';

import { groupReads } from './grouped-reader.ts';

it('reads in one step what is asked for in one turn, in groups of a size', async () => {
  const groups: (readonly number[])[] = [];
  const read = groupReads(async (keys: readonly number[]) => {
    groups.push(keys);
    return keys.map((key) => key * 10);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 2].map(read))).toEqual([10, 20, 30, 40, 20]);
  expect(await read(5)).toBe(50);
  expect(groups).toEqual([[1, 2, 3], [4, 2], [5]]);
});

it('has what is asked for together fail together, and reads on', async () => {
  const read = groupReads(async (keys: readonly string[]) => {
    if (keys.includes('bad')) throw new Error('no answer');
    return keys.includes('short') ? [] : keys;
  }, 2);
  const asked = await Promise.allSettled(['bad', 'one', 'two'].map(read));
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  await expect(read('short')).rejects.toThrow('another number of answers');
  expect(await read('three')).toBe('three');
});
