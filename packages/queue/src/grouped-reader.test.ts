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

it('reads in the next step what is asked for during as many as it may', async () => {
  const groups: (readonly string[])[] = [];
  let endFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const read = groupReads(
    async (keys: readonly string[]) => {
      groups.push(keys);
      if (keys.includes('a')) await first;
      return keys;
    },
    10,
    1,
  );
  const asked = [read('a')];
  await new Promise(setImmediate);
  asked.push(read('b'));
  await new Promise(setImmediate);
  asked.push(read('c'));
  await new Promise(setImmediate);
  expect(groups).toEqual([['a']]);
  endFirst();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  expect(groups).toEqual([['a'], ['b', 'c']]);
});

it('has one fail alone that has an error in the place of its answer', async () => {
  const read = groupReads<string, string>(
    async (keys) => keys.map((key) => (key === 'bad' ? new Error('refused') : key)),
    10,
  );
  const answers = await Promise.allSettled(['a', 'bad', 'b'].map(read));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
