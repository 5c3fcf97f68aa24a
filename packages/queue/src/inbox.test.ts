import { expect, it } from 'vitest';

import type { Refusal } from './inbox-store.ts';
import { createRefusalRecorder, sharePing } from './inbox.ts';
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
  const keeper = createRefusalRecorder(
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

it('stores refusals with one write at a time; later ones go with the next write', async () => {
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

it('drops refusals above its limit, still answers, and logs the number of dropped ones once a minute', async () => {
  const { keeper, writes, warnings, recordMany, pass } = makeKeeper();
  const flying = recordMany(1);
  await turn();
  const accepted = recordMany(200);
  await Promise.all(recordMany(50));
  expect(warnings).toEqual([{ dropped: 1 }]);
  pass(60_000);
  await Promise.all(recordMany(1));
  expect(warnings).toEqual([{ dropped: 1 }, { dropped: 50 }]);
  for (let write = 0; write < 3; write += 1) {
    writes[write]?.end();
    await turn();
  }
  await Promise.all([...flying, ...accepted]);
  expect(writes.map(({ reasons }) => reasons.length)).toEqual([1, 100, 100]);
  await keeper.close();
});

/** A shared ping whose answers come when the test says so. */
function makePing() {
  const asked: { readonly end: (error?: Error) => void }[] = [];
  let nowMs = 5000;
  const shared = sharePing(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    () => nowMs,
  );
  return { shared, asked, pass: (ms: number) => void (nowMs += ms) };
}

it('asks the store once for all concurrent callers, and again after a second', async () => {
  const { shared, asked, pass } = makePing();
  const pings = [shared.ping(), shared.ping()];
  asked[0]?.end();
  await Promise.all([...pings, shared.ping()]);
  pass(999);
  await shared.ping();
  expect(asked).toHaveLength(1);
  pass(1);
  const next = shared.ping();
  expect(asked).toHaveLength(2);
  asked[1]?.end();
  await next;
});

it('asks again after a failure, its own or another', async () => {
  const { shared, asked } = makePing();
  const failed = [shared.ping(), shared.ping()];
  asked[0]?.end(new Error('away'));
  for (const ping of failed) await expect(ping).rejects.toThrow('away');
  const fine = shared.ping();
  asked[1]?.end();
  await fine;
  shared.noteFailure(new Error('too late'));
  void shared.ping();
  expect(asked).toHaveLength(3);
});

it('fails for five seconds after a delivery found the disk full, then asks again', async () => {
  const { shared, asked, pass } = makePing();
  shared.noteFailure(Object.assign(new Error('could not extend file'), { code: '53100' }));
  pass(4999);
  await expect(shared.ping()).rejects.toThrow('could not extend file');
  pass(1);
  const fine = shared.ping();
  asked[0]?.end();
  await fine;
});
