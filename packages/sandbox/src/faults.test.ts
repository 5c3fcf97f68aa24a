import { describe, expect, it } from 'vitest';

import {
  callFaultKinds,
  callFaults,
  createFaultPlan,
  deliveryFaultKinds,
  deliveryFaults,
  type CallFault,
  type DeliveryFault,
  type FaultPlan,
} from './faults.ts';

/** Which of so many calls are hit, by their place. */
function listHits(plan: FaultPlan<CallFault>, calls: number, target = 'tags.list'): number[] {
  return Array.from({ length: calls }, (_, index) => index).filter(
    () => plan.take(target, callFaultKinds) !== undefined,
  );
}

describe('a planned fault', () => {
  it('hits the next call and no other when nothing else is said', () => {
    const plan = createFaultPlan([callFaults]);
    expect(plan.add({ kind: 'reset' })).toEqual({
      id: 'fault-1',
      fault: { kind: 'reset', on: 'any', times: 1, after: 0, probability: 1 },
      happened: 0,
    });
    expect(listHits(plan, 5)).toEqual([0]);
    expect(plan.list()).toMatchObject([{ id: 'fault-1', happened: 1 }]);
  });

  it('hits its target, after so many calls, so many times', () => {
    const plan = createFaultPlan([callFaults]);
    plan.add({ kind: 'reset', on: 'tags.list', after: 2, times: 3 });
    expect(listHits(plan, 4, 'reports.get')).toEqual([]);
    expect(listHits(plan, 10)).toEqual([2, 3, 4]);
    const forEver = createFaultPlan([callFaults]);
    forEver.add({ kind: 'reset', times: null, after: 1 });
    expect(listHits(forEver, 5)).toEqual([1, 2, 3, 4]);
  });

  it('gives way to one that was added before it, and then has its turn', () => {
    const plan = createFaultPlan([callFaults]);
    plan.add({ kind: 'empty', times: 2 });
    plan.add({ kind: 'reset', after: 1 });
    const kinds = Array.from({ length: 5 }, () => plan.take('mcp', callFaultKinds)?.kind);
    expect(kinds).toEqual(['empty', 'empty', undefined, 'reset', undefined]);
  });
});

describe('a fault by chance', () => {
  const firstHits = [1, 5, 8, 15, 16];

  it('hits the same calls for the same seed', () => {
    for (const seed of [7, 7]) {
      const plan = createFaultPlan([callFaults], seed);
      plan.add({ kind: 'reset', times: null, probability: 0.3 });
      expect(listHits(plan, 20)).toEqual(firstHits);
    }
  });

  it.each([undefined, 1, 2, 3])(
    'hits about as many calls as it says, and with seed %j not its neighbours',
    (seed) => {
      const plan = createFaultPlan([callFaults], seed);
      plan.add({ kind: 'reset', on: 'a', times: null, probability: 0.5 });
      plan.add({ kind: 'reset', on: 'b', times: null, probability: 0.5 });
      const [a, b] = [listHits(plan, 2000, 'a'), new Set(listHits(plan, 2000, 'b'))];
      expect(Math.abs(a.length - 1000)).toBeLessThan(150);
      expect(Math.abs(a.filter((index) => b.has(index)).length - 500)).toBeLessThan(150);
    },
  );
});

describe('an order', () => {
  const plan = createFaultPlan([{ ...callFaults, targets: ['tags.list', 'mcp'] }]);
  const unknownKind =
    'kind: must be one of latency, status, reset, empty, garbage, hang, drop_after, cut, drip.';

  it.each([
    [{ kind: 'explode' }, unknownKind],
    [undefined, unknownKind],
    [[], unknownKind],
    [{ kind: 'reset', on: 'tags.lst' }, 'on: reset can happen on any, tags.list, mcp.'],
    [{ kind: 'latency' }, 'ms: is missing; it must be a whole number from 0 to 600000.'],
    [{ kind: 'status', status: 200 }, 'status: must be a whole number from 400 to 599.'],
    [{ kind: 'status' }, 'status: is missing; it must be a whole number from 400 to 599.'],
    [{ kind: 'status', status: 700 }, 'status: must be a whole number from 400 to 599.'],
    [{ kind: 'reset', ms: 5 }, 'reset has no "ms"; besides kind it can have on, times, after, probability.'],
    [
      { kind: 'latency', ms: 5, ['a\u001B\n'.repeat(99)]: 1 },
      `latency has no "${'a '.repeat(19)}a…"; besides kind it can have ms, on, times, after, probability.`,
    ],
    [{ kind: 'reset', on: 5 }, 'on: must be text of 1 to 100 characters.'],
    [
      { kind: 'reset', times: 0 },
      'times: must be a whole number from 1 on, or null for until it is taken back.',
    ],
    [{ kind: 'reset', probability: 0 }, 'probability: must be a number above 0, at most 1.'],
  ])('%j is refused with what would be right', (body, refusal) => {
    expect(plan.tryAdd(body)).toEqual({ refusal });
    expect(plan.list()).toEqual([]);
  });

  it('of a program is refused by an error', () => {
    expect(() => plan.add({ kind: 'reset', on: 'nothing' })).toThrow(RangeError);
  });
});

describe('a plan of calls and deliveries', () => {
  const plan = createFaultPlan<CallFault | DeliveryFault>([callFaults, deliveryFaults]);

  it('numbers them together, and each kind hits only its own', () => {
    const ids = [plan.add({ kind: 'hang' }), plan.add({ kind: 'drop' }), plan.add({ kind: 'cut' })];
    expect(ids.map(({ id }) => id)).toEqual(['fault-1', 'fault-2', 'fault-3']);
    expect(plan.take('deliveries', deliveryFaultKinds)?.kind).toBe('drop');
    expect(plan.take('deliveries', deliveryFaultKinds)).toBeUndefined();
    expect(plan.take('tags.list', callFaultKinds)?.kind).toBe('hang');
  });

  it('starts again at 1 after a reset', () => {
    plan.reset();
    expect(plan.add({ kind: 'hang' }).id).toBe('fault-1');
  });
});
