import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeEach, describe, expect, it } from 'vitest';

import { useSharedStore } from '../../testing/use-ledger.ts';
import { createKeyWatch, isKeyRefused, type KeyWatch } from './key-watch.ts';

const nowMs = 1_795_000_000_000;
const second = 1000;
const minute = 60 * second;

describe('what a worker knows by itself', () => {
  it('lets one fetch try every 30 seconds while the key is refused', async () => {
    const watch = createKeyWatch({ swap: () => Promise.resolve([undefined]) }, () => 'e1');
    expect(watch.waitMs(nowMs)).toBe(0);
    expect(watch.waitMs(nowMs)).toBe(0);
    expect(await watch.refused(nowMs)).toEqual({ isFirst: true, episode: 'e1', waitMs: 30_000 });
    expect(watch.waitMs(nowMs + 10 * second)).toBe(20_000);
    expect(watch.waitMs(nowMs + 30 * second)).toBe(0);
    expect(watch.waitMs(nowMs + 30 * second)).toBe(30_000);
    expect(await watch.refused(nowMs + 31 * second)).toEqual({
      isFirst: false,
      episode: 'e1',
      waitMs: 29_000,
    });
    expect(watch.waitMs(nowMs + 60 * second)).toBe(0);
    await watch.accepted(nowMs + 61 * second);
    expect([1, 2, 3].map(() => watch.waitMs(nowMs + 61 * second))).toEqual([0, 0, 0]);
  });

  it('asks the store once while nothing is wrong', async () => {
    let asked = 0;
    const swap = () => Promise.resolve([(asked += 1) > 0 ? undefined : '']);
    const watch = createKeyWatch({ swap });
    for (let time = 0; time < 5; time++) await watch.accepted(nowMs + time);
    expect(asked).toBe(1);
  });

  it('waits also while the store is away, and asks it again', async () => {
    let isAway = true;
    const swap = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([undefined]));
    const watch = createKeyWatch({ swap }, () => 'e1');
    await expect(watch.refused(nowMs)).rejects.toThrow('away');
    expect(watch.waitMs(nowMs)).toBe(30_000);
    isAway = false;
    expect(await watch.refused(nowMs)).toEqual({ isFirst: true, episode: 'e1', waitMs: 30_000 });
    isAway = true;
    await expect(watch.accepted(nowMs)).rejects.toThrow('away');
    expect(watch.waitMs(nowMs)).toBe(30_000);
    isAway = false;
    await watch.accepted(nowMs);
    expect(watch.waitMs(nowMs)).toBe(0);
  });
});

describeEachStore(
  'the key watch of all workers',
  (kind) => {
    const open = useSharedStore(() => openTestStore(kind));
    let startMs = nowMs;
    let lastId = 0;
    // What one test leaves behind is long over for the next one.
    beforeEach(async () => {
      startMs += 60 * minute;
      await startWatch().accepted(startMs - 30 * minute);
    });
    const startWatch = (): KeyWatch => createKeyWatch(open().opened, () => `e${(lastId += 1)}`);

    it('gives one of them the alarm', async () => {
      const watches = [1, 2, 3].map(() => startWatch());
      const refusals = await Promise.all([...watches, ...watches].map((watch) => watch.refused(startMs)));
      expect(refusals.filter(({ isFirst }) => isFirst)).toHaveLength(1);
      expect(new Set(refusals.map(({ episode }) => episode)).size).toBe(1);
    });

    it('tells operators whether the key is refused', async () => {
      const read = () => isKeyRefused(open().opened);
      expect(await read()).toBe(false);
      await startWatch().refused(startMs);
      expect(await read()).toBe(true);
      await startWatch().accepted(startMs + minute);
      expect(await read()).toBe(false);
    });

    it('begins a new episode once the key was taken, not within ten minutes', async () => {
      const [one, other] = [startWatch(), startWatch()];
      const first = await one.refused(startMs);
      await other.refused(startMs);
      await one.accepted(startMs + minute);
      expect(await one.refused(startMs + 10 * minute)).toMatchObject({
        isFirst: false,
        episode: first.episode,
      });
      await one.accepted(startMs + 12 * minute);
      // The other one has not noticed that the episode was over, and notices it when it tries.
      expect(other.waitMs(startMs + 22 * minute)).toBe(0);
      const next = await other.refused(startMs + 22 * minute);
      expect(next).toEqual({ isFirst: true, episode: expect.any(String) as string, waitMs: 30_000 });
      expect(next.episode).not.toBe(first.episode);
    });

    it('ends the episode by the first success of a worker that was started anew', async () => {
      const first = await startWatch().refused(startMs);
      expect(await startWatch().refused(startMs + minute)).toMatchObject({ isFirst: false });
      await startWatch().accepted(startMs + 2 * minute);
      const later = await startWatch().refused(startMs + 20 * minute);
      expect(later.isFirst).toBe(true);
      expect(later.episode).not.toBe(first.episode);
    });
  },
  ['redis', 'postgres'],
);
