import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createGroupedWriter, type GroupedWriterOptions } from './grouped-writer.ts';

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

function makeOptions(options: Partial<GroupedWriterOptions<string>> = {}): GroupedWriterOptions<string> {
  return {
    maxGroup: 10,
    maxGroupSize: 1000,
    maxInFlight: 1,
    maxWaiting: 1000,
    maxWaitingSize: 1000,
    startWithinMs: 50_000,
    answerWithinMs: 60_000,
    sizeOf: (item) => item.length,
    ...options,
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const describeGroups = ({ groups }: ReturnType<typeof makeStore>): string[] =>
  groups.map(({ items }) => items.join(' '));

describe('a grouped writer', () => {
  it('takes an item larger than everything that may wait, when nothing waits', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions({ maxWaitingSize: 4 }));
    const result = writer.write('enormous');
    await turn();
    store.groups[0]?.end();
    expect(await result).toBe('enormous written');
    await writer.close();
  });

  it('groups what arrives in one turn, and what arrives while writes are under way', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions({ maxGroup: 3, maxInFlight: 2 }));
    const write = (item: string): Promise<string> => writer.write(item);
    const results = ['a', 'b'].map(write);
    expect(describeGroups(store)).toEqual([]);
    await turn();
    expect(describeGroups(store)).toEqual(['a b']);
    results.push(write('c'));
    await turn();
    expect(describeGroups(store)).toEqual(['a b', 'c']);
    results.push(...['d', 'e', 'f', 'g'].map(write));
    await turn();
    expect(store.groups).toHaveLength(2);
    store.groups[1]?.end();
    await turn();
    expect(describeGroups(store)).toEqual(['a b', 'c', 'd e f']);
    store.groups[0]?.end();
    await turn();
    expect(describeGroups(store).slice(3)).toEqual(['g']);
    store.groups[2]?.end();
    store.groups[3]?.end();
    expect(await Promise.all(results)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((item) => `${item} written`),
    );
  });

  it('keeps groups below a size, and writes what is larger alone', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions({ maxGroupSize: 4, maxInFlight: 9 }));
    const results = ['aa', 'bb', 'cc', 'dddddd', 'ee'].map((item) => writer.write(item));
    await turn();
    expect(describeGroups(store)).toEqual(['aa bb', 'cc', 'dddddd', 'ee']);
    for (const { end } of store.groups) end();
    await Promise.all(results);
  });

  it('gives a group one fate, and goes on with the next', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions());
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => writer.write(item)));
    await turn();
    store.groups[0]?.end(new Error('gone'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const next = writer.write('d');
    await turn();
    store.groups[1]?.end();
    expect(await next).toBe('d written');
  });

  it('rejects what the store gave no result for', async () => {
    const writer = createGroupedWriter(() => Promise.resolve(['a']), makeOptions());
    const results = await Promise.allSettled(['a', 'b'].map((item) => writer.write(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('rejects one item when its result is an error', async () => {
    const writer = createGroupedWriter(
      () => Promise.resolve(['a', new Error('not this one')]),
      makeOptions(),
    );
    const results = await Promise.allSettled(['a', 'b'].map((item) => writer.write(item)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new Error('not this one') },
    ]);
  });

  it('rejects at once what is one too many to wait, by number and by size', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions({ maxWaiting: 3, maxWaitingSize: 10 }));
    const flying = writer.write('flying');
    await turn();
    const waiting = ['a', 'b'].map((item) => writer.write(item));
    await expect(writer.write('123456789')).rejects.toThrow('too much waits');
    waiting.push(writer.write('12345678'));
    await expect(writer.write('')).rejects.toThrow('too much waits');
    store.groups[0]?.end();
    await turn();
    const next = writer.write('123456789');
    store.groups[1]?.end();
    await turn();
    store.groups[2]?.end();
    expect(await Promise.all([flying, ...waiting, next])).toHaveLength(5);
  });

  it('closes when nothing waits or is being written any more', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, makeOptions({ maxGroup: 1 }));
    const results = ['a', 'b'].map((item) => writer.write(item));
    await turn();
    let isClosed = false;
    const closed = writer.close().then(() => {
      isClosed = true;
    });
    store.groups[0]?.end();
    await turn();
    expect(isClosed).toBe(false);
    store.groups[1]?.end();
    await Promise.all([...results, closed]);
    await writer.close();
  });
});

describe('a grouped writer whose store is slow', () => {
  const inTime = makeOptions({ startWithinMs: 500, answerWithinMs: 850 });

  /** Lets time go by, and what it brought about happen. */
  const advance = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    await turn();
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('rejects everybody in time, those that wait and those under way', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, inTime);
    const rejected: string[] = [];
    const write = (item: string): Promise<unknown> =>
      writer.write(item).catch((error: unknown) => rejected.push(`${item}: ${String(error)}`));
    const first = write('a');
    await turn();
    const second = write('b');
    await advance(400);
    const third = write('c');
    await advance(99);
    expect(rejected).toEqual([]);
    await advance(50);
    await second;
    expect(rejected).toEqual(['b: Error: waited too long for the writes before it']);
    await advance(350);
    await first;
    expect(rejected.slice(1)).toEqual(['a: Error: no answer within 850 ms']);
    await advance(50);
    await third;
    expect(rejected.slice(2)).toEqual(['c: Error: waited too long for the writes before it']);

    store.groups[0]?.end();
    const next = writer.write('d');
    await turn();
    store.groups[1]?.end();
    expect(await next).toBe('d written');
    await advance(50);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin to write what has waited too long, also when no sweep came between', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, inTime);
    const first = writer.write('a');
    await turn();
    const late = writer.write('b').catch(String);
    vi.advanceTimersByTime(600);
    store.groups[0]?.end();
    await first;
    expect(await late).toContain('waited too long');
    expect(store.groups).toHaveLength(1);
  });

  it('believes an answer that came while the process stood still', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.writeGroup, inTime);
    const result = writer.write('a');
    await turn();
    // Timers come first, and what the store said is read after them.
    vi.advanceTimersByTime(900);
    store.groups[0]?.end();
    expect(await result).toBe('a written');
    await turn();
  });

  it('goes on answering as many as the store can take when twice as many come', async () => {
    const takesMs = 200;
    const writeGroup = (items: readonly number[]): Promise<readonly number[]> =>
      new Promise((resolve) => setTimeout(() => resolve(items), takesMs));
    const writer = createGroupedWriter<number, number>(writeGroup, {
      ...makeOptions({ ...inTime, maxGroup: 20, maxInFlight: 2 }),
      maxWaiting: 20_000,
      maxWaitingSize: 20_000,
      sizeOf: () => 1,
    });
    let answered = 0;
    let refused = 0;
    for (let turns = 1; turns <= 40; turns += 1) {
      for (let item = 0; item < 80; item += 1) {
        void writer.write(item).then(
          () => (answered += 1),
          () => (refused += 1),
        );
      }
      await advance(takesMs);
      // By now as many wait as ever will.
      if (turns === 10) answered = 0;
    }
    expect(answered).toBeGreaterThan(0.9 * 40 * 30);
    expect(answered).toBeLessThanOrEqual(40 * 31);
    expect(refused).toBeGreaterThan(1000);
  });
});
