// What an effect costs, and how long it takes: `latency` through an idle system, `overhead` where the destination does
// nothing, `slack` through Slack's API, `neighbours` beside a long line in front of one channel.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { channelOf, oneRecipe, recipesOfRooms, threeRecipes, titleOf } from './effects-samples.mjs';
import { describeTimes, drawTable, interleave, judge, median, round, summarise } from './figures.mjs';
import { startProcess, withFolder } from './processes.mjs';
import { describePlan } from './receiver.mjs';
import { onStores } from './stores.mjs';

/** No effect of these destinations waits for another. */
const unlimited = { slack: { gapMs: 0 }, notion: { gapMs: 0 }, email: { gapMs: 0, concurrency: 16 } };
/** How many effects of a destination are under way at once, as our worker has it by default. */
const usualPlaces = 16;

/**
 * How long a delivery is on its way through an idle system: from the receiver's 200 to the message in Slack, which is a
 * stand-in that answers at once. The real receiver and worker; one delivery at a time, to channels that are idle.
 */
export function latency({ isQuick }) {
  const plan = isQuick ? { warm: 5, count: 20, rooms: 30 } : { warm: 40, count: 400, rooms: 60 };
  return onStoresWithOutside('latency', async (bench) => {
    const figures = await measureLatency(bench, plan);
    const names = Object.keys(figures);
    const sent = figures['the 200 → known to be sent'];
    return {
      figures,
      lines: [
        `${plan.count} deliveries through an idle system, one at a time, on ${bench.store.name}, Node ${process.versions.node}`,
        ...drawTable(
          ['', 'p50 ms', 'p99 ms', 'longest ms'],
          names.map((name) => [name, ...Object.values(figures[name])]),
        ),
        judge('the 200 → known to be sent, p50', sent.p50Ms, { most: 50, unit: ' ms' }),
        judge('the 200 → known to be sent, p99', sent.p99Ms, { most: 200, unit: ' ms' }),
      ],
    };
  });
}

async function measureLatency({ store, cores, outside, nextNamespace }, { warm, count, rooms }) {
  const namespace = nextNamespace();
  const place = { store: { url: store.url }, namespace };
  const receiver = await startProcess('receiver-servers.mjs', 'ours', place, { cores: cores.others });
  const { slackUrl } = outside.greeting;
  const settings = { queueUrl: store.url, recipes: recipesOfRooms(rooms), policies: {}, slackUrl };
  const work = await startProcess('effects-worker.mjs', 'engine', settings, { cores: cores.measured });
  try {
    await work.ask('start', { namespace });
    const order = { port: receiver.greeting.port, count: warm + count, rooms };
    const moments = (await outside.ask('deliver', order)).moments.slice(warm);
    await work.ask('stop');
    const { times } = await work.ask('times');
    if (times.length !== warm + count)
      throw new Error(`${times.length} of ${warm + count} deliveries were sent`);
    const settled = new Map(times);
    const describe = (read) => {
      const { p50Ms, p99Ms, maxMs } = describeTimes(moments.map(read));
      return { p50Ms: round(p50Ms, 1), p99Ms: round(p99Ms, 1), maxMs: round(maxMs, 1) };
    };
    return {
      'the 200 → in Slack': describe(({ acceptedMs, postedMs }) => postedMs - acceptedMs),
      'the 200 → known to be sent': describe(
        ({ acceptedMs }, index) => settled.get(`m_http_${warm + index}`) - acceptedMs,
      ),
      'the request → in Slack': describe(({ sentMs, postedMs }) => postedMs - sentMs),
    };
  } finally {
    await work.stop();
    await receiver.stop();
  }
}

/**
 * What an effect costs in our worker, queue and ledger included, where its destination does nothing: beside BullMQ's own
 * worker with a job that does nothing, on the same store.
 */
