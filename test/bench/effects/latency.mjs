// How long a delivery is on its way through an idle system: from the receiver's 200 to the message in Slack, which is a
// stand-in that answers at once. The real receiver, worker and SDK; one delivery at a time, to channels that are idle.
import { judge } from '../judge.mjs';
import { describeTimes } from '../receiver/load/describe-times.mjs';
import { describeNoise } from '../receiver/noise.mjs';
import { startProcess } from '../receiver/processes.mjs';
import { describeCores, onEachStore } from './bench.mjs';
import { recipesOfRooms } from './samples.mjs';

const quick = { warm: 5, count: 20, rooms: 30 };
const usual = { warm: 40, count: 400, rooms: 60 };
const most = { p50Ms: 50, p99Ms: 200 };

export function run(options) {
  return onEachStore('latency', options, async (bench) => {
    const plan = bench.isQuick ? quick : usual;
    const times = await measureLatency(bench, plan);
    return { present: (noise) => present(bench, times, plan, noise) };
  });
}

async function measureLatency(bench, { warm, count, rooms }) {
  const { store, outside, cores } = bench;
  const namespace = bench.nextNamespace();
  const receiver = await startProcess('serve.mjs', ['ours', JSON.stringify(store.ours(namespace))], {
    cores: cores.load,
  });
  const { slackUrl } = outside.greeting;
  const work = await bench.startWork('engine', { recipes: recipesOfRooms(rooms), policies: {}, slackUrl });
  try {
    await work.ask({ task: 'start', namespace });
    const order = { task: 'deliver', port: receiver.greeting.port, count: warm + count, rooms };
    const moments = (await outside.ask(order)).moments.slice(warm);
    await work.ask({ task: 'stop' });
    const { times } = await work.ask({ task: 'times' });
    if (times.length !== warm + count)
      throw new Error(`${times.length} of ${warm + count} deliveries were sent`);
    const settled = new Map(times);
    return {
      'the 200 → in Slack': moments.map(({ acceptedMs, postedMs }) => postedMs - acceptedMs),
      'the 200 → known to be sent': moments.map(
        ({ acceptedMs }, index) => settled.get(`m_http_${warm + index}`) - acceptedMs,
      ),
      'the request → in Slack': moments.map(({ sentMs, postedMs }) => postedMs - sentMs),
    };
  } finally {
    await work.stop();
    await receiver.stop();
  }
}

function present({ store }, times, { count }, noise) {
  const figures = { count };
  const lines = [
    `${count} deliveries through an idle system, one at a time, on ${store.name}, Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${''.padEnd(36)}   p50 ms   p99 ms   longest ms`,
  ];
  for (const [name, timesMs] of Object.entries(times)) {
    const row = describeTimes(Float64Array.from(timesMs));
    figures[name] = row;
    const columns = [
      row.p50Ms.toFixed(1).padStart(8),
      row.p99Ms.toFixed(1).padStart(8),
      row.maxMs.toFixed(1).padStart(12),
    ];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`);
  }
  const { p50Ms, p99Ms } = figures['the 200 → known to be sent'];
  lines.push(
    `  the 200 → known to be sent: p50 ${p50Ms.toFixed(1)} ms${judge(p50Ms < most.p50Ms, `< ${most.p50Ms} ms`)}`,
    `  the 200 → known to be sent: p99 ${p99Ms.toFixed(1)} ms${judge(p99Ms < most.p99Ms, `< ${most.p99Ms} ms`)}`,
    describeNoise(noise),
  );
  return { figures, lines };
}
