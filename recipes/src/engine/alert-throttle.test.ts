import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryCells } from '../testing/memory-cells.ts';
import { useSharedStore } from '../testing/use-ledger.ts';
import { type AlertAdmission, type AlertThrottle, createAlertThrottle } from './alert-throttle.ts';

const nowMs = 1_795_000_000_000;
const minute = 60_000;
const cooldownMs = 10 * minute;

function ask(
  gate: AlertThrottle,
  effectKey: string,
  atMs: number,
  more: Partial<Parameters<AlertThrottle['admit']>[0]> = {},
) {
  const usual = { recipe: 'alert', eventKind: 'meeting.failed', target: 'C0123456789', cooldownMs };
  return gate.admit({ ...usual, effectKey, ...more }, atMs);
}

describe('createAlertThrottle', () => {
  let gate: AlertThrottle;
  beforeEach(() => {
    gate = createAlertThrottle(createMemoryCells());
  });

  it('sends the first one, counts those after it, and tells of them with the next', async () => {
    expect(await ask(gate, 'a', nowMs)).toEqual({ kind: 'go', suppressed: 0 });
    expect(await ask(gate, 'b', nowMs + minute)).toEqual({ kind: 'suppressed', sinceMs: nowMs });
    expect(await ask(gate, 'c', nowMs + 10 * minute - 1)).toEqual({ kind: 'suppressed', sinceMs: nowMs });
    expect(await ask(gate, 'd', nowMs + 10 * minute)).toEqual({ kind: 'go', suppressed: 2 });
    expect(await ask(gate, 'e', nowMs + 40 * minute)).toEqual({ kind: 'go', suppressed: 0 });
  });

  it.each([
    { target: 'bob@example.com' },
    { eventKind: 'meeting.completed' },
    { recipe: 'other' },
    { about: ['another recipe'] },
  ])('lets an alert go beside another one that differs in %j', async (more) => {
    const about = ['a recipe'];
    expect(await ask(gate, 'a', nowMs, { about })).toEqual({ kind: 'go', suppressed: 0 });
    expect(await ask(gate, 'b', nowMs, { about, ...more })).toEqual({ kind: 'go', suppressed: 0 });
    expect(await ask(gate, 'c', nowMs, { about })).toMatchObject({ kind: 'suppressed' });
  });

  it('answers the same effect the same, however late, and counts it once', async () => {
    for (const atMs of [nowMs, nowMs + minute, nowMs + 50 * minute]) {
      expect(await ask(gate, 'a', atMs)).toEqual({ kind: 'go', suppressed: 0 });
    }
    for (let times = 0; times < 3; times += 1) {
      expect(await ask(gate, 'b', nowMs + 2 * minute)).toEqual({ kind: 'suppressed', sinceMs: nowMs });
    }
    expect(await ask(gate, 'c', nowMs + 20 * minute)).toEqual({ kind: 'go', suppressed: 1 });
    expect(await ask(gate, 'b', nowMs + 60 * minute)).toEqual({ kind: 'suppressed', sinceMs: nowMs });
    expect(await ask(gate, 'c', nowMs + 60 * minute)).toEqual({ kind: 'go', suppressed: 1 });
  });

  it('lets one go that must be tried again, however many it has silenced', async () => {
    expect(await ask(gate, 'a', nowMs)).toEqual({ kind: 'go', suppressed: 0 });
    for (let at = 0; at < 400; at += 1) await ask(gate, `k${String(at)}`, nowMs + 1);
    expect(await ask(gate, 'a', nowMs + minute)).toEqual({ kind: 'go', suppressed: 0 });
    for (let at = 1; at < 20; at += 1) await ask(gate, `g${String(at)}`, nowMs + at * cooldownMs);
    expect(await ask(gate, 'a', nowMs + 19 * cooldownMs)).toEqual({ kind: 'go', suppressed: 0 });
    expect(await ask(gate, 'g1', nowMs + 19 * cooldownMs)).toEqual({ kind: 'go', suppressed: 400 });
  });

  it('makes one of the failures of one meeting in several recipes', async () => {
    const fail = (key: string, about: string, atMs = nowMs) =>
      ask(gate, key, atMs, { eventKind: 'effect.failed', about: about.split(',') });
    expect(await fail('a', 'recap,m_1')).toEqual({ kind: 'go', suppressed: 0 });
    expect(await fail('b', 'page,m_1', nowMs + minute)).toEqual({ kind: 'suppressed', sinceMs: nowMs });
    // What was kept back is not told, so that it keeps nothing back itself.
    expect(await fail('c', 'page,m_2', nowMs + 2 * minute)).toEqual({ kind: 'go', suppressed: 1 });
    expect(await fail('d', 'recap,m_2', nowMs + 3 * minute)).toEqual({
      kind: 'suppressed',
      sinceMs: nowMs + 2 * minute,
    });
    expect(await fail('e', 'recap,m_1', nowMs + 10 * minute)).toEqual({ kind: 'go', suppressed: 1 });
  });

  it('goes on counting beyond what it remembers, and is not silenced by a clock that was wrong', async () => {
    await ask(gate, 'a', nowMs);
    for (let at = 0; at < 400; at += 1) await ask(gate, `k${String(at)}`, nowMs + 1);
    expect(await ask(gate, 'z', nowMs + cooldownMs)).toEqual({ kind: 'go', suppressed: 400 });
    await ask(gate, 'future', nowMs + 1000 * cooldownMs);
    expect(await ask(gate, 'now', nowMs + 2 * cooldownMs)).toMatchObject({ kind: 'go' });
  });

  it('begins anew where what is noted cannot be read', async () => {
    const texts = ['not JSON', '{"sentAtMs":"x"}'];
    gate = createAlertThrottle({ swap: async () => [texts.shift()] });
    expect(await ask(gate, 'a', nowMs)).toEqual({ kind: 'go', suppressed: 0 });
  });
});

describeEachStore(
  'the alert gate of all workers',
  (kind) => {
    const open = useSharedStore(() => openTestStore(kind));

    it('lets one of many go that come at the same time, and counts all others', async () => {
      const { opened: records } = open();
      const workers = [
        createAlertThrottle(records),
        createAlertThrottle(records),
        createAlertThrottle(records),
      ];
      const answers: AlertAdmission[] = await Promise.all(
        Array.from({ length: 12 }, async (_one, at) => {
          const gate = workers[at % workers.length] ?? createAlertThrottle(records);
          return await ask(gate, `k${String(at)}`, nowMs);
        }),
      );
      expect(answers.filter((answer) => answer.kind === 'go')).toEqual([{ kind: 'go', suppressed: 0 }]);
      expect(await ask(createAlertThrottle(records), 'next', nowMs + cooldownMs)).toEqual({
        kind: 'go',
        suppressed: 11,
      });
    });
  },
  ['redis', 'postgres'],
);