export function overhead({ isQuick }) {
  const plans = {
    redis: { rounds: 2, warm: 1000, count: 3000, leastPerSecond: 3000 },
    embedded: { rounds: 2, warm: 250, count: 1000, leastPerSecond: 700 },
  };
  const noop = "BullMQ's no-op, the same data";
  const ours = 'ours, no limits';
  const fillEffects = { task: 'fillEffects', recipe: 'recap', channels: 1, policies: unlimited };
  const engine = (name, { fill = fillEffects, effectsOfOne = 1, ...options } = {}) => ({
    name,
    way: 'engine',
    options: { recipes: oneRecipe, policies: unlimited, isIdle: true, ...options },
    fill,
    effectsOfOne,
  });
  // Every effect has a channel of its own, and its turn there.
  const limited = { channels: 1_000_000, policies: {} };
  const contenders = [
    {
      name: noop,
      way: 'noop',
      options: { places: usualPlaces },
      fill: { task: 'fillNoops' },
      isCounted: false,
    },
    engine(ours),
    engine('ours, log as the command writes it', { isLogged: true }),
    engine('ours, a rate limit for each', { fill: { ...fillEffects, ...limited }, ...limited }),
    engine('ours, from events, 3 effects each', {
      fill: { task: 'fillEvents' },
      recipes: threeRecipes,
      effectsOfOne: 3,
    }),
  ];
  return onStoresWithOutside('what an effect costs', async (bench) => {
    const plan = { ...plans[bench.store.kind], ...(isQuick ? { rounds: 1, warm: 0, count: 150 } : {}) };
    const results = await interleave(plan.rounds, contenders, (contender) => {
      const { effectsOfOne = 1 } = contender;
      return measureDrain(bench, contender, {
        warm: Math.ceil(plan.warm / effectsOfOne),
        count: Math.ceil(plan.count / effectsOfOne),
      });
    });
    const { figures, lines } = summarise(results, [
      { key: 'perSecond', title: 'per s', digits: 0 },
      { key: 'wallMicros', title: 'µs by the clock' },
      { key: 'wallMicros', title: '× no-op', digits: 2, over: noop },
      { key: 'cpuMicros', title: 'µs CPU' },
      { key: 'cpuMicros', title: '× no-op', digits: 2, over: noop },
      { key: 'storeMicros', title: 'µs of the store' },
    ]);
    const { wallMicrosTimes, cpuMicrosTimes, perSecond } = figures[ours];
    return {
      figures,
      lines: [
        `working off ${plan.count} effects whose destination does nothing, ${usualPlaces} at once, on ${bench.store.name}, ${describePlan(plan)}`,
        ...lines,
        ...describeWaits(results),
        judge('ours: by the clock, in times the no-op', wallMicrosTimes.median, { most: 2, unit: ' ×' }),
        judge('ours: CPU, in times the no-op', cpuMicrosTimes.median, { most: 2, unit: ' ×' }),
        judge('ours: per second', perSecond.median, { least: plan.leastPerSecond }),
      ],
    };
  });
}

/**
 * How many messages a second go to a stand-in for Slack that answers at once, beside a bare loop over Slack's own SDK with
 * as many under way.
 */
export function slack({ isQuick }) {
  const plan = isQuick
    ? { rounds: 1, warm: 0, count: 150, channels: 75 }
    : { rounds: 2, warm: 300, count: 2500, channels: 1250 };
  const { channels } = plan;
  const bare = "a bare loop over Slack's SDK";
  const paced = 'ours, 1 a second for each channel';
  return onStoresWithOutside('messages to Slack', async (bench) => {
    const { slackUrl } = bench.outside.greeting;
    const engine = (name, policies) => ({
      name,
      way: 'engine',
      options: { recipes: oneRecipe, policies, slackUrl, channels },
      fill: { task: 'fillEffects', recipe: 'recap', channels, policies },
    });
    const contenders = [
      { name: bare, way: 'sdk', options: { places: usualPlaces, channels, slackUrl }, isCounted: false },
      engine('ours, no limits', unlimited),
      engine(paced, {}),
    ];
    const results = await interleave(plan.rounds, contenders, (contender) =>
      measureDrain(bench, contender, plan),
    );
    const { figures, lines } = summarise(results, [
      { key: 'perSecond', title: 'per s', digits: 0 },
      { key: 'cpuMicros', title: 'µs CPU' },
      { key: 'cpuMicros', title: '× bare', digits: 2, over: bare },
      { key: 'storeMicros', title: 'µs of the store' },
    ]);
    return {
      figures,
      lines: [
        `${plan.count} messages to a stand-in for Slack, ${channels} channels, ${usualPlaces} at once, queue on ${bench.store.name}, ${describePlan(plan)}`,
        ...lines,
        ...describeWaits(results),
        judge(`${paced}, per second`, figures[paced].perSecond.median, { least: 1000 }),
      ],
    };
  });
}

