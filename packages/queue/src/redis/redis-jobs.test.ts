import fc from 'fast-check';
import { expect, it } from 'vitest';

import { type FoundChunk, type FoundJob, mergeNewestFirst } from './redis-jobs.ts';

// eslint-disable-next-line @typescript-eslint/require-await -- an iterator of what is there already
async function* toChunks(jobs: readonly (FoundJob & { readonly endedAtMs: number })[], size: number) {
  const ordered = jobs.toSorted((one, other) => other.endedAtMs - one.endedAtMs);
  for (let at = 0; at < ordered.length; at += size) {
    const chunk = ordered.slice(at, at + size);
    yield { jobs: chunk, ceilingMs: chunk.at(-1)?.endedAtMs ?? -Infinity } satisfies FoundChunk;
  }
}

async function merge(lists: readonly AsyncIterator<FoundChunk, unknown>[]): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const page of mergeNewestFirst(lists)) pages.push([...page]);
  return pages;
}

it('gives jobs as soon as nothing newer can come', async () => {
  const first = toChunks(
    [
      { id: 'a', addedAtMs: 90, endedAtMs: 100 },
      { id: 'b', addedAtMs: 10, endedAtMs: 80 },
      { id: 'c', addedAtMs: 40, endedAtMs: 60 },
    ],
    1,
  );
  const second = toChunks([{ id: 'd', addedAtMs: 70, endedAtMs: 95 }], 1);
  expect(await merge([first, second])).toEqual([['a'], ['d'], ['c', 'b']]);
});

it('lists every job once, newest first, for any order of the lists', async () => {
  const job = fc.record({ serial: fc.nat(20), addedAtMs: fc.nat(50), tookMs: fc.nat(50) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(job), { maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (lists, size) => {
        // A job is the same in each list that has it.
        const times = new Map<string, number>();
        const found = lists.map((list) =>
          list.map(({ serial, addedAtMs, tookMs }) => {
            const id = `job-${serial}`;
            if (!times.has(id)) times.set(id, addedAtMs);
            const knownMs = times.get(id) ?? 0;
            return { id, addedAtMs: knownMs, endedAtMs: knownMs + tookMs };
          }),
        );
        const ids = (await merge(found.map((list) => toChunks(list, size)))).flat();
        expect(ids.toSorted()).toEqual([...times.keys()].toSorted());
        const given = ids.map((id) => times.get(id) ?? 0);
        expect(given).toEqual(given.toSorted((one, other) => other - one));
      },
    ),
    { numRuns: 200 },
  );
});
