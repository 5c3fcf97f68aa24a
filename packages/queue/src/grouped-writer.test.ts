import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createEndpointLines } from './endpoint-lines.ts';
import { createGroupedWriter, type GroupedWriterOptions, writeGroup } from './grouped-writer.ts';
import type { Accepted, InboxEntry } from './inbox-store.ts';
import { openBackend, silentLog } from './index.ts';
import { openPostgresInboxStore } from './postgres/postgres-inbox.ts';
import { openRedisInboxStore } from './redis/redis-inbox.ts';

/** A store whose writes end when the test says so. */
function makeStore() {
  const groups: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const write = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      groups.push({
        items,
        end: (error) => {
          if (error === undefined) resolve(items.map((item) => `${item} written`));
          else reject(error);
        },
      });
    });
  return { groups, write };
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
    const writer = createGroupedWriter(store.write, makeOptions({ maxWaitingSize: 4 }));
    const result = writer.write('enormous');
    await turn();
    store.groups[0]?.end();
    expect(await result).toBe('enormous written');
    await writer.close();
  });

  it('groups what arrives in one turn, and what arrives while writes are under way', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.write, makeOptions({ maxGroup: 3, maxInFlight: 2 }));
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

  it('limits the size of groups, and writes a larger entry on its own', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.write, makeOptions({ maxGroupSize: 4, maxInFlight: 9 }));
    const results = ['aa', 'bb', 'cc', 'dddddd', 'ee'].map((item) => writer.write(item));
    await turn();
    expect(describeGroups(store)).toEqual(['aa bb', 'cc', 'dddddd', 'ee']);
    for (const { end } of store.groups) end();
    await Promise.all(results);
  });

  it('fails a group together, and continues with the next', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.write, makeOptions());
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
    const writer = createGroupedWriter(store.write, makeOptions({ maxWaiting: 3, maxWaitingSize: 10 }));
    const flying = writer.write('flying');
    await turn();
    const waiting = ['a', 'b'].map((item) => writer.write(item));
    await expect(writer.write('123456789')).rejects.toThrow('too many items wait');
    waiting.push(writer.write('12345678'));
    await expect(writer.write('')).rejects.toThrow('too many items wait');
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
    const writer = createGroupedWriter(store.write, makeOptions({ maxGroup: 1 }));
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

  it('rejects waiting and written items in time', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.write, inTime);
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
    const writer = createGroupedWriter(store.write, inTime);
    const first = writer.write('a');
    await turn();
    const late = writer.write('b').catch(String);
    vi.advanceTimersByTime(600);
    store.groups[0]?.end();
    await first;
    expect(await late).toContain('waited too long');
    expect(store.groups).toHaveLength(1);
  });

  it('accepts an answer that arrived during a pause of the process', async () => {
    const store = makeStore();
    const writer = createGroupedWriter(store.write, inTime);
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
    const write = (items: readonly number[]): Promise<readonly number[]> =>
      new Promise((resolve) => setTimeout(() => resolve(items), takesMs));
    const writer = createGroupedWriter<number, number>(write, {
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

const accepted: Accepted = { kind: 'accepted', isConflict: false };

function makeEntry(jobId: string, wrong: Partial<InboxEntry> = {}): InboxEntry {
  return { jobId, endpoint: 'default', data: '{}', keepMs: 60_000, deliveryKey: '', ...wrong };
}

/** A store that dislikes some ids, and is away for others; it notes what it was given. */
function makeStoreForWriteGroup() {
  const groups: string[] = [];
  const acceptGroup = (group: readonly InboxEntry[]): Promise<readonly Accepted[]> => {
    const ids = group.map(({ jobId }) => jobId).join(' ');
    groups.push(ids);
    if (ids.includes('bad')) return Promise.reject(new Error('data'));
    if (ids.includes('away')) return Promise.reject(new Error('away'));
    return Promise.resolve(group.map(() => accepted));
  };
  const isDataError = (error: unknown): boolean => error instanceof Error && error.message === 'data';
  return { groups, store: { acceptGroup, isDataError } };
}

describe('a group whose data causes an error', () => {
  const write = ({ store }: ReturnType<typeof makeStoreForWriteGroup>, ...ids: readonly string[]) =>
    writeGroup(
      ids.map((id) => makeEntry(id)),
      store.acceptGroup,
      store.isDataError,
    );

  it('is written one by one, once', async () => {
    const made = makeStoreForWriteGroup();
    expect(await write(made, 'a', 'bad', 'b')).toEqual([accepted, new Error('data'), accepted]);
    expect(made.groups).toEqual(['a bad b', 'a', 'bad', 'b']);
  });

  it('stops when the store becomes unavailable', async () => {
    const made = makeStoreForWriteGroup();
    const away = new Error('away');
    expect(await write(made, 'a', 'bad', 'away', 'b')).toEqual([accepted, new Error('data'), away, away]);
    expect(made.groups).toEqual(['a bad away b', 'a', 'bad', 'away']);
  });

  it('fails together when it is a single item, or the store is unavailable', async () => {
    const made = makeStoreForWriteGroup();
    await expect(write(made, 'bad')).rejects.toThrow('data');
    await expect(write(made, 'a', 'away')).rejects.toThrow('away');
    expect(made.groups).toEqual(['bad', 'a away']);
  });
});

describeEachStore(
  'a group with one delivery that cannot be stored',
  (kind) => {
    it('fails only that one', async () => {
      const testStore = await openTestStore(kind);
      const backend = await openBackend(testStore.queueUrl, { log: silentLog });
      const options = { log: silentLog, clock: Date.now };
      const store =
        backend.kind === 'redis'
          ? await openRedisInboxStore(backend, options)
          : await openPostgresInboxStore(backend, options);
      // What one of them takes the other may not: this is for both.
      const wrong = makeEntry('wrong', { data: 'no JSON', keepMs: 0 });
      const results = await writeGroup(
        [wrong, makeEntry('a'), makeEntry('b')],
        async (group) => {
          const places = createEndpointLines().request(group.map(({ endpoint }) => endpoint));
          return (await store.acceptGroup(group, places)).accepted;
        },
        (error) => store.isDataError(error),
      );
      expect(results).toEqual([expect.any(Error), accepted, accepted]);
      await store.close();
      await backend.close();
      await testStore.dispose();
    });
  },
  ['redis', 'postgres'],
);
