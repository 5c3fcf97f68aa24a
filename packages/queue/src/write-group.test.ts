import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { describe, expect, it } from 'vitest';

import type { InboxEntry } from './inbox-entry.ts';
import type { Accepted } from './inbox-store.ts';
import { openBackend, silentLog } from './index.ts';
import { openPostgresInboxStore } from './postgres/postgres-inbox-store.ts';
import { openRedisInboxStore } from './redis/redis-inbox-store.ts';
import { writeGroup } from './write-group.ts';

const accepted: Accepted = { kind: 'accepted', isConflict: false };

function makeEntry(jobId: string, wrong: Partial<InboxEntry> = {}): InboxEntry {
  return { jobId, data: '{}', keepMs: 60_000, announcedAs: '', ...wrong };
}

/** A store that dislikes some ids, and is away for others; it notes what it was given. */
function makeStore() {
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

describe('a group that a store dislikes', () => {
  const write = ({ store }: ReturnType<typeof makeStore>, ...ids: readonly string[]) =>
    writeGroup(
      ids.map((id) => makeEntry(id)),
      store.acceptGroup,
      store.isDataError,
    );

  it('is written one by one, once', async () => {
    const made = makeStore();
    expect(await write(made, 'a', 'bad', 'b')).toEqual([accepted, new Error('data'), accepted]);
    expect(made.groups).toEqual(['a bad b', 'a', 'bad', 'b']);
  });

  it('is left when the store goes away meanwhile', async () => {
    const made = makeStore();
    const away = new Error('away');
    expect(await write(made, 'a', 'bad', 'away', 'b')).toEqual([accepted, new Error('data'), away, away]);
    expect(made.groups).toEqual(['a bad away b', 'a', 'bad', 'away']);
  });

  it('shares its fate when it is one, or when the store is away', async () => {
    const made = makeStore();
    await expect(write(made, 'bad')).rejects.toThrow('data');
    await expect(write(made, 'a', 'away')).rejects.toThrow('away');
    expect(made.groups).toEqual(['bad', 'a away']);
  });
});

describeEachStore(
  'a group with one delivery that can not be stored',
  (kind) => {
    it('fails that one alone', async () => {
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
        (group) => store.acceptGroup(group),
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