/**
 * What a long line in front of one channel costs the others: a trickle of deliveries to channels that are idle, with and
 * without thousands of effects that wait for a channel of their own.
 */
export function neighbours({ isQuick }) {
  const plan = isQuick ? { rounds: 1, waiting: 100, count: 8 } : { rounds: 2, waiting: 4000, count: 80 };
  const { waiting } = plan;
  const alone = 'no line';
  const behind = 'waiting for their turns';
  const line = {
    task: 'fillEffects',
    count: waiting,
    channels: 1,
    firstChannel: crowded,
    recipe: `room-${crowded}`,
    title: titleOf(crowded),
    policies: {},
  };
  const contenders = [
    { name: alone },
    { name: behind, fill: line },
    // As after hours without a worker: every delay is over, and each has to be given a new one.
    { name: 'all due when the worker starts', fill: { ...line, agoMs: (waiting + 60) * 1000 } },
    { name: 'come as deliveries, all at once', storm: { count: waiting, title: titleOf(crowded) } },
    {
      name: 'the same, to another endpoint',
      storm: { count: waiting, title: titleOf(crowded), endpoint: 'other' },
    },
  ];
  return onStoresWithOutside('neighbours', async (bench) => {
    const results = await interleave(plan.rounds, contenders, (contender) =>
      measureNeighbours(bench, contender, plan),
    );
    const { figures, lines } = summarise(results, [
      { key: 'p50Ms', title: 'p50 ms' },
      { key: 'p99Ms', title: 'p99 ms' },
      { key: 'maxMs', title: 'longest ms' },
      { key: 'slow', title: `over ${slowMs} ms`, digits: 0 },
      { key: 'moved', title: 'the line moved by', digits: 0 },
    ]);
    const others = results.get(alone);
    const moreMs = median(results.get(behind).map(({ p99Ms }, index) => p99Ms - others[index].p99Ms));
    return {
      figures,
      lines: [
        `a delivery every ${everyMs} ms beside ${waiting} effects for channel ${channelOf(crowded)}, which takes one a second, on ${bench.store.name}, ${describePlan(plan)}`,
        ...lines,
        judge(`${behind}: p99, more than without`, round(moreMs, 1), { most: 100, unit: ' ms' }),
      ],
    };
  });
}

const everyMs = 100;
/** With this each of their channels is idle when it is its turn again. */
const rooms = 20;
/** The last room's channel is the one with the line. */
const crowded = rooms;
/** A neighbour that took longer than this was held up. */
const slowMs = 100;
/** Behind thousands that are all put aside first it takes a while. */
const patienceMs = 2 * 60_000;

async function measureNeighbours(bench, { name, fill, storm }, { count, waiting }) {
  const { store, cores, outside, nextNamespace } = bench;
  await store.empty();
  const namespace = nextNamespace();
  if (fill !== undefined) await outside.ask(fill.task, { ...fill, namespace });
  await store.settle();
  const settings = { queueUrl: store.url, recipes: recipesOfRooms(rooms + 1), policies: {}, isIdle: true };
  const work = await startProcess('effects-worker.mjs', 'engine', settings, { cores: cores.measured });
  try {
    // A process that has just begun is slow for everybody.
    const warming = nextNamespace();
    await work.ask('start', { namespace: warming });
    await outside.ask('feed', { namespace: warming, count: rooms, everyMs: 20, rooms });
    await work.ask('stop');
    await work.ask('start', { namespace });
    const { accepted } = await outside.ask('feed', { namespace, count, everyMs, rooms, storm });
    const sent = await waitForAll(work, accepted);
    await work.ask('stop');
    const isCrowded = fill !== undefined || storm !== undefined;
    checkWhole(await outside.ask('countAll', { namespace }), count + (isCrowded ? waiting : 0));
    const timesMs = accepted.map(([meetingId, acceptedMs]) => sent.get(meetingId) - acceptedMs);
    const slow = timesMs.filter((ms) => ms > slowMs).length;
    // That the line moves on meanwhile.
    return { ...describeTimes(timesMs), slow, moved: sent.size - count };
  } catch (error) {
    throw new Error(`${name} on ${store.name}: ${error.message}`, { cause: error });
  } finally {
    await work.stop();
  }
}

