// Genuine deliveries, each timed from when it was due, while 300 connections send what no service sends. Beside ours the
// server that a good engineer writes by hand.
import { setTimeout as pause } from 'node:timers/promises';

import { describeTimes, drawTable, judge, onMachine, round } from './figures.mjs';
import { startProcess } from './processes.mjs';
import { openConnection, prepareDeliveries } from './receiver-load.mjs';

const ours = 'ours, log off';
const contenders = [
  { name: ours, way: 'ours' },
  { name: 'written by hand', way: 'handWritten' },
];

export function floods({ isQuick }) {
  // What was not answered by `giveUpMs` counts with this time.
  const plan = isQuick
    ? { seconds: 0.5, perSecond: 10, giveUpMs: 1500 }
    : { seconds: 6, perSecond: 20, giveUpMs: 10_000 };
  return onMachine(async (cores) => {
    const rows = [];
    for (const kind of ['pipelined', 'large']) {
      for (const { name, way } of contenders) {
        rows.push({ name, kind, ...(await measureFlood(way, kind, plan, cores)) });
      }
    }
    const own = rows.filter(({ name }) => name === ours);
    return {
      figures: { rows },
      lines: [
        `${plan.perSecond} genuine deliveries a second for ${plan.seconds} s beside a flood over 300 connections, Node ${process.versions.node}`,
        ...drawTable(
          ['', 'p50 ms', 'p99 ms', 'longest ms', 'within 1 s', 'flood: connections', 'answers'],
          rows.map(({ name, kind, p50Ms, p99Ms, maxMs, within, opened, answers }) => [
            `${kind}: ${name}`,
            ...[p50Ms, p99Ms, maxMs].map((ms) => round(ms, 1)),
            `${round(within * 100)} %`,
            opened,
            answers,
          ]),
        ),
        judge('ours: slowest p50', round(Math.max(...own.map(({ p50Ms }) => p50Ms)), 1), {
          most: 250,
          unit: ' ms',
        }),
        judge('ours: within a second', round(Math.min(...own.map(({ within }) => within)) * 100), {
          least: 100,
          unit: ' %',
        }),
      ],
    };
  });
}

async function measureFlood(way, kind, { seconds, perSecond, giveUpMs }, cores) {
  const server = await startProcess('receiver-servers.mjs', way, {}, { cores: cores.measured });
  const { port } = server.greeting;
  const flood = await startProcess('receiver-load.mjs', 'flood', { kind, port }, { cores: cores.others });
  try {
    const count = Math.ceil(seconds * perSecond);
    const { bytes, size } = prepareDeliveries(count);
    await flood.ask('start');
    await pause(500);
    const timesMs = await Promise.all(
      Array.from({ length: count }, async (_each, index) => {
        await pause((index * 1000) / perSecond);
        return await deliver(port, bytes.subarray(index * size, (index + 1) * size), giveUpMs);
      }),
    );
    const within = timesMs.filter((ms) => ms <= 1000).length / count;
    return { ...describeTimes(timesMs), within, ...(await flood.ask('stop')) };
  } finally {
    await flood.stop();
    await server.stop();
  }
}

/** Sends one delivery over a connection of its own, as a sender that delivers now and then does. Milliseconds until 200. */
async function deliver(port, bytes, giveUpMs) {
  const startedMs = performance.now();
  for (;;) {
    const status = await Promise.race([
      sendOnce(port, bytes),
      pause(Math.max(0, startedMs + giveUpMs - performance.now()), 0),
    ]);
    const tookMs = performance.now() - startedMs;
    if (status === 200 || tookMs >= giveUpMs) return Math.min(tookMs, giveUpMs);
    // The service repeats what was not stored; here soon, so that it shows.
    await pause(100);
  }
}

/** Resolves with the status of the answer; 0 where the connection was refused or lost. */
function sendOnce(port, bytes) {
  return new Promise((resolve) => {
    const onAnswer = (connection, status) => {
      connection.close();
      resolve(status);
    };
    const onLost = () => resolve(0);
    openConnection(port, onAnswer, onLost).then((connection) => connection.send(bytes), onLost);
  });
}
