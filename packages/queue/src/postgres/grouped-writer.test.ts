import { describe, expect, it } from 'vitest';

import { createGroupedWriter } from './grouped-writer.ts';

/** A store whose writes end when the test says so. */
function makeStore() {
  const groups: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const writeGroup = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      groups.push({
        items,
        end: (error) => {
          if (error === undefined) resolve(items.map((item) => `${item} written`));
          else reject(error);
        },
      });
    });
  return { groups, writeGroup };
}

const later = (): number => performance.now() + 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a grouped writer', () => {
  it('writes at once, and groups what arrives while writes are under way', async () => {
    const { groups, writeGroup } = makeStore();
    const writer = createGroupedWriter(writeGroup, { maxGroup: 3, maxInFlight: 2 });
    const results = ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => writer.write(item, later()));
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b']]);
    groups[0]?.end();
    await turn();
    groups[1]?.end();
    await turn();
    expect(groups.slice(2).map(({ items }) => items)).toEqual([['c', 'd', 'e'], ['f']]);
    groups[2]?.end();
    groups[3]?.end();
    expect(await Promise.all(results)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => `${item} written`),
    );
  });

  it('gives a group one fate, and goes on with the next', async () => {
    const { groups, writeGroup } = makeStore();
    const writer = createGroupedWriter(writeGroup, { maxGroup: 10, maxInFlight: 1 });
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => writer.write(item, later())));
    groups[0]?.end();
    await turn();
    groups[1]?.end(new Error('gone'));
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    const next = writer.write('d', later());
    groups[2]?.end();
    expect(await next).toBe('d written');
  });

  it('drops what waited past its deadline', async () => {
    const { groups, writeGroup } = makeStore();
    const writer = createGroupedWriter(writeGroup, { maxGroup: 10, maxInFlight: 1 });
    const first = writer.write('a', later());
    const late = writer.write('b', performance.now());
    const inTime = writer.write('c', later());
    groups[0]?.end();
    await expect(late).rejects.toThrow('waited too long');
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['c']]);
    groups[1]?.end();
    expect([await first, await inTime]).toEqual(['a written', 'c written']);
  });

  it('closes when nothing is being written any more', async () => {
    const { groups, writeGroup } = makeStore();
    const writer = createGroupedWriter(writeGroup, { maxGroup: 10, maxInFlight: 1 });
    const result = writer.write('a', later());
    let isClosed = false;
    const closed = writer.close().then(() => {
      isClosed = true;
    });
    await turn();
    expect(isClosed).toBe(false);
    groups[0]?.end();
    await Promise.all([result, closed]);
  });
});
