// What the check of a delivery costs without any queue: CPU of the server process beside what others take.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installOwn } from '../../../scripts/install-own.mjs';
import { judge } from '../judge.mjs';
import { describeBusy, describeCores, interleave, measure, withBench } from './bench.mjs';
import { BODY_BYTES } from './deliveries.mjs';
import { describeNoise } from './noise.mjs';
import { formatSpread, ratioOf, spread } from './spread.mjs';

const usual = { rounds: 5, warm: 10_000, count: 40_000 };
const quick = { rounds: 1, warm: 200, count: 1000 };

const reference = 'hand-written node:http verifier';
const ours = 'ours, log off';
const contenders = [
  { name: 'bare node:http', way: 'bare' },
  { name: reference, way: 'hand-written' },
  { name: ours, way: 'ours' },
  { name: 'ours, log as the command writes it', way: 'ours', options: { isLogged: true } },
];
const { devDependencies: versions } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'peers', 'package.json'), 'utf8'),
);
const peers = [
  {
    name: `@octokit/webhooks ${versions['@octokit/webhooks']}`,
    way: 'octokit',
    scheme: 'github',
    least: 1.4,
  },
  // The target is one of Node 20: Express costs a third there of what it costs on Node 24.
  {
    name: `stripe ${versions.stripe} on express ${versions.express}`,
    way: 'stripe',
    scheme: 'stripe',
    least: 3.5,
    onlyNode: 20,
  },
];
const mostTimesHandWritten = 1.05;

export async function run({ isQuick }) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const plan = { ...(isQuick ? quick : usual), errorPath: join(folder, 'log') };
  if (!isQuick) installOwn(join(import.meta.dirname, 'peers'), 'the receivers of others');
  const list = isQuick ? contenders : [...contenders, ...peers];
  try {
    const { result, noise } = await withBench((bench) =>
      interleave(plan.rounds, list, (contender) => measure(bench, contender, plan)),
    );
    return present(result, list, noise, plan);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function present(results, list, noise, { rounds, count }) {
  const figures = { noise, rounds };
  const lines = [
    `verifying ${count} deliveries of ${BODY_BYTES} bytes over 64 connections, nothing stored, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${''.padEnd(36)} µs CPU per delivery      × hand-written           × ours                   per s`,
  ];
  for (const { name } of list) {
    const cpuMicros = spread(results.get(name).map((one) => one.cpuMicros));
    const perSecond = spread(
      results.get(name).map((one) => one.perSecond),
      0,
    );
    const timesHandWritten = ratioOf(results, name, reference, 'cpuMicros', 3);
    const timesOurs = ratioOf(results, name, ours, 'cpuMicros', 3);
    figures[name] = { cpuMicros, perSecond, timesHandWritten, timesOurs };
    const columns = [formatSpread(cpuMicros), formatSpread(timesHandWritten, 3), formatSpread(timesOurs, 2)];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')} ${String(perSecond.median).padStart(7)}`);
  }
  const times = figures[ours].timesHandWritten.median;
  lines.push(
    `${'  ours, in times the hand-written one'.padEnd(48)}${times.toFixed(3)}${judge(times <= mostTimesHandWritten, `≤ ${mostTimesHandWritten} ×`)}`,
  );
  for (const peer of peers) {
    if (figures[peer.name] === undefined) lines.push(`  ${peer.name}: left out, quick runs install nothing`);
    else lines.push(judgePeer(peer, figures[peer.name].timesOurs.median));
  }
  lines.push(...describeBusy(results), describeNoise(noise));
  return { figures, lines };
}

function judgePeer({ name, least, onlyNode }, times) {
  const text = `  ${name}, in times ours`.padEnd(48) + times.toFixed(2);
  const isAimed = onlyNode === undefined || process.versions.node.startsWith(`${onlyNode}.`);
  return isAimed
    ? text + judge(times >= least, `≥ ${least} ×`)
    : `${text}   (the target is one of Node ${onlyNode})`;
}
