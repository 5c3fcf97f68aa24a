// How many deliveries a second the sandbox signs and sends on one core, beside a bare loop that does no more than
// that, in interleaved rounds against one process that accepts everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { listCores, onCores } from './cores.mjs';
import { median } from './median.mjs';

const rounds = 3;
const deliveries = 20_000;
const target = 5000;

const contenders = [
  { way: 'bare', title: 'bare loop: node:crypto + node:http' },
  { way: 'sandbox', title: 'sandbox: complete, write, sign, send, note' },
];

export async function run({ isQuick }) {
  const cores = listCores();
  const results = new Map(contenders.map(({ way }) => [way, []]));
  const sink = startProcess('sink.mjs', [], cores.slice(1));
  try {
    const [{ port }] = await once(sink, 'message');
    const count = isQuick ? 200 : deliveries;
    for (let round = 0; round < (isQuick ? 1 : rounds); round += 1) {
      for (const { way } of contenders)
        results.get(way).push(await measure(way, port, count, cores.slice(0, 1)));
    }
    await checkArrivals(sink, [...results.values()].flat().length * 2 * count);
  } finally {
    sink.kill();
  }
  return present(results, cores);
}

async function measure(way, port, count, cores) {
  const child = startProcess('send.mjs', [way, String(port), String(count)], cores);
  const ended = once(child, 'exit');
  let result;
  child.on('message', (message) => (result = message));
  const [code] = await ended;
  if (code !== 0 || result === undefined) throw new Error(`the sender (${way}) exited with ${code}`);
  return result;
}

/** Nothing was counted that did not arrive. */
async function checkArrivals(sink, expected) {
  sink.send('count');
  const [{ count }] = await once(sink, 'message');
  if (count !== expected) throw new Error(`${count} deliveries arrived instead of ${expected}`);
}

function present(results, cores) {
  const figures = { target, pinned: cores.length > 0 };
  const lines = [
    `deliveries to a local sink, median of ${results.get('bare').length} interleaved rounds, Node ${process.versions.node}`,
    cores.length > 0
      ? `  (the sender on core ${cores[0]}, the sink on ${cores.length > 1 ? `core ${cores.slice(1).join(', ')}` : 'the same'})`
      : '  (no taskset here: nothing is pinned to a core, and the sender may use more than one)',
    `  ${''.padEnd(44)}    per s   µs CPU   × bare   peak MB`,
  ];
  for (const { way, title } of contenders) {
    const of = (name) => median(results.get(way).map((result) => result[name]));
    /** Of each round by itself: what loads the machine loads all of a round. */
    const timesBare = median(
      results.get(way).map(({ cpuMicros }, round) => cpuMicros / results.get('bare')[round].cpuMicros),
    );
    figures[way] = {
      perSecond: Math.round(of('perSecond')),
      cpuMicros: Math.round(of('cpuMicros')),
      timesBare: Math.round(timesBare * 100) / 100,
      peakMb: Math.round(of('peakMb')),
    };
    const numbers = [
      of('perSecond').toFixed(0).padStart(8),
      of('cpuMicros').toFixed(0).padStart(8),
      timesBare.toFixed(2).padStart(8),
      of('peakMb').toFixed(0).padStart(9),
    ].join(' ');
    lines.push(`  ${title.padEnd(44)} ${numbers}${way === 'sandbox' ? `   target ≥ ${target} per s` : ''}`);
  }
  return { figures, lines };
}

/** On one of the cores, or on any where none are given. */
function startProcess(file, words, cores) {
  const command = [process.execPath, join(import.meta.dirname, 'sender', file), ...words];
  const [program, ...rest] = onCores(command, cores);
  return spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
