import { describe, expect, it } from 'vitest';

import { createPace, type Pace, type Visit } from './pace.ts';

function open(places = 2): {
  pace: Pace;
  visit: (key: string, more?: Partial<Visit>) => ReturnType<Pace['enter']>;
  pass: (ms: number) => void;
} {
  let nowMs = 1000;
  const pace = createPace(places, () => nowMs);
  return {
    pace,
    visit: (effectKey, more = {}) =>
      pace.enter({
        effectKey,
        lane: 'slack C1',
        gapMs: 1000,
        destination: 'slack',
        startedTimes: 1,
        ...more,
      }),
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

describe('createPace', () => {
  it('lets one effect a second into a channel and gives the others their turn', () => {
    const { visit, pass } = open();
    expect(visit('a').kind).toBe('go');
    expect(visit('b')).toMatchObject({ kind: 'wait', forMs: 1000 });
    expect(visit('c')).toMatchObject({ kind: 'wait', forMs: 2000 });
    expect(visit('b')).toMatchObject({ kind: 'wait', forMs: 1000 });
    pass(1000);
    expect(visit('b').kind).toBe('go');
  });

  it('keeps channels apart', () => {
    const { visit } = open();
    expect(visit('a').kind).toBe('go');
    expect(visit('b', { lane: 'slack C2' }).kind).toBe('go');
  });

  it('gives a destination its places and no more, and leaves those of others alone', () => {
    const { visit } = open(1);
    const first = visit('a');
    expect(first.kind).toBe('go');
    expect(visit('b', { lane: 'slack C2' })).toMatchObject({ kind: 'wait', forMs: 750 });
    expect(visit('c', { lane: 'notion', destination: 'notion' }).kind).toBe('go');
    if (first.kind === 'go') first.leave();
    expect(visit('b', { lane: 'slack C2' }).kind).toBe('go');
  });

  it('keeps to the pause a destination asked for', () => {
    const { pace, visit, pass } = open();
    pace.pause('slack C1', 30_000);
    pace.pause('slack C1', 5000);
    expect(visit('a')).toEqual({ kind: 'wait', forMs: 30_000, cause: 'slack asked for a pause' });
    expect(visit('b', { lane: 'slack C2' }).kind).toBe('go');
    pass(30_000);
    expect(visit('a').kind).toBe('go');
  });

  it('comes back less and less often to a destination that stays busy', () => {
    const { visit } = open(0);
    expect(visit('a', { startedTimes: 3 })).toMatchObject({ forMs: 1688 });
    expect(visit('a', { startedTimes: 1000 })).toMatchObject({ forMs: 30_000 });
  });
});
