import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { useSharedStore } from '../testing/use-ledger.ts';
import { listHandPauses, openHandPauses, setHandPause } from './hand-pauses.ts';

describeEachStore('pauses by hand', (kind) => {
  const open = useSharedStore(() => openTestStore(kind));

  it('are kept apart by kind, known to workers that start later, and ended', async () => {
    const { opened: shared } = open();
    const change = { name: 'slack', who: 'ann', nowMs: 1000 } as const;
    expect(await setHandPause(shared, { ...change, kind: 'destination', isPaused: true })).toBe(true);
    expect(await setHandPause(shared, { ...change, kind: 'destination', isPaused: true })).toBe(false);
    expect(
      await setHandPause(shared, { ...change, kind: 'recipe', name: 'recap', isPaused: true, nowMs: 2000 }),
    ).toBe(true);
    expect(await listHandPauses(shared)).toEqual([
      { kind: 'recipe', name: 'recap', atMs: 2000, who: 'ann' },
      { kind: 'destination', name: 'slack', atMs: 1000, who: 'ann' },
    ]);
    const pauses = await openHandPauses(shared);
    expect([
      pauses.isPaused('destination', 'slack'),
      pauses.isPaused('recipe', 'slack'),
      pauses.isPaused('recipe', 'recap'),
    ]).toEqual([true, false, true]);
    await pauses.close();
    expect(await setHandPause(shared, { ...change, kind: 'destination', isPaused: false })).toBe(true);
    expect((await listHandPauses(shared)).map(({ name }) => name)).toEqual(['recap']);
  });
});
