// Many deliveries that are all due at once, against the real command: `aftermeet receiver` as a process, its default log
// going to a file. What is answered 503 is sent again when its Retry-After is over, as a sender does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import {
  createJobQueue,
  emptyNamespace,
  openBackend,
  silentLog,
} from '../../../packages/queue/dist/index.js';
import { atExit } from '../at-exit.mjs';
import { onCores } from '../cores.mjs';
import { judge } from '../judge.mjs';
import { describeCores, round, withBench } from './bench.mjs';
import { SECRET } from './deliveries.mjs';
import { describeNoise } from './noise.mjs';
import { readPeakMb } from './processes.mjs';
import { startEmbedded } from './stores/embedded.mjs';
import { findRedis, startRedis } from './stores/redis.mjs';

const command = join(import.meta.dirname, '../../../packages/cli/bin/aftermeet.js');
const settingsFile = 'endpoints: { bench: { secrets: ["${BENCH_SECRET}"] } }\n';
const usual = { count: 20_000, connections: 200, rounds: 3 };
const quick = { count: 500, connections: 50, rounds: 1 };
const withinSeconds = 10;
const mostMb = 300;

export async function run({ isQuick }) {
  const sizes = isQuick ? quick : usual;
  const program = findRedis();
  const stores = [
    ...(program === undefined ? [] : [['redis', (cores) => startRedis(program, cores)]]),
    ['embedded', startEmbedded],
  ];
  const { result, noise } = await withBench(async (bench) => {
    const rows = [];
    for (const [name, startStore] of stores) {
      const store = await startStore(bench.cores.load);
      try {
        for (let one = 0; one < sizes.rounds; one += 1) {
          rows.push({ store: name, ...(await measureBurst(bench, store, sizes)) });
        }
      } finally {
        await store.stop();
      }
    }
    return rows;
  });
  return present(result, noise, sizes, program);
}

async function measureBurst({ load, cores }, store, { count, connections }) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  writeFileSync(join(folder, 'aftermeet.yaml'), settingsFile);
  const receiver = await startCommand(folder, store.url, cores.server);
  try {
    await load.ask({ task: 'prepare', scheme: 'service', count });
    const sent = await load.ask({ task: 'burst', port: receiver.port, connections, from: 0, to: count });
    const peakMb = readPeakMb(receiver.pid);
    const stored = await countAndEmpty(store.url);
    return { ...sent, peakMb, stored, logBytes: statSync(receiver.logPath).size };
  } finally {
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startCommand(folder, queueUrl, cores) {
  const logPath = join(folder, 'log');
  const words = ['receiver', '--port', '0', '--json', '--config', join(folder, 'aftermeet.yaml')];
  const [program, ...rest] = onCores([process.execPath, command, ...words], cores);
  const log = openSync(logPath, 'a');
  const child = spawn(program, rest, {
    cwd: folder,
    // Nothing of this shell's settings.
    env: { PATH: process.env.PATH, HOME: folder, QUEUE_URL: queueUrl, BENCH_SECRET: SECRET },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const keep = atExit(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => {
      throw new Error(`aftermeet receiver ended: ${readFileSync(logPath, 'utf8').slice(-2000)}`);
    }),
  ]);
  return {
    pid: child.pid,
    port: Number(new URL(JSON.parse(line).url).port),
    logPath,
    async stop() {
      keep();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What the command has stored; it has no setting for its namespace, so the next one needs it empty. */
async function countAndEmpty(queueUrl) {
  const backend = await openBackend(queueUrl, { log: silentLog });
  const jobs = await createJobQueue(backend);
  const { waiting } = await jobs.counts('event');
  await jobs.close();
  await emptyNamespace(backend);
  await backend.close();
  return waiting;
}

function present(rows, noise, { count, connections }, program) {
  const figures = { noise, count, connections, bursts: rows };
  const lines = [
    `${count} deliveries due at once over ${connections} connections, through the command with its default log, Node ${process.versions.node}`,
    describeCores(noise.cores, 'the store'),
    `  ${'store'.padEnd(12)} all 200 after s   503 then 200   resets   longest answer s   in the queue   peak MB   log MB`,
  ];
  if (program === undefined) lines.push('  redis: left out, there is no redis-server here');
  for (const { store, seconds, retried, resets, maxMs, stored, peakMb, logBytes } of rows) {
    const columns = [
      seconds.toFixed(2).padStart(15),
      String(retried).padStart(14),
      String(resets).padStart(8),
      (maxMs / 1000).toFixed(2).padStart(18),
      String(stored).padStart(14),
      peakMb.toFixed(0).padStart(9),
      (logBytes / 1e6).toFixed(1).padStart(8),
    ];
    lines.push(`  ${store.padEnd(12)} ${columns.join(' ')}`);
  }
  const [slowest, largest] = ['seconds', 'peakMb'].map((key) => Math.max(...rows.map((row) => row[key])));
  const lost = Math.max(...rows.map(({ stored }) => Math.abs(stored - count)));
  const others = rows.filter(({ statuses }) => statuses[200] !== count).length;
  lines.push(
    `  all answered 200 after ${slowest.toFixed(2)} s${judge(slowest <= withinSeconds && others === 0, `≤ ${withinSeconds} s, every one 200`)}`,
    `  lost or doubled ${lost}${judge(lost === 0, '0')}`,
    `  memory of the process ${round(largest)} MB${judge(largest < mostMb, `< ${mostMb} MB`)}`,
    describeNoise(noise),
  );
  return { figures, lines };
}
