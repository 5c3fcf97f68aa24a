// What an effect costs, and how long it takes: `latency` through an idle system, `overhead` where the destination does
// nothing, `slack` through Slack's API, `neighbours` beside a long line in front of one channel.
import { setTimeout as pause } from 'node:timers/promises';

import { channelOf, oneRecipe, recipesOfRooms, threeRecipes, titleOf } from './effects-samples.mjs';
import { describeRounds, describeTimes, interleave, judge, median, round, summarise } from './figures.mjs';
import { withProcess } from './processes.mjs';
import { onStores } from './stores.mjs';

/** No effect of these destinations waits for another. */
const unlimited = { slack: { gapMs: 0 }, notion: { gapMs: 0 }, email: { gapMs: 0, concurrency: 16 } };
/** How many effects of a destination are under way at once, as our worker has it by default. */
const usualPlaces = 16;
const timeColumns = [
  ['p50 ms', 'p50Ms', 1],
  ['p99 ms', 'p99Ms', 1],
  ['longest ms', 'maxMs', 1],
];

const latencyPlans = {
  usual: { warm: 40, count: 400, rooms: 60 },
  quick: { warm: 5, count: 20, rooms: 30 },
};

const overheadPlans = {
  redis: { rounds: 2, warm: 1000, count: 3000, leastPerSecond: 3000 },
  embedded: { rounds: 2, warm: 250, count: 1000, leastPerSecond: 700 },
};
const noop = "BullMQ's no-op, the same data";
const overheadColumns = [
  ['per s', 'perSecond', 0],
  ['µs by the clock', 'wallMicros', 1],
  ['× no-op', 'wallMicros', 2, noop],
  ['µs CPU', 'cpuMicros', 1],
  ['× no-op', 'cpuMicros', 2, noop],
  ['µs of the store', 'storeMicros', 1],
];

const slackPlans = {
  usual: { rounds: 2, warm: 300, count: 2500, channels: 1250 },
  quick: { rounds: 1, warm: 0, count: 150, channels: 75 },
};
const bare = "a bare loop over Slack's SDK";
const slackColumns = [
  ['per s', 'perSecond', 0],
  ['µs CPU', 'cpuMicros', 1],
  ['× bare', 'cpuMicros', 2, bare],
  ['µs of the store', 'storeMicros', 1],
];

const neighboursPlans = {
  usual: { rounds: 2, waiting: 4000, count: 80 },
  quick: { rounds: 1, waiting: 100, count: 8 },
};
const everyMs = 100;
/** With this each of their channels is idle when it is its turn again. */
const rooms = 20;
/** The last room's channel is the one with the line. */
const crowded = rooms;
/** A neighbour that took longer than this was held up. */
const slowMs = 100;
/** Behind thousands that are all put aside first it takes a while. */
const patienceMs = 2 * 60_000;
const neighboursColumns = [
  ...timeColumns,
  [`over ${slowMs} ms`, 'slow', 0],
  ['the line moved by', 'moved', 0],
];

/**
 * How long a delivery is on its way through an idle system: from the receiver's 200 to the message in Slack, which is a
 * stand-in that answers at once. The real receiver and worker; one delivery at a time, to channels that are idle.
 */
export function latency({ isQuick }) {
  const plan = isQuick ? latencyPlans.quick : latencyPlans.usual;
  return onStoresWithOutside('latency', async (bench) => {
    const times = await measureLatency(bench, plan);
    const { figures, lines } = summarise(
      new Map(Object.entries(times).map(([name, timesMs]) => [name, [describeTimes(timesMs)]])),
      timeColumns,
    );
    const { p50Ms, p99Ms } = figures['the 200 → known to be sent'];
    return {
      figures,
      lines: [
        `${plan.count} deliveries through an idle system, one at a time, on ${bench.store.name}, Node ${process.versions.node}`,
        ...lines,
        judge('the 200 → known to be sent, p50', p50Ms.median, '≤ 50 ms'),
        judge('the 200 → known to be sent, p99', p99Ms.median, '≤ 200 ms'),
      ],
    };
  });
}

