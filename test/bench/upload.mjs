// What an upload costs: of the client, CPU per GiB beside what others take for the same bytes, and peak memory. Every
// contender is a process of its own, in interleaved rounds against one server process that reads and drops. Of the
// sandbox, see `upload/receive.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { judge } from './judge.mjs';
import { median } from './median.mjs';
import { runReceiving } from './upload/receive.mjs';

const usualRounds = 5;
const mib = 1024 ** 2;

/** Of CPU, in one round: what may stand before `×` the pipe. */
const contenders = [
  { way: 'pipe', title: 'raw TCP pipe' },
  { way: 'pipe-hash', title: 'raw TCP pipe + SHA-256' },
  { way: 'buffer', title: 'raw TCP, one reused buffer' },
  { way: 'client-no-hash', title: 'our client without hashing', most: 1.25 },
  { way: 'client', title: 'our client', most: 2.5 },
  { way: 'form-data', title: 'fetch + FormData + openAsBlob' },
];
/** How many times the CPU of our client the last of them takes at least, where neither hashes. */
const leastFormData = 2.5;

const memory = [
  { way: 'client', mebibytes: 3072, title: 'upload of 3 GiB, one chunk in flight', mostMb: 130 },
  { way: 'client-three', mebibytes: 3072, title: 'upload of 3 GiB, three in flight', mostMb: 200 },
  { way: 'download', mebibytes: 64, title: 'download of 64 MiB' },
  { way: 'download', mebibytes: 1024, title: 'download of 1 GiB' },
];

export async function run({ isQuick }) {
  const sending = await runSending({ isQuick });
  const receiving = await runReceiving({ isQuick });
  return {
    figures: { ...sending.figures, receiving: receiving.figures },
    lines: [...sending.lines, ...receiving.lines],
  };
}

async function runSending({ isQuick }) {
  const rounds = isQuick ? 1 : usualRounds;
  const sizeOf = (mebibytes) => (isQuick ? 64 : mebibytes);
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const server = await startServer();
  try {
    const files = new Map();
    for (const mebibytes of new Set([64, 1024, 3072].map(sizeOf))) {
      files.set(mebibytes, await makeFile(folder, mebibytes));
    }
    const measure = (way, mebibytes) =>
      runContender([way, ...server.ports, files.get(sizeOf(mebibytes)), folder]);
    const results = new Map(contenders.map(({ way }) => [way, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const { way } of contenders) results.get(way).push(await measure(way, 1024));
    }
    const peaks = [];
    for (const { way, mebibytes } of memory) peaks.push((await measure(way, mebibytes)).peakMb);
    return present(results, peaks, rounds);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function present(results, peaks, rounds) {
  /** Of each round by itself: what loads the machine loads all of a round. */
  const ratio = (way, other) =>
    median(
      results.get(way).map(({ cpuSeconds }, round) => cpuSeconds / results.get(other)[round].cpuSeconds),
    );
  const figures = { cpu: {}, peakMb: {} };
  const lines = [
    `sending 1 GiB in chunks of 20 MiB, median of ${rounds} interleaved rounds, Node ${process.versions.node}`,
    `  ${'(the server reads and drops)'.padEnd(38)} CPU s/GiB   × pipe   wall s   peak MB`,
  ];
  for (const { way, title, most } of contenders) {
    const of = (name) => median(results.get(way).map((result) => result[name]));
    const timesPipe = ratio(way, 'pipe');
    figures.cpu[title] = {
      cpuSeconds: round2(of('cpuSeconds')),
      timesPipe: round2(timesPipe),
      peakMb: Math.round(of('peakMb')),
    };
    const numbers = [
      of('cpuSeconds').toFixed(2).padStart(9),
      timesPipe.toFixed(2).padStart(8),
      of('seconds').toFixed(2).padStart(8),
      of('peakMb').toFixed(0).padStart(9),
    ];
    lines.push(
      `  ${title.padEnd(38)} ${numbers.join(' ')}${most === undefined ? '' : judge(timesPipe <= most, `≤ ${most} ×`)}`,
    );
  }
  const [alike, hashing] = [ratio('form-data', 'client-no-hash'), ratio('form-data', 'client')];
  figures.formData = { timesClientWithoutHashing: round2(alike), timesClient: round2(hashing) };
  const target = judge(alike >= leastFormData, `≥ ${leastFormData} ×`);
  lines.push(
    'CPU of fetch + FormData + openAsBlob, which hashes nothing',
    `  ${'in times our client without hashing'.padEnd(38)} ${alike.toFixed(2).padStart(9)} ×${target}`,
    `  ${'in times our client'.padEnd(38)} ${hashing.toFixed(2).padStart(9)} ×`,
  );
  lines.push('peak memory (RSS) of the process');
  for (const [index, { title, mostMb }] of memory.entries()) {
    const peakMb = Math.round(peaks[index]);
    figures.peakMb[title] = peakMb;
    lines.push(
      `  ${title.padEnd(38)} ${String(peakMb).padStart(9)} MB${mostMb === undefined ? '' : judge(peakMb <= mostMb, `≤ ${mostMb} MB`)}`,
    );
  }
  return { figures, lines };
}

/** Holes only, which take no room on the disk; read once, so that every contender finds it in memory. */
async function makeFile(folder, mebibytes) {
  const path = join(folder, `${mebibytes}.mp4`);
  writeFileSync(path, '');
  truncateSync(path, mebibytes * mib);
  for await (const piece of createReadStream(path, { highWaterMark: mib })) void piece;
  return path;
}

async function startServer() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'upload', 'discard-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { ports: line.split(' '), stop: () => child.kill() };
}

async function runContender(words) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'upload', 'contender.mjs'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}`);
  return JSON.parse(text);
}

function round2(value) {
  return Math.round(value * 100) / 100;
}
