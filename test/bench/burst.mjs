// Many deliveries that are all due at once, against the real command: `aftermeet receiver` as a process, its default log
// going to a file. What is answered 503 is sent again when its Retry-After is over, as a sender does.
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { createJobQueue, emptyNamespace, openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { createReceiver } from '../harness/outages/receiver.mjs';
import { withFolder } from '../harness/processes.mjs';
import { describeRounds, interleave, judge, summarise } from './figures.mjs';
import { moveToCores, readPeakMb, withProcess } from './processes.mjs';
import { onStores } from './stores.mjs';

const usual = { count: 20_000, connections: 200, rounds: 3 };
const quick = { count: 500, connections: 50, rounds: 1 };

const name = 'aftermeet receiver';
const columns = [
  ['all 200 after s', 'seconds', 2],
  ['503 then 200', 'retried', 0],
  ['resets', 'resets', 0],
  ['peak MB', 'peakMb', 0],
  ['log MB', 'logMb', 1],
  ['lost, doubled or not 200', 'wrong', 0],
];

export function burst({ isQuick }) {
  const plan = isQuick ? quick : usual;
  return onStores('a burst', ({ store, cores }) =>
    withProcess(['receiver-load.mjs', 'load'], cores.others, async (load) => {
      const results = await interleave(plan.rounds, [{ name }], () =>
        measureBurst({ load, store, cores }, plan),
      );
      const { figures, lines } = summarise(results, columns);
      const { seconds, peakMb, wrong } = figures[name];
      return {
        figures,
        lines: [
          `${plan.count} deliveries due at once over ${plan.connections} connections on ${store.name}, ${describeRounds(plan)}`,
          ...lines,
          judge('all answered 200', seconds.most, '≤ 10 s'),
          judge('lost, doubled or not 200', wrong.most, '≤ 0'),
          judge('memory of the process', peakMb.most, '≤ 300 MB'),
        ],
      };
    }),
  );
}

function measureBurst({ load, store, cores }, { count, connections }) {
  return withFolder(async (folder) => {
    const receiver = await createReceiver({ name, folder, queueUrl: store.url, logLevel: 'info' });
    await receiver.start();
    try {
      moveToCores(receiver.pid, cores.measured);
      await load.ask('prepare', { count });
      const port = Number(new URL(receiver.url).port);
      const sent = await load.ask('deliver', { port, connections, from: 0, to: count, sendsAgain: true });
      const peakMb = readPeakMb(receiver.pid);
      const stored = await countAndEmpty(store.url);
      const wrong = Math.abs(stored - count) + count - (sent.statuses[200] ?? 0);
      return { ...sent, peakMb, wrong, logMb: statSync(join(folder, name, 'log')).size / 1e6 };
    } finally {
      await receiver.end('SIGTERM');
    }
  });
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
