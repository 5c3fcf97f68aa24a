// What a delivery costs our receiver: `verify` without a store, `accept` with one.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { interleave, judge, onMachine, round, summarise } from './figures.mjs';
import { startProcess, withFolder } from './processes.mjs';
import { BODY_BYTES } from './receiver-load.mjs';
import { onStores, startStore } from './stores.mjs';

const servers = 'receiver-servers.mjs';
const deliverer = 'receiver-load.mjs';
const ours = 'ours, log off';
const logged = 'ours, log as the command writes it';
const floor = 'bare node:http, stores nothing';
const reference = 'hand-written node:http verifier';
const obvious = 'the obvious program';

const CONNECTIONS = 64;

/** CPU of the server process beside what others take, without any queue. */
export async function verify({ isQuick }) {
  const plan = isQuick ? { rounds: 1, warm: 200, count: 1000 } : { rounds: 3, warm: 10_000, count: 40_000 };
  const contenders = [
    { name: floor, way: 'bare' },
    { name: reference, way: 'handWritten' },
    { name: ours, way: 'ours' },
    { name: logged, way: 'ours', isLogged: true },
  ];
  return onMachine((cores) =>
    withLoad(cores, async (load) => {
      const results = await interleave(plan.rounds, contenders, (contender) =>
        measure({ load, cores }, contender, plan),
      );
      const { figures, lines } = summarise(results, [
        { key: 'cpuMicros', title: 'µs CPU per delivery' },
        { key: 'cpuMicros', title: '× hand-written', digits: 3, over: reference },
        { key: 'perSecond', title: 'per s', digits: 0 },
      ]);
      return {
        figures,
        lines: [
          `verifying ${plan.count} deliveries of ${BODY_BYTES} bytes over ${CONNECTIONS} connections, nothing stored, ${describePlan(plan)}`,
          ...lines,
          judge('ours, in times the hand-written one', figures[ours].cpuMicrosTimes.median, {
            most: 1.05,
            unit: ' ×',
          }),
          ...describeBusy(results),
        ],
      };
    }),
  );
}

/**
 * What it costs to verify a delivery and to store it, beside the obvious program on the same store (bare node:http, an
 * HMAC and one `queue.add`), and beside ours over a store that is full already.
 */
export function accept({ isQuick }) {
  const plans = {
    redis: { rounds: 3, warm: 4000, count: 16_000, full: 200_000 },
    embedded: { rounds: 3, warm: 1000, count: 8000, full: 100_000 },
  };
  return onStores('accepting', ({ store, cores }) =>
    withLoad(cores, async (load) => {
      const plan = isQuick ? { rounds: 1, warm: 100, count: 500, full: 2000 } : plans[store.kind];
      const full = `ours, ${plan.full} stored already`;
      const second = await startStore(store.kind, cores.others);
      try {
        const bench = { load, cores };
        let stored = await measure(
          bench,
          { way: 'ours', store: second, namespace: 'b0' },
          { warm: 1, count: plan.full },
        );
        const contenders = [
          ...listStoring(store),
          { name: full, way: 'ours', store: second, namespace: 'b0' },
        ];
        const results = await interleave(plan.rounds, contenders, async (contender) => {
          if (contender.name !== full) return measureEmpty(bench, contender, plan);
          stored = await measure(bench, contender, { ...plan, stored: stored.stored });
          return stored;
        });
        return presentAccept(store, results, plan, full);
      } finally {
        await second.stop();
      }
    }),
  );
}

function presentAccept(store, results, plan, full) {
  const { figures, lines } = summarise(results, [
    { key: 'cpuMicros', title: 'µs CPU' },
    { key: 'cpuMicros', title: '× obvious', digits: 2, over: obvious },
    { key: 'perSecond', title: 'per s', digits: 0 },
    { key: 'perSecond', title: '× obvious', digits: 2, over: obvious },
    { key: 'p50Ms', title: 'p50 ms', digits: 2 },
    { key: 'p99Ms', title: 'p99 ms', digits: 2 },
    { key: 'storeMicros', title: 'µs of the store' },
  ]);
  const { cpuMicrosTimes, perSecondTimes, p50Ms } = figures[ours];
  const timesEmpty = (key) => round(figures[full][key].median / figures[ours][key].median, 2);
  const isRedis = store.kind === 'redis';
  return {
    figures,
    lines: [
      `accepting ${plan.count} deliveries of ${BODY_BYTES} bytes over ${CONNECTIONS} connections into ${store.name}, ${describePlan(plan)}`,
      ...lines,
      judge('ours: per second, in times the obvious program', perSecondTimes.median, {
        least: isRedis ? 0.9 : 2,
        unit: ' ×',
      }),
      isRedis
        ? judge('ours: CPU, in times the obvious program', cpuMicrosTimes.median, { most: 1.1, unit: ' ×' })
        : judge('ours: p50', p50Ms.median, { most: 15, unit: ' ms' }),
      judge(`${full}: CPU, in times an empty store`, timesEmpty('cpuMicros'), { most: 1.15, unit: ' ×' }),
      judge(`${full}: CPU of the store`, timesEmpty('storeMicros'), { most: 1.15, unit: ' ×' }),
      ...describeBusy(results),
    ],
  };
}

