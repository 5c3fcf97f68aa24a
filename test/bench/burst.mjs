// Many deliveries that are all due at once, against the real command: `aftermeet receiver` as a process, its default log
// going to a file. What is answered 503 is sent again when its Retry-After is over, as a sender does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createJobQueue, emptyNamespace, openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { interleave, judge, summarise } from './figures.mjs';
import { atExit, onCores, readPeakMb, withFolder } from './processes.mjs';
import { SECRET } from './receiver-load.mjs';
import { describePlan, withLoad } from './receiver.mjs';
import { onStores } from './stores.mjs';

export function burst({ isQuick }) {
  const plan = isQuick
    ? { count: 500, connections: 50, rounds: 1 }
    : { count: 20_000, connections: 200, rounds: 3 };
  return onStores('a burst', ({ store, cores }) =>
    withLoad(cores, async (load) => {
      const contenders = [{ name: 'aftermeet receiver' }];
      const results = await interleave(plan.rounds, contenders, () =>
        measureBurst({ load, cores }, store, plan),
      );
      const { figures, lines } = summarise(results, [
        { key: 'seconds', title: 'all 200 after s', digits: 2 },
        { key: 'retried', title: '503 then 200', digits: 0 },
        { key: 'resets', title: 'resets', digits: 0 },
        { key: 'peakMb', title: 'peak MB', digits: 0 },
        { key: 'logMb', title: 'log MB' },
        { key: 'wrong', title: 'lost, doubled or not 200', digits: 0 },
      ]);
      const { seconds, peakMb, wrong } = figures['aftermeet receiver'];
      return {
        figures,
        lines: [
          `${plan.count} deliveries due at once over ${plan.connections} connections on ${store.name}, ${describePlan(plan)}`,
          ...lines,
          judge('all answered 200', seconds.most, { most: 10, unit: ' s' }),
          judge('lost, doubled or not 200', wrong.most, { most: 0 }),
          judge('memory of the process', peakMb.most, { most: 300, unit: ' MB' }),
        ],
      };
    }),
  );
}

function measureBurst({ load, cores }, store, { count, connections }) {
  return withFolder(async (folder) => {
    const receiver = await startCommand(folder, store.url, cores.measured);
    try {
      await load.ask('prepare', { count });
      const sent = await load.ask('burst', { port: receiver.port, connections, from: 0, to: count });
      const peakMb = readPeakMb(receiver.pid);
      const stored = await countAndEmpty(store.url);
      const wrong = Math.abs(stored - count) + count - (sent.statuses[200] ?? 0);
      return { ...sent, peakMb, wrong, logMb: statSync(receiver.logPath).size / 1e6 };
    } finally {
      await receiver.stop();
    }
  });
}

async function startCommand(folder, queueUrl, cores) {
  const settings = join(folder, 'aftermeet.yaml');
  writeFileSync(settings, 'endpoints: { bench: { secrets: ["${BENCH_SECRET}"] } }\n');
  const logPath = join(folder, 'log');
  const command = join(import.meta.dirname, '../../packages/cli/bin/aftermeet.js');
  const words = ['receiver', '--port', '0', '--json', '--config', settings];
  const [program, ...rest] = onCores([process.execPath, command, ...words], cores);
  const log = openSync(logPath, 'a');
  const child = spawn(program, rest, {
    cwd: folder,
    // Nothing of this shell's settings.
    env: { PATH: process.env.PATH, HOME: folder, QUEUE_URL: queueUrl, BENCH_SECRET: SECRET },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const keep = atExit(() => child.kill('SIGKILL'));
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