function measureLatency({ store, cores, outside, nextNamespace }, plan) {
  const namespace = nextNamespace();
  const count = plan.warm + plan.count;
  const receiverOptions = { url: store.url, namespace };
  const { slackUrl } = outside.greeting;
  const settings = { queueUrl: store.url, recipes: recipesOfRooms(plan.rooms), policies: {}, slackUrl };
  return withProcess(['receiver-servers.mjs', 'ours', receiverOptions], cores.others, (receiver) =>
    withProcess(['effects-worker.mjs', 'engine', settings], cores.measured, async (work) => {
      await work.ask('start', { namespace });
      const order = { port: receiver.greeting.port, count, rooms: plan.rooms };
      const { moments } = await outside.ask('deliver', order);
      await work.ask('stop');
      const { times } = await work.ask('times');
      if (times.length !== count) throw new Error(`${times.length} of ${count} deliveries were sent`);
      const settled = new Map(times);
      const counted = moments.slice(plan.warm);
      return {
        'the 200 → in Slack': counted.map(({ acceptedMs, postedMs }) => postedMs - acceptedMs),
        'the 200 → known to be sent': counted.map(
          ({ meetingId, acceptedMs }) => settled.get(meetingId) - acceptedMs,
        ),
        'the request → in Slack': counted.map(({ sentMs, postedMs }) => postedMs - sentMs),
      };
    }),
  );
}

/**
 * What an effect costs in our worker, queue and ledger included, where its destination does nothing: beside BullMQ's own
 * worker with a job that does nothing, on the same store.
 */
export function overhead({ isQuick }) {
  const ours = 'ours, no limits';
  const fill = { task: 'fillEffects', recipe: 'recap', channels: 1, policies: unlimited };
  const options = { recipes: oneRecipe, policies: unlimited, isIdle: true };
  // Every effect has a channel of its own, and its turn there.
  const limited = { channels: 1_000_000, policies: {} };
  const contenders = [
    { name: noop, way: 'noop', options: { places: usualPlaces }, fill: { task: 'fillNoops' } },
    { name: ours, options, fill },
    { name: 'ours, log as the command writes it', options: { ...options, isLogged: true }, fill },
    {
      name: 'ours, a rate limit for each',
      options: { ...options, ...limited },
      fill: { ...fill, ...limited },
    },
    {
      name: 'ours, from events, 3 effects each',
      options: { ...options, recipes: threeRecipes },
      fill: { task: 'fillEvents' },
      effectsOfOne: 3,
    },
  ];
  return onStoresWithOutside('what an effect costs', async (bench) => {
    const plan = {
      ...overheadPlans[bench.store.kind],
      ...(isQuick ? { rounds: 1, warm: 0, count: 150 } : {}),
    };
    const results = await interleave(plan.rounds, contenders, (one) => measureDrain(bench, one, plan));
    const { figures, lines } = summarise(results, overheadColumns);
    const { wallMicrosTimes, cpuMicrosTimes, perSecond } = figures[ours];
    return {
      figures,
      lines: [
        `working off ${plan.count} effects whose destination does nothing, ${usualPlaces} at once, on ${bench.store.name}, ${describeRounds(plan)}`,
        ...lines,
        judge('ours: by the clock, in times the no-op', wallMicrosTimes.median, '≤ 2 ×'),
        judge('ours: CPU, in times the no-op', cpuMicrosTimes.median, '≤ 2 ×'),
        judge('ours: per second', perSecond.median, `≥ ${plan.leastPerSecond}`),
      ],
    };
  });
}

/**
 * How many messages a second go to a stand-in for Slack that answers at once, beside a bare loop over Slack's own SDK with
 * as many under way.
 */
export function slack({ isQuick }) {
  const plan = isQuick ? slackPlans.quick : slackPlans.usual;
  const { channels } = plan;
  const paced = 'ours, 1 a second for each channel';
  return onStoresWithOutside('messages to Slack', async (bench) => {
    const { slackUrl } = bench.outside.greeting;
    const engine = (name, policies) => ({
      name,
      options: { recipes: oneRecipe, policies, slackUrl, channels },
      fill: { task: 'fillEffects', recipe: 'recap', channels, policies },
    });
    const contenders = [
      { name: bare, way: 'sdk', options: { places: usualPlaces, channels, slackUrl } },
      engine('ours, no limits', unlimited),
      engine(paced, {}),
    ];
    const results = await interleave(plan.rounds, contenders, (one) => measureDrain(bench, one, plan));
    const { figures, lines } = summarise(results, slackColumns);
    return {
      figures,
      lines: [
        `${plan.count} messages to a stand-in for Slack, ${channels} channels, ${usualPlaces} at once, queue on ${bench.store.name}, ${describeRounds(plan)}`,
        ...lines,
        judge(`${paced}, per second`, figures[paced].perSecond.median, '≥ 1000'),
      ],
    };
  });
}

/**
 * What a long line in front of one channel costs the others: a trickle of deliveries to channels that are idle, with and
 * without thousands of effects that wait for a channel of their own.
 */
