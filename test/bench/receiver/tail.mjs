// How long the slowest deliveries wait at half of what our receiver on Redis can take: a fixed rate, times from when each
// was due, the bare server at the same rate beside it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { judge } from '../judge.mjs';
import { describeBusy, describeCores, interleave, measure, round, withBench } from './bench.mjs';
import { describeNoise } from './noise.mjs';
import { formatSpread, ratioOf, spread } from './spread.mjs';
import { findRedis, startRedis } from './stores/redis.mjs';

const usual = { rounds: 5, warm: 5000, seconds: 4, capacity: 25_000 };
const quick = { rounds: 1, warm: 100, seconds: 0.2, capacity: 500 };

const ours = 'ours, log off';
const bare = 'bare node:http, stores nothing';
const mostTimesBare = 3;

export async function run({ isQuick }) {
  const program = findRedis();
  if (program === undefined)
    return { figures: {}, lines: ['the tail: left out, there is no redis-server here'] };
  const sizes = isQuick ? quick : usual;
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  try {
    const { result, noise } = await withBench(async (bench) => {
      const store = await startRedis(program, bench.cores.load);
      try {
        return await measureAll(bench, store, { ...sizes, errorPath: join(folder, 'log') });
      } finally {
        await store.stop();
      }
    });
    return present(result, noise, sizes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(bench, store, { rounds, warm, seconds, capacity, errorPath }) {
  const contenders = [
    { name: bare, way: 'bare' },
    { name: ours, way: 'ours', options: store.ours, store },
    {
      name: 'ours, log as the command writes it',
      way: 'ours',
      options: (id) => ({ ...store.ours(id), isLogged: true }),
      store,
    },
    { name: 'the obvious program', way: 'obvious', options: store.obvious, store },
  ];
  let serial = 0;
  const measureOne = async (contender, plan) => {
    await store.empty();
    const options = contender.options?.(`b${(serial += 1)}`);
    return await measure(bench, { ...contender, options }, { warm, errorPath, ...plan });
  };
  const full = await measureOne(contenders[1], { count: capacity });
  const rate = Math.round(full.perSecond / 2);
  // More connections than are ever needed: a rate that waits for one would not be a rate.
  const plan = { rate, count: Math.round(rate * seconds), connections: 200 };
  const results = await interleave(rounds, contenders, (contender) => measureOne(contender, plan));
  return { full, rate, results };
}

function present({ full, rate, results }, noise, { rounds, seconds }) {
  const figures = { noise, rounds, capacityPerSecond: Math.round(full.perSecond), rate };
  const lines = [
    `the tail at ${rate} deliveries a second for ${seconds} s, half of the ${Math.round(full.perSecond)} that ours takes on Redis, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores, 'Redis'),
    `  ${''.padEnd(36)} p50 ms                   p99 ms                   p99 × bare               longest ms`,
  ];
  for (const name of results.keys()) {
    const of = (key) =>
      spread(
        results.get(name).map((one) => one[key]),
        2,
      );
    const row = {
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      p99TimesBare: ratioOf(results, name, bare, 'p99Ms'),
      maxMs: of('maxMs'),
      lateP99Ms: of('lateP99Ms'),
    };
    figures[name] = row;
    const columns = [row.p50Ms, row.p99Ms, row.p99TimesBare, row.maxMs].map((one) => formatSpread(one, 2));
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`.trimEnd());
  }
  const times = figures[ours].p99TimesBare.median;
  const late = Math.max(...Object.values(figures).map((row) => row?.lateP99Ms?.most ?? 0));
  lines.push(
    `  ours: p99, in times the bare server ${times.toFixed(2)}${judge(times <= mostTimesBare, `≤ ${mostTimesBare} ×`)}`,
    `  of this the delivering side itself was late by at most ${round(late, 2)} ms (p99 of when a request was sent)`,
    ...describeBusy(results),
    describeNoise(noise),
  );
  return { figures, lines };
}
