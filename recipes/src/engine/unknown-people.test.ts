import { expect, it } from 'vitest';

import { createPeopleDirectory } from '../report/people-directory.ts';
import { createMemoryCells } from '../testing/memory-cells.ts';
import type { SharedStore } from './store/shared-store.ts';
import { forgetUnknownPeople, listUnknownPeople, noteUnknownPeople } from './unknown-people.ts';

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

it('counts each meeting once, the most frequent person first, and who is known by now is not listed', async () => {
  const store = memoryStore();
  const note = (meetingId: string, ...names: string[]) =>
    noteUnknownPeople(store, { meetingId, names, nowMs });
  await note('m_1', 'Otto Weiss', 'Eve');
  await note('m_1', 'Otto Weiss', 'Eve');
  await note('m_2', 'Otto Weiss');
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
  await noteUnknownPeople(store, { meetingId: 'm_1', names: ['Otto'], nowMs });
  await noteUnknownPeople(store, { meetingId: 'm_2', names: ['Otto', 'Eve'], nowMs: nowMs + day });
  await forgetUnknownPeople(store, 'm_2', nowMs + day);
  expect(await listUnknownPeople(store, strangers, nowMs + day)).toEqual([{ name: 'Otto', meetings: 1 }]);
  expect(await listUnknownPeople(store, strangers, nowMs + 30 * day)).toEqual([]);
  expect(await store.read('unknown-people')).not.toContain('Eve');
});

it('stays small, and keeps who appeared last', async () => {
  const store = memoryStore();
  for (let at = 0; at < 60; at += 1) {
    const names = Array.from({ length: 10 }, (_each, place) => `Guest ${at}.${place}`);
    await noteUnknownPeople(store, { meetingId: `m_${at}`, names: [...names, 'Otto'], nowMs: nowMs + at });
  }
  const listed = await listUnknownPeople(store, strangers, nowMs + 60);
  expect(listed).toHaveLength(200);
  expect(listed[0]).toEqual({ name: 'Otto', meetings: 50 });
  expect(listed.some(({ name }) => name === 'Guest 59.9')).toBe(true);
  expect((await store.read('unknown-people'))?.length).toBeLessThan(20_000);
});