export function neighbours({ isQuick }) {
  const plan = isQuick ? neighboursPlans.quick : neighboursPlans.usual;
  const { waiting } = plan;
  const alone = 'no line';
  const behind = 'waiting for their turns';
  const title = titleOf(crowded);
  const line = {
    task: 'fillEffects',
    count: waiting,
    channels: 1,
    firstChannel: crowded,
    recipe: `room-${crowded}`,
    title,
    policies: {},
  };
  const contenders = [
    { name: alone },
    { name: behind, fill: line },
    // As after hours without a worker: every delay is over, and each has to be given a new one.
    { name: 'all due when the worker starts', fill: { ...line, agoMs: (waiting + 60) * 1000 } },
    { name: 'come as deliveries, all at once', storm: { count: waiting, title } },
    { name: 'the same, to another endpoint', storm: { count: waiting, title, endpoint: 'other' } },
  ];
  return onStoresWithOutside('neighbours', async (bench) => {
    const results = await interleave(plan.rounds, contenders, (contender) =>
      measureNeighbours(bench, contender, plan),
    );
    const { figures, lines } = summarise(results, neighboursColumns);
    const others = results.get(alone);
    const moreMs = median(results.get(behind).map(({ p99Ms }, index) => p99Ms - others[index].p99Ms));
    return {
      figures,
      lines: [
        `a delivery every ${everyMs} ms beside ${waiting} effects for channel ${channelOf(crowded)}, which takes one a second, on ${bench.store.name}, ${describeRounds(plan)}`,
        ...lines,
        judge(`${behind}: p99, more than without`, round(moreMs, 1), '≤ 100 ms'),
      ],
    };
  });
}

async function measureNeighbours(bench, { fill, storm }, { count, waiting }) {
  const { store, cores, outside, nextNamespace } = bench;
  await store.empty();
  const namespace = nextNamespace();
  if (fill !== undefined) await outside.ask(fill.task, { ...fill, namespace });
  await store.settle();
  const settings = { queueUrl: store.url, recipes: recipesOfRooms(rooms + 1), policies: {}, isIdle: true };
  return await withProcess(['effects-worker.mjs', 'engine', settings], cores.measured, async (work) => {
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
  });
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
  const isWhole = planned + events.waiting + events.active === total && ledger.sent === completed;
  if (isWhole && failed === 0 && events.failed === 0) return;
  throw new Error(`of ${total} effects: ${JSON.stringify({ events, effects, ledger })}`);
}

function onStoresWithOutside(title, work) {
  return onStores(title, ({ store, cores }) => {
    let serial = 0;
    const nextNamespace = () => `b${(serial += 1)}`;
    const outsideRole = ['effects-outside.mjs', 'outside', { queueUrl: store.url }];
    return withProcess(outsideRole, cores.others, (outside) =>
      work({ store, cores, outside, nextNamespace }),
    );
  });
}

/**
 * One measurement of one contender in a process of its own, which is warmed in another namespace first: what was filled
 * in is worked off, and afterwards everything is there once.
 */
async function measureDrain({ store, cores, outside, nextNamespace }, contender, plan) {
  const { way = 'engine', options, fill, effectsOfOne = 1 } = contender;
  const [warm, count] = [plan.warm, plan.count].map((effects) => Math.ceil(effects / effectsOfOne));
  await store.empty();
  const [warming, measured] = [nextNamespace(), nextNamespace()];
  if (fill !== undefined) {
    if (warm > 0) await outside.ask(fill.task, { ...fill, namespace: warming, count: warm });
    await outside.ask(fill.task, { ...fill, namespace: measured, count });
  }
  await store.settle();
  const role = ['effects-worker.mjs', way, { queueUrl: store.url, ...options }];
  return await withProcess(role, cores.measured, async (work) => {
    if (warm > 0) await work.ask('drain', { namespace: warming, total: warm * effectsOfOne });
    await outside.ask('takeSlackCounts');
    const storeBefore = await store.readCpuMicros();
    const total = count * effectsOfOne;
    const result = await work.ask('drain', { namespace: measured, total });
    const storeMicros = ((await store.readCpuMicros()) - storeBefore) / total;
    if (result.doubles > 0) throw new Error(`${result.doubles} effects were sent twice`);
    if (way === 'engine') checkDone(await outside.ask('countAll', { namespace: measured }), total);
    if (options.slackUrl !== undefined) checkPosts(await outside.ask('takeSlackCounts'), total);
    return { ...result, storeMicros };
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
