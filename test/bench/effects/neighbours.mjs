// What a long line in front of one channel costs the others: a trickle of deliveries to channels that are idle, with and
// without thousands of effects that wait for a channel of their own.
import { judge } from '../judge.mjs';
import { interleave } from '../receiver/bench.mjs';
import { describeTimes } from '../receiver/load/describe-times.mjs';
import { describeNoise } from '../receiver/noise.mjs';
import { formatSpread, spread } from '../receiver/spread.mjs';
import { describeCores, onEachStore } from './bench.mjs';
import { channelOf, recipesOfRooms, titleOf } from './samples.mjs';

const quick = { rounds: 1, waiting: 100, count: 8 };
const usual = { rounds: 3, waiting: 10_000, count: 200 };
const everyMs = 100;
/** With this each of their channels is idle when it is its turn again. */
const rooms = 20;
/** The last room's channel is the one with the line. */
const crowded = rooms;
const mostMoreMs = 100;
/** A neighbour that took longer than this was held up. */
const slowMs = 100;
/** Behind ten thousand that are all put aside first it takes a while. */
const patienceMs = 5 * 60_000;

const alone = 'nobody waits';
const behind = 'waiting for their turns';

export function run(options) {
  return onEachStore('neighbours', options, async (bench) => {
    const plan = bench.isQuick ? quick : usual;
    const results = await interleave(plan.rounds, listContenders(plan), (contender) =>
      measureNeighbours(bench, contender, plan),
    );
    return { present: (noise) => present(bench, results, plan, noise) };
  });
}

function listContenders({ waiting: count }) {
  const line = {
    task: 'fillEffects',
    count,
    channels: 1,
    firstChannel: crowded,
    recipe: `room-${crowded}`,
    title: titleOf(crowded),
    policies: {},
  };
  return [
    { name: alone },
    { name: behind, fill: line },
    // As after hours without a worker: every delay is over, and each has to be given a new one.
    { name: 'all due when the worker starts', fill: { ...line, agoMs: (count + 60) * 1000 } },
    { name: 'come as deliveries, all at once', storm: { count, title: titleOf(crowded) } },
  ];
}

async function measureNeighbours(bench, { name, fill, storm }, { count, waiting }) {
  const { store, outside } = bench;
  await store.empty();
  const namespace = bench.nextNamespace();
  if (fill !== undefined) await outside.ask({ ...fill, namespace });
  await store.settle();
  const work = await bench.startWork('engine', {
    recipes: recipesOfRooms(rooms + 1),
    policies: {},
    isIdle: true,
  });
  try {
    // A process that has just begun is slow for everybody.
    const warming = bench.nextNamespace();
    await work.ask({ task: 'start', namespace: warming });
    await outside.ask({ task: 'feed', namespace: warming, count: rooms, everyMs: 20, rooms });
    await work.ask({ task: 'stop' });
    await work.ask({ task: 'start', namespace });
    const { accepted } = await outside.ask({ task: 'feed', namespace, count, everyMs, rooms, storm });
    const sent = await waitForAll(work, accepted);
    await work.ask({ task: 'stop' });
    const isCrowded = fill !== undefined || storm !== undefined;
    checkCounts(await outside.ask({ task: 'countAll', namespace }), count + (isCrowded ? waiting : 0));
    const timesMs = accepted.map(([meetingId, acceptedMs]) => sent.get(meetingId) - acceptedMs);
    return {
      ...describeTimes(Float64Array.from(timesMs)),
      slow: timesMs.filter((ms) => ms > slowMs).length,
      // That the line moves on meanwhile.
      moved: sent.size - count,
    };
  } catch (error) {
    throw new Error(`${name} on ${store.name}: ${error.message}`, { cause: error });
  } finally {
    await work.stop();
  }
}

/** Whatever has not been sent yet is still there, and nothing was sent twice. */
function checkCounts({ events, effects, ledger }, total) {
  const { completed, waiting, active, delayed, failed } = effects;
  const isWhole =
    completed + waiting + active + delayed === total && failed === 0 && ledger.sent === completed;
  if (isWhole && events.failed === 0) return;
  throw new Error(
    `of ${total} effects: jobs ${JSON.stringify({ events, effects })}, ledger ${JSON.stringify(ledger)}`,
  );
}

/** Until every neighbour has been sent. */
async function waitForAll(work, accepted) {
  const startedMs = performance.now();
  for (;;) {
    const { times } = await work.ask({ task: 'times' });
    const sent = new Map(times);
    if (accepted.every(([meetingId]) => sent.has(meetingId))) return sent;
    if (performance.now() - startedMs > patienceMs) throw new Error('some neighbours were never sent');
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

function present({ store }, results, { rounds, waiting, count }, noise) {
  const figures = { rounds, waiting, count };
  const lines = [
    `a delivery every ${everyMs} ms beside ${waiting} effects for channel ${channelOf(crowded)}, which takes one a second, on ${store.name}, median of ${rounds} interleaved rounds of ${count} (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${'the others …'.padEnd(36)} p50 ms                   p99 ms                   longest ms               over ${slowMs} ms   the line moved by`,
  ];
  for (const name of results.keys()) {
    const of = (key, digits = 1) =>
      spread(
        results.get(name).map((one) => one[key]),
        digits,
      );
    const row = {
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      maxMs: of('maxMs'),
      slow: of('slow', 0),
      moved: of('moved', 0),
    };
    figures[name] = row;
    const columns = [
      formatSpread(row.p50Ms),
      formatSpread(row.p99Ms),
      formatSpread(row.maxMs),
      String(row.slow.median).padStart(11),
      String(row.moved.median).padStart(19),
    ];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`);
  }
  const moreMs = spread(
    results.get(behind).map(({ p99Ms }, index) => p99Ms - results.get(alone)[index].p99Ms),
  );
  figures.moreMs = moreMs;
  lines.push(
    `  ${behind}: p99 in ms more than without ${formatSpread(moreMs)}${judge(moreMs.median <= mostMoreMs, `≤ ${mostMoreMs} ms`)}`,
    describeNoise(noise),
  );
  return { figures, lines };
}
