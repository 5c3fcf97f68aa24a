// What it costs to verify a delivery and to store it, beside the obvious program on the same store: bare node:http, an
// HMAC and one `queue.add`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { judge } from '../judge.mjs';
import { describeBusy, describeCores, interleave, measure, withBench } from './bench.mjs';
import { BODY_BYTES } from './deliveries.mjs';
import { describeNoise } from './noise.mjs';
import { formatSpread, ratioOf, spread } from './spread.mjs';
import { startEmbedded } from './stores/embedded.mjs';
import { findRedis, startRedis } from './stores/redis.mjs';

const quick = { rounds: 1, warm: 100, count: 500 };
const redisPlan = { rounds: 5, warm: 5000, count: 25_000 };
const embeddedPlan = { rounds: 4, warm: 2000, count: 12_000 };

const ours = 'ours, log off';
const logged = 'ours, log as the command writes it';
const obvious = 'the obvious program';
/** What n8n's default webhook takes for each delivery: it answered 41 a second on the same kind of machine. */
const n8nMicros = 44_000;

export async function run({ isQuick }) {
  const figures = {};
  const lines = [];
  const program = findRedis();
  if (program === undefined) lines.push('accepting on Redis: left out, there is no redis-server here');
  else {
    const plan = isQuick ? quick : redisPlan;
    const redis = await runOn((cores) => startRedis(program, cores), plan, judgeRedis);
    figures.redis = redis.figures;
    lines.push(...redis.lines);
  }
  const embedded = await runOn(startEmbedded, isQuick ? quick : embeddedPlan, judgeEmbedded);
  figures.embedded = embedded.figures;
  lines.push(...embedded.lines);
  return { figures, lines };
}

async function runOn(startStore, plan, judgeStore) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  let serial = 0;
  let name;
  try {
    const { result, noise } = await withBench(async (bench) => {
      const store = await startStore(bench.cores.load);
      name = store.name;
      const contenders = [
        { name: 'bare node:http, stores nothing', way: 'bare' },
        { name: obvious, way: 'obvious', options: store.obvious, store },
        { name: ours, way: 'ours', options: store.ours, store },
        { name: logged, way: 'ours', options: (id) => ({ ...store.ours(id), isLogged: true }), store },
      ];
      try {
        return await interleave(plan.rounds, contenders, async (contender) => {
          await store.empty();
          const options = contender.options?.(`b${(serial += 1)}`);
          return await measure(bench, { ...contender, options }, { ...plan, errorPath: join(folder, 'log') });
        });
      } finally {
        await store.stop();
      }
    });
    return present(name, result, noise, plan, judgeStore);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function present(store, results, noise, { rounds, count }, judgeStore) {
  const figures = { noise, rounds };
  const lines = [
    `accepting ${count} deliveries of ${BODY_BYTES} bytes over 64 connections into ${store}, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores, 'the store'),
    `  ${''.padEnd(36)} µs CPU per delivery      × obvious                 per s   × obvious   p50 ms   p99 ms   µs of the store`,
  ];
  for (const name of results.keys()) {
    const of = (key, digits = 1) =>
      spread(
        results.get(name).map((one) => one[key]),
        digits,
      );
    const row = {
      cpuMicros: of('cpuMicros'),
      timesObvious: ratioOf(results, name, obvious, 'cpuMicros'),
      perSecond: of('perSecond', 0),
      rateTimesObvious: ratioOf(results, name, obvious, 'perSecond'),
      p50Ms: of('p50Ms', 2),
      p99Ms: of('p99Ms', 2),
      storeMicros: of('storeMicros'),
    };
    figures[name] = row;
    const columns = [
      formatSpread(row.cpuMicros),
      formatSpread(row.timesObvious, 2),
      String(row.perSecond.median).padStart(6),
      row.rateTimesObvious.median.toFixed(2).padStart(11),
      row.p50Ms.median.toFixed(2).padStart(8),
      row.p99Ms.median.toFixed(2).padStart(8),
      row.storeMicros.median.toFixed(1).padStart(13),
    ];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`);
  }
  lines.push(...judgeStore(figures));
  lines.push(...describeBusy(results), describeNoise(noise));
  return { figures, lines };
}

function judgeRedis(figures) {
  const { cpuMicros, timesObvious, rateTimesObvious } = figures[ours];
  const timesN8n = Math.round(n8nMicros / cpuMicros.median);
  figures.timesN8n = timesN8n;
  return [
    describe('CPU, in times the obvious program', timesObvious.median, timesObvious.median <= 1.1, '≤ 1.1 ×'),
    describe('per second', rateTimesObvious.median, rateTimesObvious.median >= 0.9, '≥ 0.9 ×'),
    describe(`less CPU than n8n's webhook (44 ms)`, timesN8n, timesN8n >= 500, '≥ 500 ×'),
  ];
}

function judgeEmbedded(figures) {
  const { p50Ms, rateTimesObvious } = figures[ours];
  return [
    describe('per second', rateTimesObvious.median, rateTimesObvious.median >= 2, '≥ 2 ×'),
    describe('p50 in ms', p50Ms.median, p50Ms.median <= 15, '≤ 15 ms'),
  ];
}

function describe(what, value, isMet, target) {
  return `  ours: ${what}`.padEnd(48) + String(value).padStart(6) + judge(isMet, target);
}
