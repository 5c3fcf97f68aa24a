// What a delivery costs when a million jobs are stored already, beside an empty store of the same kind.
import { judge } from '../judge.mjs';
import { describeBusy, describeCores, interleave, measure, round, withBench } from './bench.mjs';
import { fillEmbedded } from './fill/fill-embedded.mjs';
import { fillRedis } from './fill/fill-redis.mjs';
import { describeNoise } from './noise.mjs';
import { formatSpread, ratioOf, spread } from './spread.mjs';
import { startEmbedded } from './stores/embedded.mjs';
import { findRedis, startRedis } from './stores/redis.mjs';

const usual = { stored: 1_000_000, rounds: 4 };
const quick = { stored: 2000, rounds: 1, warm: 100, count: 300 };
const redisPlan = { warm: 4000, count: 16_000 };
const embeddedPlan = { warm: 1000, count: 8000 };
const mostTimesEmpty = 1.15;

export async function run({ isQuick }) {
  const figures = {};
  const lines = [];
  const program = findRedis();
  if (program === undefined) lines.push('a full store, Redis: left out, there is no redis-server here');
  const stores = [
    ...(program === undefined
      ? []
      : [['redis', (cores) => startRedis(program, cores), fillRedis, redisPlan]]),
    ['embedded', startEmbedded, fillEmbedded, embeddedPlan],
  ];
  for (const [name, startStore, fill, sizes] of stores) {
    const plan = Object.assign({}, sizes, isQuick ? quick : usual);
    const { result, noise } = await withBench((bench) => measureStore(bench, startStore, fill, plan));
    const presented = present(result, noise);
    figures[name] = presented.figures;
    lines.push(...presented.lines);
  }
  return { figures, lines };
}

async function measureStore(bench, startStore, fill, plan) {
  const [empty, full] = [await startStore(bench.cores.load), await startStore(bench.cores.load)];
  let serial = 1;
  let stored = 0;
  const measureOn = async (store, namespace, { warm, count }) =>
    await measure(
      bench,
      { name: 'ours', way: 'ours', options: store.ours(namespace), store },
      { warm, count, stored: store === full ? stored : 0 },
    );
  try {
    await measureOn(full, 'b1', { warm: 1, count: 1 });
    const startedMs = performance.now();
    await fill(full, 'b1', plan.stored);
    stored = plan.stored + 2;
    const fillSeconds = (performance.now() - startedMs) / 1000;
    const contenders = [{ name: 'empty' }, { name: 'full' }];
    const results = await interleave(plan.rounds, contenders, async ({ name }) => {
      if (name === 'full') {
        const result = await measureOn(full, 'b1', plan);
        ({ stored } = result);
        return result;
      }
      await empty.empty();
      return await measureOn(empty, `b${(serial += 1)}`, plan);
    });
    return { name: full.name, results, fillSeconds, plan };
  } finally {
    await full.stop();
    await empty.stop();
  }
}

function present({ name, results, fillSeconds, plan }, noise) {
  const figures = { noise, fillSeconds: round(fillSeconds, 1), ...plan };
  const lines = [
    `accepting ${plan.count} deliveries over 64 connections into ${name} that holds ${plan.stored} jobs already (filled in ${round(fillSeconds, 1)} s), median of ${plan.rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores, 'the store'),
    `  ${''.padEnd(12)} µs CPU of the server     µs CPU of the store        per s   p50 ms   p99 ms`,
  ];
  for (const state of results.keys()) {
    const of = (key, digits = 1) =>
      spread(
        results.get(state).map((one) => one[key]),
        digits,
      );
    const row = {
      cpuMicros: of('cpuMicros'),
      storeMicros: of('storeMicros'),
      perSecond: of('perSecond', 0),
      p50Ms: of('p50Ms', 2),
      p99Ms: of('p99Ms', 2),
    };
    figures[state] = row;
    const columns = [
      formatSpread(row.cpuMicros),
      formatSpread(row.storeMicros),
      String(row.perSecond.median).padStart(7),
      row.p50Ms.median.toFixed(2).padStart(8),
      row.p99Ms.median.toFixed(2).padStart(8),
    ];
    lines.push(`  ${state.padEnd(12)} ${columns.join(' ')}`);
  }
  for (const [key, title] of [
    ['cpuMicros', 'server'],
    ['storeMicros', 'store'],
  ]) {
    const times = ratioOf(results, 'full', 'empty', key);
    figures[`${key}TimesEmpty`] = times;
    lines.push(
      `  CPU of the ${title}, in times the empty one ${formatSpread(times, 2)}${judge(times.median <= mostTimesEmpty, `≤ ${mostTimesEmpty} ×`)}`,
    );
  }
  lines.push(...describeBusy(results), describeNoise(noise));
  return { figures, lines };
}
