import type { EffectJob } from '@aftermeet/queue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createTestTools } from '../testing/create-test-tools.ts';
import { createMemoryTools } from '../testing/memory-tools.ts';
import { sampleEvent } from '../testing/sample-report.ts';
import { recordFailedJob } from './destination-worker.ts';
import type { Claim, Ledger, Settlement } from './ledger/ledger.ts';
import type { WorkerStep } from './outcome.ts';
import { isTraceComplete, noteStart, recordOutcome } from './record-outcome.ts';

const fresh: EffectJob = {
  effectKey: 'k',
  destination: 'slack',
  recipe: 'r',
  target: 'C1',
  part: 0,
  event: sampleEvent,
};

describe('the starts of an effect', () => {
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
          if (isRested) data = noteStart({ data, startedTimes });
        }
      }),
    );
  });

  it('leave a complete trace again after one that looked into the gap', () => {
    const data = noteStart({ data: fresh, startedTimes: 3 }, { isTraced: true });
    expect(isTraceComplete({ data, startedTimes: 4 })).toBe(true);
    expect(isTraceComplete({ data, startedTimes: 5 })).toBe(false);
  });

  it('keep the turn that they were told, and drop one that was used', () => {
    const turned = noteStart({ data: fresh, startedTimes: 1 }, { slotMs: 5000 });
    expect(turned.slotMs).toBe(5000);
    expect(noteStart({ data: turned, startedTimes: 2 })).toEqual({ ...fresh, restedStarts: 2 });
  });
});

describe('an outcome before any claim', () => {
  const task = { id: 'k', data: fresh, attempt: 1, startedTimes: 1, maxAttempts: 12, dueAtMs: 0 };

  function open(answers: { readonly isSettled: boolean }) {
    const settled: (readonly [string, Settlement])[] = [];
    const steps: WorkerStep[] = [];
    const alerts: string[] = [];
    const notNeeded = (): never => expect.fail('not needed here');
    const ledger: Ledger = {
      ...createMemoryTools(0).ledger,
      claim: async (): Promise<Claim> => ({ state: 'claimed', fence: 1 }),
      settle: async (effectKey, _fence, settlement) => {
        settled.push([effectKey, settlement]);
        return answers.isSettled;
      },
    };
    const digests = { read: notNeeded };
    const connectors = { prepare: notNeeded, close: async () => {} };
    const tools = {
      ...createTestTools({ recipes: new Map(), connectors, ledger, digests, clock: () => 0 }, []),
      observe: (step: WorkerStep) => void steps.push(step),
      alertOfEffect: async (_kind: string, _job: EffectJob, cause: string) => void alerts.push(cause),
    };
    return { tools, settled, steps, alerts };
  }

  it('is no failure when another worker has taken over meanwhile', async () => {
    const { tools, alerts } = open({ isSettled: false });
    const outcome = await recordOutcome({ kind: 'end', state: 'failed', cause: 'no channel' }, task, tools);
    expect(outcome).toMatchObject({ kind: 'wait', cause: 'another worker has taken over' });
    expect(alerts).toEqual([]);
  });

  it.each([
    [
      { kind: 'retry', why: 'report_not_ready', cause: 'the report is not ready' },
      { why: 'report_not_ready', cause: 'the report is not ready', start: 3 },
    ],
    [
      { kind: 'wait', why: 'key_refused', forMs: 30_000, cause: 'the key is refused' },
      { why: 'key_refused', cause: 'the key is refused', start: 3 },
    ],
  ] as const)('that is a wait, %j, is noted in the job for operators', async (outcome, lastWait) => {
    const { tools } = open({ isSettled: true });
    const before = { ...fresh, lastWait: { why: 'slot', cause: 'others go first', start: 2 } };
    const recorded = await recordOutcome(outcome, { ...task, data: before, startedTimes: 3 }, tools);
    expect(recorded).toMatchObject({ kind: 'wait', data: { lastWait } });
  });

  it('is recorded and alerted of a job that cannot be read', async () => {
    const { tools, settled, steps, alerts } = open({ isSettled: true });
    await recordFailedJob({ id: 'k2', attempt: 1, cause: 'the data cannot be read' }, 'slack', tools);
    expect(settled).toEqual([['k2', { state: 'failed', cause: 'the data cannot be read' }]]);
    expect(alerts).toEqual(['the data cannot be read']);
    expect(steps).toMatchObject([{ kind: 'effect_failed', destination: 'slack', effectKey: 'k2' }]);
  });
});
