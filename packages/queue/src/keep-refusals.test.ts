import { expect, it } from 'vitest';

import type { Refusal } from './inbox-store.ts';
import { createRefusalKeeper } from './keep-refusals.ts';
import { type Log, silentLog } from './log.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function makeRefusal(reason: string): Refusal {
  return { endpoint: 'e', receivedAt: '2026-11-21T09:30:00.000Z', reason, bytes: 1, bodySha256: 'ab' };
}

/** A keeper whose writes end when the test says so. */
function makeKeeper() {
  const writes: { readonly reasons: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const warnings: unknown[] = [];
  let nowMs = 0;
  const log: Log = { ...silentLog, warn: (fields) => warnings.push(fields) };
  const keeper = createRefusalKeeper(
    {
      recordRefusals: (refusals) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
          writes.push({ reasons: refusals.map(({ reason }) => reason), end });
        }),
    },
    { log, startWithinMs: 50_000, answerWithinMs: 60_000, nowMs: () => nowMs },
  );
  const recordMany = (count: number): Promise<void>[] =>
    Array.from({ length: count }, (_, index) => keeper.record(makeRefusal(`${index}`)));
  return { keeper, writes, warnings, recordMany, pass: (ms: number) => void (nowMs += ms) };
}

it('keeps refusals with one write at a time, and what comes meanwhile with the next', async () => {
  const { keeper, writes } = makeKeeper();
  const first = keeper.record(makeRefusal('a'));
  await turn();
  const others = ['b', 'c'].map((reason) => keeper.record(makeRefusal(reason)));
  await turn();
  expect(writes.map(({ reasons }) => reasons)).toEqual([['a']]);
  writes[0]?.end();
  await first;
  await turn();
  expect(writes.map(({ reasons }) => reasons)).toEqual([['a'], ['b', 'c']]);
  writes[1]?.end(new Error('away'));
  for (const other of others) await expect(other).rejects.toThrow('away');
});

it('keeps no more than it can, answers all the same, and tells how many it dropped once a minute', async () => {
  const { keeper, writes, warnings, recordMany, pass } = makeKeeper();
  const flying = recordMany(1);
  await turn();
  const kept = recordMany(200);
  await Promise.all(recordMany(50));
  expect(warnings).toEqual([{ dropped: 1 }]);
  pass(60_000);
  await Promise.all(recordMany(1));
  expect(warnings).toEqual([{ dropped: 1 }, { dropped: 50 }]);
  for (let write = 0; write < 3; write += 1) {
    writes[write]?.end();
    await turn();
  }
  await Promise.all([...flying, ...kept]);
  expect(writes.map(({ reasons }) => reasons.length)).toEqual([1, 100, 100]);
  await keeper.close();
});
