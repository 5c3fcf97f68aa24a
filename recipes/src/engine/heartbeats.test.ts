import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { useSharedStore } from '../testing/use-ledger.ts';
import { listWorkers, startHeartbeats } from './heartbeats.ts';

describeEachStore('the signs of life of workers', (kind) => {
  const open = useSharedStore(() => openTestStore(kind));
  /** Moves the clock of the store. */
  let aheadMs = 0;
  const moved = () => {
    const { opened } = open();
    return { ...opened, readClockMs: async () => (await opened.readClockMs()) + aheadMs };
  };
  const clockOf = (machineAheadMs: number) => ({
    now: () => open().backend.clock.now() + aheadMs,
    machineAheadMs: () => machineAheadMs,
  });

  it('say who is alive, who stopped, who is gone, and whose clock is wrong', async () => {
    const right = startHeartbeats(moved(), { name: 'a:1', clock: clockOf(0) });
    await right.close();
    aheadMs = 10_000;
    const crashed = startHeartbeats(moved(), { name: 'b:2', clock: clockOf(-3_600_000) });
    await expect.poll(async () => (await listWorkers(moved())).length).toBe(2);
    const [first, second] = await listWorkers(moved());
    expect([first?.name, first?.state, second?.name, second?.state]).toEqual([
      'b:2',
      'alive',
      'a:1',
      'stopped',
    ]);
    expect(first?.skewMs).toBe(3_600_000);
    aheadMs = 80_000;
    expect((await listWorkers(moved())).map(({ state }) => state)).toEqual(['gone', 'stopped']);
    aheadMs = 25 * 3_600_000;
    const next = startHeartbeats(moved(), { name: 'c:3', clock: clockOf(0) });
    await next.close();
    expect((await listWorkers(moved())).map(({ name }) => name)).toEqual(['c:3']);
    aheadMs = 10_000;
    await crashed.close();
  });
});
