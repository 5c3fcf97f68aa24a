// Genuine deliveries beside a flood: 20 a second for some seconds, each timed from when it was due to its answer, while
// 300 connections send what no service sends. Beside ours the server that a good engineer writes by hand; each also
// behind nginx where it is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { findFreePort } from '../../harness/processes.mjs';
import { atExit } from '../at-exit.mjs';
import { onCores } from '../cores.mjs';
import { judge } from '../judge.mjs';
import { describeCores, planCores, round } from './bench.mjs';
import { prepareDeliveries } from './deliveries.mjs';
import { openConnection } from './load/connection.mjs';
import { describeTimes } from './load/describe-times.mjs';
import { describeNoise, watchNoise } from './noise.mjs';
import { startProcess } from './processes.mjs';

/** What was not answered by `giveUpMs` counts with this time. */
const usual = { seconds: 6, perSecond: 20, giveUpMs: 10_000 };
const quick = { seconds: 0.5, perSecond: 10, giveUpMs: 1500 };
const FLOOD_LEAD_MS = 500;
const mostMedianMs = 250;
const withinMs = 1000;

const ours = 'ours, log off';
const servers = [
  { name: ours, way: 'ours' },
  { name: 'written by hand', way: 'hand-written' },
];

export async function run({ isQuick }) {
  const plan = isQuick ? quick : usual;
  const cores = planCores();
  const tellNoise = watchNoise();
  const rows = [];
  const places = hasNginx() ? [false, true] : [false];
  for (const kind of ['pipelined', 'large']) {
    for (const isBehindNginx of places) {
      for (const server of servers) rows.push(await measure({ ...server, kind, isBehindNginx }, plan, cores));
    }
  }
  return present(rows, plan, { ...tellNoise(), cores });
}

async function measure({ name, way, kind, isBehindNginx }, { seconds, perSecond, giveUpMs }, cores) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const server = await startProcess('serve.mjs', [way, '{}'], { cores: cores.server });
  const nginx = isBehindNginx ? await startNginx(folder, server.greeting.port, cores.load) : undefined;
  const port = nginx?.port ?? server.greeting.port;
  const flood = await startProcess('flood.mjs', [kind, String(port)], { cores: cores.load });
  try {
    const count = Math.ceil(seconds * perSecond);
    const requests = prepareDeliveries('service', count);
    await flood.ask('start');
    await pause(FLOOD_LEAD_MS);
    const timesMs = await Promise.all(
      Array.from({ length: count }, async (_each, index) => {
        await pause((index * 1000) / perSecond);
        return await deliver(
          port,
          requests.bytes.subarray(index * requests.size, (index + 1) * requests.size),
          giveUpMs,
        );
      }),
    );
    const { opened, answers } = await flood.ask('stop');
    return {
      name,
      kind,
      isBehindNginx,
      ...describeTimes(Float64Array.from(timesMs)),
      within: timesMs.filter((ms) => ms <= withinMs).length / count,
      opened,
      answers,
    };
  } finally {
    await flood.stop();
    await nginx?.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends one delivery over a connection of its own, as a sender that delivers now and then does. Milliseconds until 200. */
async function deliver(port, bytes, giveUpMs) {
  const startedMs = performance.now();
  const untilMs = startedMs + giveUpMs;
  for (;;) {
    const status = await Promise.race([
      new Promise((resolve) => {
        openConnection(
          port,
          (connection, given) => {
            connection.close();
            resolve(given);
          },
          () => resolve(0),
        ).then(
          (connection) => connection.send(bytes),
          () => resolve(0),
        );
      }),
      pause(Math.max(0, untilMs - performance.now()), 0),
    ]);
    const tookMs = performance.now() - startedMs;

    if (status === 200 || tookMs >= giveUpMs) return Math.min(tookMs, giveUpMs);
    // The service repeats what was not stored; here soon, so that it shows.
    await pause(100);
  }
}

function present(rows, { seconds, perSecond }, noise) {
  const lines = [
    `${perSecond} genuine deliveries a second for ${seconds} s beside a flood over 300 connections, Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${''.padEnd(52)} p50 ms    p99 ms   longest   within 1 s   flood: connections   answers`,
  ];
  const figures = { noise, rows };
  for (const { name, kind, isBehindNginx, p50Ms, p99Ms, maxMs, within, opened, answers } of rows) {
    const title = `${kind}${isBehindNginx ? ', behind nginx' : ''}: ${name}`;
    const columns = [round(p50Ms, 1), round(p99Ms), round(maxMs)].map((value) => String(value).padStart(9));
    lines.push(
      `  ${title.padEnd(50)}${columns.join('')} ${`${round(within * 100)} %`.padStart(10)} ${String(opened).padStart(16)} ${String(answers).padStart(15)}`,
    );
  }
  const own = rows.filter(({ name }) => name === ours);
  const slowest = Math.max(...own.map(({ p50Ms }) => p50Ms));
  const least = Math.min(...own.map(({ within }) => within));
  lines.push(
    `  ours: slowest p50 in ms ${round(slowest, 1)}${judge(slowest <= mostMedianMs, `≤ ${mostMedianMs} ms`)}`,
    `  ours: within a second, at least ${round(least * 100)} %${judge(least === 1, '100 %')}`,
    describeNoise(noise),
  );
  return { figures, lines };
}

function hasNginx() {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** One worker with connections to the server that are kept open, and nothing else that costs time. */
async function startNginx(folder, serverPort, cores) {
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')} crit;
events { worker_connections 2048; }
http {
  access_log off; ${paths.join(' ')}
  upstream receiver { server 127.0.0.1:${serverPort}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://receiver; proxy_http_version 1.1;
      proxy_set_header Connection ''; proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`,
  );
  const [program, ...words] = onCores(['nginx', '-c', file, '-e', join(folder, 'error.log')], cores);
  const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const keep = atExit(() => child.kill('SIGTERM'));
  await untilListening(port);
  return {
    port,
    async stop() {
      keep();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilListening(port) {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      (
        await openConnection(
          port,
          () => {},
          () => {},
        )
      ).close();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error('nginx does not listen');
}