function listStoring(store) {
  return [
    { name: floor, way: 'bare' },
    { name: obvious, way: 'obvious', store },
    { name: ours, way: 'ours', store },
    { name: logged, way: 'ours', store, isLogged: true },
  ];
}

/** Runs `work` beside a process that delivers. */
export async function withLoad(cores, work) {
  const load = await startProcess(deliverer, 'load', {}, { cores: cores.others });
  try {
    return await work(load);
  } finally {
    await load.stop();
  }
}

let serial = 0;

async function measureEmpty(bench, contender, plan) {
  await contender.store?.empty();
  return await measure(bench, { ...contender, namespace: `b${(serial += 1)}` }, plan);
}

/**
 * One measurement of one contender, in a server process of its own: `warm` deliveries that are not counted, then
 * `count` that are. Rejects where the queue, if there is one, does not hold exactly those that were answered 200. One
 * that is answered 503, because the machine stalled for the better part of a second, is reported and counts for nothing.
 */
function measure({ load, cores }, contender, plan) {
  const { way, namespace, store, isLogged = false } = contender;
  const { warm, count, stored = 0 } = plan;
  return withFolder(async (folder) => {
    const errorFile = openSync(join(folder, 'log'), 'w');
    const place = store === undefined ? undefined : { url: store.url, ...store.bullmq };
    const options = { store: place, namespace, isLogged };
    const server = await startProcess(servers, way, options, { cores: cores.measured, errorFile });
    try {
      const { port } = server.greeting;
      await load.ask('prepare', { count: warm + count });
      const warmed = readAnswers(
        warm,
        await load.ask('closed', { port, connections: CONNECTIONS, from: 0, to: warm }),
      );
      const storeBefore = (await store?.readCpuMicros()) ?? 0;
      const before = await server.ask('usage');
      const order = { port, connections: CONNECTIONS, from: warm, to: warm + count };
      const sent = await load.ask('closed', order);
      const after = await server.ask('usage');
      const storeAfter = (await store?.readCpuMicros()) ?? 0;
      const { accepted, refused } = readAnswers(count, sent);
      const least = stored + warmed.accepted + accepted;
      const most = least + warmed.refused + refused;
      return {
        ...sent,
        perSecond: accepted / sent.seconds,
        cpuMicros: (after.cpuMicros - before.cpuMicros) / accepted,
        storeMicros: (storeAfter - storeBefore) / accepted,
        refused: warmed.refused + refused,
        stored: store === undefined ? 0 : await checkStored(server, least, most),
      };
    } catch (error) {
      // This is where its last words are.
      const text = readFileSync(join(folder, 'log'), 'utf8').slice(-2000);
      throw new Error(`${contender.name ?? way}: ${error.message}\n${text}`, { cause: error });
    } finally {
      await server.stop();
      closeSync(errorFile);
    }
  });
}

function readAnswers(expected, { statuses }) {
  const { 200: accepted = 0, 503: refused = 0 } = statuses;
  if (accepted + refused === expected && refused < expected / 2) return { accepted, refused };
  throw new Error(`${expected} deliveries were answered ${JSON.stringify(statuses)}`);
}

/** One that was answered 503 may have been stored after all. */
async function checkStored(server, least, most) {
  const { count } = await server.ask('count');
  if (count >= least && count <= most) return count;
  throw new Error(`the queue holds ${count} jobs instead of ${least}`);
}

/** The end of a title. */
export function describePlan({ rounds }) {
  return `median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`;
}

/** Where what delivers has no time left, a rate is its own and not the server's. */
function describeBusy(results) {
  const all = [...results.values()].flat();
  const busiest = Math.max(...all.map(({ busy }) => busy));
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  const verdict = busiest > 0.9 ? ': SATURATED, rates are too low and times too long' : '';
  return [
    `  what delivers was busy for at most ${Math.round(busiest * 100)} % of a measurement${verdict}`,
    ...(refused === 0 ? [] : [`  ${refused} deliveries were answered 503 and are not counted`]),
  ];
}
