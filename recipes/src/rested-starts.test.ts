import type { EffectJob } from '@aftermeet/queue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isTraceComplete, noteRest } from './rested-starts.ts';

const fresh: EffectJob = {
  effectKey: 'k',
  destination: 'slack',
  recipe: 'r',
  target: 'C1',
  part: 0,
  event: {
    kind: 'meeting.completed',
    meetingId: 'm_1',
    occurrence: '2026-11-21T09:29:58Z',
    endpoint: 'default',
    receivedAt: '2026-11-21T09:30:00.000Z',
  },
};

describe('the starts of an effect', () => {
  it('leave a complete trace when each one before ended by being put aside', () => {
    let data = fresh;
    for (let startedTimes = 1; startedTimes <= 4; startedTimes += 1) {
      expect(isTraceComplete({ data, startedTimes })).toBe(true);
      data = noteRest({ data, startedTimes });
    }
    expect(data.restedStarts).toBe(4);
  });

  it('leave a gap that no later start closes when one of them was cut off', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (rests) => {
        let data = fresh;
        let startedTimes = 0;
        for (const isRested of rests) {
          startedTimes += 1;
          expect(isTraceComplete({ data, startedTimes })).toBe(
            !rests.slice(0, startedTimes - 1).includes(false),
          );
          if (isRested) data = noteRest({ data, startedTimes });
        }
      }),
    );
  });

  it('leave a complete trace again after one that looked into the gap', () => {
    const data = noteRest({ data: fresh, startedTimes: 3 }, { isTraced: true });
    expect(isTraceComplete({ data, startedTimes: 4 })).toBe(true);
    expect(isTraceComplete({ data, startedTimes: 5 })).toBe(false);
  });

  it('keep the turn that they were told, and drop one that was used', () => {
    const turned = noteRest({ data: fresh, startedTimes: 1 }, { turnMs: 5000 });
    expect(turned.turnMs).toBe(5000);
    expect(noteRest({ data: turned, startedTimes: 2 })).toEqual({ ...fresh, restedStarts: 2 });
  });
});
