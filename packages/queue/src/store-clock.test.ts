import { expect, it } from 'vitest';

import { createOutageLog, silentLog } from './log.ts';
import { openStoreClock } from './store-clock.ts';

const startMs = 1_795_000_000_000;

/** A machine and a store whose clocks go on together, and what went wrong with them. */
function createWorld({ machineAheadMs = 0, tripMs = 0 } = {}) {
  const world = {
    trueMs: startMs,
    elapsedMs: 5000,
    aheadMs: machineAheadMs,
    tripMs,
    /** How late the next answers are once the store has read its time. */
    answerLateMs: [] as number[],
    isAway: false,
    asked: 0,
  };
  const pass = (ms: number): void => {
    world.trueMs += ms;
    world.elapsedMs += ms;
  };
  const readStoreMs = (): Promise<number> => {
    world.asked += 1;
    if (world.isAway) return Promise.reject(new Error('away'));
    pass(world.tripMs / 2);
    const storeMs = world.trueMs;
    pass(world.tripMs / 2 + (world.answerLateMs.shift() ?? 0));
    return Promise.resolve(storeMs);
  };
  const machine = { nowMs: () => world.trueMs + world.aheadMs, elapsedMs: () => world.elapsedMs };
  const lines: string[] = [];
  const outage = createOutageLog(silentLog, {});
  const log = {
    ...silentLog,
    warn: (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`),
    info: (_fields: object, text: string) => void lines.push(text),
  };
  return {
    world,
    pass,
    readStoreMs,
    lines,
    open: () => openStoreClock(readStoreMs, { name: 's', log, outage, machine }),
  };
}

it.each([0, 3_600_000, -3_600_000])(
  'tells the store’s time on a machine that is %d ms ahead',
  async (aheadMs) => {
    const { world, pass, open } = createWorld({ machineAheadMs: aheadMs, tripMs: 8 });
    const clock = await open();
    expect(clock.now()).toBe(world.trueMs);
    pass(60_000);
    expect([clock.now(), clock.machineAheadMs()]).toEqual([world.trueMs, aheadMs]);
  },
);

it.each([
  ['the second is in time', [12_000, 8, 12_000], 4, 2],
  ['all are late', [12_000, 5000, 9000], 2500, 3],
])('is wrong by half of its best first answer when %s', async (_case, trips, wrongMs, asked) => {
  const { world, pass, open } = createWorld();
  // The store reads its time at once, and its answer is late.
  world.answerLateMs = trips;
  const clock = await open();
  pass(1000);
  expect([world.trueMs - clock.now(), world.asked]).toEqual([wrongMs, asked]);
});

it.each([3_600_000, -3_600_000])('is not moved when the machine’s clock is set by %d ms', async (stepMs) => {
  const { world, pass, open, readStoreMs } = createWorld();
  const clock = await open();
  const end = clock.follow(readStoreMs);
  world.aheadMs = stepMs;
  pass(1000);
  expect(clock.now()).toBe(world.trueMs);
  await clock.settled();
  await clock.settled();
  expect([clock.now(), clock.machineAheadMs(), world.asked]).toEqual([world.trueMs, stepMs, 2]);
  end();
});

it('is right after the machine slept, once it has settled', async () => {
  const { world, open, readStoreMs } = createWorld();
  const clock = await open();
  const end = clock.follow(readStoreMs);
  // Its monotonic clock stood still meanwhile.
  world.trueMs += 120_000;
  expect(clock.now()).toBe(world.trueMs - 120_000);
  await clock.settled();
  expect(clock.now()).toBe(world.trueMs);
  end();
});

it('keeps what it knows while the store is away, and where an answer took too long to prove anything', async () => {
  const { world, pass, open, readStoreMs } = createWorld();
  const clock = await open();
  const end = clock.follow(readStoreMs);
  world.isAway = true;
  world.aheadMs = 10_000;
  await clock.settled();
  expect(clock.now()).toBe(world.trueMs);
  world.isAway = false;
  world.tripMs = 300_000;
  await clock.settled();
  pass(5);
  expect(clock.now()).toBe(world.trueMs);
  end();
});

it('asks again when the machine sleeps while it asks', async () => {
  const { world, open, readStoreMs } = createWorld();
  const clock = await open();
  let sleepsLeft = 1;
  const end = clock.follow(async () => {
    const storeMs = await readStoreMs();
    if (sleepsLeft > 0) world.trueMs += 60_000;
    sleepsLeft -= 1;
    return storeMs;
  });
  world.trueMs += 120_000;
  await clock.settled();
  expect([clock.now(), world.asked]).toEqual([world.trueMs, 3]);
  end();
});

it('rejects where the store tells no time', async () => {
  const opening = openStoreClock(() => Promise.resolve(Number.NaN), {
    name: 's',
    log: silentLog,
    outage: createOutageLog(silentLog, {}),
  });
  await expect(opening).rejects.toThrow('the store told no time');
});

it('logs once that the machine is off by more than five seconds, and once that it is right again', async () => {
  const { world, open, readStoreMs, lines } = createWorld({ machineAheadMs: 5000 });
  const clock = await open();
  const end = clock.follow(readStoreMs);
  const step = async (aheadMs: number): Promise<void> => {
    world.aheadMs = aheadMs;
    await clock.settled();
  };
  expect(lines).toEqual([]);
  await step(-900_000);
  await step(-899_000);
  await step(0);
  await step(4000);
  expect(lines).toEqual([
    `this machine's clock is 900 s behind the store's, whose time counts: set it by NTP {"store":"s","aheadSeconds":-900}`,
    "this machine's clock is right again",
  ]);
  end();
});
