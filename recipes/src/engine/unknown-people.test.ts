import { expect, it } from 'vitest';

import { createPeopleDirectory } from '../report/people-directory.ts';
import { createMemoryCells } from '../testing/memory-cells.ts';
import type { SharedStore } from './store/shared-store.ts';
import { createUnknownPeopleNotes, forgetUnknownPeople, listUnknownPeople } from './unknown-people.ts';

const day = 24 * 60 * 60 * 1000;
const nowMs = 1_795_000_000_000;
const strangers = createPeopleDirectory();

function memoryStore(): Pick<SharedStore, 'swap' | 'read'> & { readonly writes: () => number } {
  const cells = createMemoryCells();
  let writes = 0;
  return {
    read: cells.read,
    swap: async (swaps, atMs) => {
      writes += 1;
      return await cells.swap(swaps, atMs);
    },
    writes: () => writes,
  };
}

/** Notes meetings one after the other, each as a worker that has just started does. */
async function note(
  store: Pick<SharedStore, 'swap' | 'read'>,
  meetingId: string,
  names: readonly string[],
  atMs = nowMs,
): Promise<void> {
  createUnknownPeopleNotes(store, () => atMs)({ meetingId, names });
  await settle();
}

/** Until all that was begun in memory is done. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

it('counts each meeting once, the most frequent person first, and who is known by now is not listed', async () => {
  const store = memoryStore();
  await note(store, 'm_1', ['Otto Weiss', 'Eve']);
  await note(store, 'm_1', ['Otto Weiss', 'Eve']);
  await note(store, 'm_2', ['Otto Weiss']);
  expect(store.writes()).toBe(2);
  expect(await listUnknownPeople(store, strangers, nowMs)).toEqual([
    { name: 'Otto Weiss', meetings: 2 },
    { name: 'Eve', meetings: 1 },
  ]);
  const directory = createPeopleDirectory([{ name: 'Otto Weiss', aliases: [], slack: 'U0OTTO' }]);
  expect(await listUnknownPeople(store, directory, nowMs)).toEqual([{ name: 'Eve', meetings: 1 }]);
});

it('forgets a meeting, and what is older than 30 days', async () => {
  const store = memoryStore();
  await note(store, 'm_1', ['Otto']);
  await note(store, 'm_2', ['Otto', 'Eve'], nowMs + day);
  await forgetUnknownPeople(store, 'm_2', nowMs + day);
  expect(await listUnknownPeople(store, strangers, nowMs + day)).toEqual([{ name: 'Otto', meetings: 1 }]);
  expect(await listUnknownPeople(store, strangers, nowMs + 30 * day)).toEqual([]);
  expect(await store.read('unknown-people')).not.toContain('Eve');
});

it('stays small, and keeps who appeared last', async () => {
  const store = memoryStore();
  for (let at = 0; at < 60; at += 1) {
    const names = Array.from({ length: 10 }, (_each, place) => `Guest ${at}.${place}`);
    await note(store, `m_${at}`, [...names, 'Otto'], nowMs + at);
  }
  const listed = await listUnknownPeople(store, strangers, nowMs + 60);
  expect(listed).toHaveLength(200);
  expect(listed[0]).toEqual({ name: 'Otto', meetings: 50 });
  expect(listed.some(({ name }) => name === 'Guest 59.9')).toBe(true);
  expect((await store.read('unknown-people'))?.length).toBeLessThan(20_000);
});

it('writes for many reports at once, however many workers read them, and once for each report of a worker', async () => {
  const store = memoryStore();
  const workers = [1, 2, 3, 4].map(() => createUnknownPeopleNotes(store, () => nowMs));
  for (let at = 0; at < 300; at += 1)
    for (const worker of workers) worker({ meetingId: `m_${at}`, names: ['Otto'] });
  await settle();
  // A write for each report and worker, each of which makes all others think again, would be 1200 and more.
  expect(store.writes()).toBeLessThan(30);
  const before = store.writes();
  // The note holds the last 50 meetings of a person: an earlier one is not noted as a new one again.
  for (const worker of workers) worker({ meetingId: 'm_0', names: ['Otto'] });
  await settle();
  expect(store.writes()).toBe(before);
  expect(await listUnknownPeople(store, strangers, nowMs)).toEqual([{ name: 'Otto', meetings: 50 }]);
});

it('notes again what could not be written', async () => {
  const store = memoryStore();
  let isAway = true;
  const read: SharedStore['read'] = (name) => (isAway ? Promise.reject(new Error('away')) : store.read(name));
  const worker = createUnknownPeopleNotes({ ...store, read }, () => nowMs);
  worker({ meetingId: 'm_1', names: ['Otto'] });
  await settle();
  isAway = false;
  worker({ meetingId: 'm_1', names: ['Otto'] });
  await settle();
  expect(await listUnknownPeople(store, strangers, nowMs)).toEqual([{ name: 'Otto', meetings: 1 }]);
});
