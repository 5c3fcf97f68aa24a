// Genuine deliveries, each timed from when it was due, while 300 connections send what no service sends. Beside ours the
// server that a good engineer writes by hand.
import { setTimeout as pause } from 'node:timers/promises';

import { describeTimes, interleave, judge, onMachine, round, summarise } from './figures.mjs';
import { withProcess } from './processes.mjs';
import { openConnection, prepareDeliveries } from './receiver-load.mjs';

/** What was not answered by `giveUpMs` counts with this time. */
const usual = { seconds: 6, perSecond: 20, giveUpMs: 10_000 };
const quick = { seconds: 0.5, perSecond: 10, giveUpMs: 1500 };

const contenders = ['pipelined', 'large'].flatMap((kind) => [
  { name: `${kind}: ours, log off`, kind, way: 'ours' },
  { name: `${kind}: written by hand`, kind, way: 'handWritten' },
]);
const columns = [
  ['p50 ms', 'p50Ms', 1],
  ['p99 ms', 'p99Ms', 1],
  ['longest ms', 'maxMs', 1],
  ['within 1 s, %', 'withinPercent', 0],
  ['flood: connections', 'opened', 0],
  ['answers', 'answers', 0],
];

export function floods({ isQuick }) {
  const plan = isQuick ? quick : usual;
  return onMachine(async (cores) => {
    const results = await interleave(1, contenders, (contender) => measureFlood(contender, plan, cores));
    const { figures, lines } = summarise(results, columns);
    const ours = contenders.filter(({ way }) => way === 'ours').flatMap(({ name }) => results.get(name));
    const slowestMs = Math.max(...ours.map(({ p50Ms }) => p50Ms));
    const least = Math.min(...ours.map(({ withinPercent }) => withinPercent));
    return {
      figures,
      lines: [
        `${plan.perSecond} genuine deliveries a second for ${plan.seconds} s beside a flood over 300 connections, Node ${process.versions.node}`,
        ...lines,
        judge('ours: slowest p50', round(slowestMs, 1), '≤ 250 ms'),
        judge('ours: within a second', round(least), '≥ 100 %'),
      ],
    };
  });
}

function measureFlood({ way, kind }, { seconds, perSecond, giveUpMs }, cores) {
  return withProcess(['receiver-servers.mjs', way], cores.measured, (server) => {
    const { port } = server.greeting;
    return withProcess(['receiver-load.mjs', 'flood', { kind, port }], cores.others, async (flood) => {
      const deliveries = prepareDeliveries(Math.ceil(seconds * perSecond));
      await flood.ask('start');
      await pause(500);
      const timesMs = await Promise.all(
        deliveries.map(async (bytes, index) => {
          await pause((index * 1000) / perSecond);
          return await deliver(port, bytes, giveUpMs);
        }),
      );
      const within = timesMs.filter((ms) => ms <= 1000).length;
      const counts = await flood.ask('stop');
      return { ...describeTimes(timesMs), withinPercent: (within / timesMs.length) * 100, ...counts };
    });
  });
}

/** Sends one delivery over a connection of its own, as a sender that delivers now and then does. Milliseconds until 200. */
async function deliver(port, bytes, giveUpMs) {
  const startedMs = performance.now();
  for (;;) {
    const leftMs = Math.max(0, startedMs + giveUpMs - performance.now());
    const answer = await Promise.race([sendOnce(port, bytes), pause(leftMs)]);
    const tookMs = performance.now() - startedMs;
    if (answer?.status === 200 || tookMs >= giveUpMs) return Math.min(tookMs, giveUpMs);
    // The service repeats what was not stored; here soon, so that it shows.
    await pause(100);
  }
}

/** Resolves with nothing where the connection was refused or lost. */
async function sendOnce(port, bytes) {
  const connection = await openConnection(port).catch(() => undefined);
  const answer = await connection?.send(bytes);
  connection?.close();
  return answer;
}