/** Until every neighbour has been sent. */
async function waitForAll(work, accepted) {
  const startedMs = performance.now();
  for (;;) {
    const { times } = await work.ask('times');
    const sent = new Map(times);
    if (accepted.every(([meetingId]) => sent.has(meetingId))) return sent;
    if (performance.now() - startedMs > patienceMs) throw new Error('some neighbours were never sent');
    await pause(100);
  }
}

/** What has not been sent yet is still there, and nothing was sent twice. */
function checkWhole({ events, effects, ledger }, total) {
  const { completed, waiting, active, delayed, failed } = effects;
  const planned = completed + waiting + active + delayed;
  // A delivery that has not been planned yet is one effect.
  const isWhole =
    planned + events.waiting + events.active === total && failed === 0 && ledger.sent === completed;
  if (isWhole && events.failed === 0) return;
  throw new Error(`of ${total} effects: ${JSON.stringify({ events, effects, ledger })}`);
}

function onStoresWithOutside(title, work) {
  return onStores(title, async ({ store, cores }) => {
    let serial = 0;
    const options = { queueUrl: store.url };
    const outside = await startProcess('effects-outside.mjs', 'outside', options, { cores: cores.others });
    try {
      return await work({ store, cores, outside, nextNamespace: () => `b${(serial += 1)}` });
    } finally {
      await outside.stop();
    }
  });
}

/**
 * One measurement of one contender in a process of its own, which is warmed in another namespace first: what was filled
 * in is worked off, and afterwards everything is there once.
 */
function measureDrain(bench, contender, { warm, count }) {
  const { store, cores, outside, nextNamespace } = bench;
  const { name, way, options, fill, effectsOfOne = 1, isCounted = true } = contender;
  return withFolder(async (folder) => {
    await store.empty();
    const [warming, measured] = [nextNamespace(), nextNamespace()];
    if (fill !== undefined) {
      if (warm > 0) await outside.ask(fill.task, { ...fill, namespace: warming, count: warm });
      await outside.ask(fill.task, { ...fill, namespace: measured, count });
    }
    await store.settle();
    const errorFile = openSync(join(folder, 'log'), 'w');
    const settings = { queueUrl: store.url, ...options };
    const work = await startProcess('effects-worker.mjs', way, settings, {
      cores: cores.measured,
      errorFile,
    });
    try {
      if (warm > 0) await work.ask('drain', { namespace: warming, total: warm * effectsOfOne });
      await outside.ask('takeSlackCounts');
      const storeBefore = await store.readCpuMicros();
      const total = count * effectsOfOne;
      const result = await work.ask('drain', { namespace: measured, total });
      const storeMicros = ((await store.readCpuMicros()) - storeBefore) / total;
      if (result.doubles > 0) throw new Error(`${result.doubles} effects were sent twice`);
      if (isCounted) checkDone(await outside.ask('countAll', { namespace: measured }), total);
      if (options.slackUrl !== undefined) checkPosts(await outside.ask('takeSlackCounts'), total);
      return { ...result, storeMicros };
    } catch (error) {
      // This is where its last words are.
      const words = readFileSync(join(folder, 'log'), 'utf8').slice(-2000);
      throw new Error(`${name} on ${store.name}: ${error.message}\n${words}`, { cause: error });
    } finally {
      await work.stop();
      closeSync(errorFile);
    }
  });
}

/** Nothing was lost, nothing is left. */
function checkDone({ events, effects, ledger }, total) {
  const open = [events, effects].flatMap((one) => [one.waiting, one.active, one.delayed, one.failed]);
  const isDone = effects.completed === total && ledger.sent === total && open.every((count) => count === 0);
  if (!isDone) throw new Error(`of ${total} effects: ${JSON.stringify({ events, effects, ledger })}`);
}

function checkPosts({ posts, different }, total) {
  if (posts === total && different === total) return;
  throw new Error(`${total} messages were to be posted: ${posts} were, ${different} of them different ones`);
}

function describeWaits(results) {
  return [...results]
    .map(([name, rounds]) => [name, rounds.at(-1).waits])
    .filter(([, waits]) => Object.keys(waits).length > 0)
    .map(([name, waits]) => `  ${name}: put aside in the last round ${JSON.stringify(waits)}`);
}
