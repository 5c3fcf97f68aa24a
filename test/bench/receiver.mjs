// What a delivery costs our receiver: `verify` without a store, `accept` with one.
import { describeRounds, interleave, judge, onMachine, round, summarise } from './figures.mjs';
import { measureUsage, withProcess } from './processes.mjs';
import { BODY_BYTES } from './receiver-load.mjs';
import { onStores, withStore } from './stores.mjs';

const CONNECTIONS = 64;

const ours = 'ours, log off';
const logged = 'ours, log as the command writes it';
const reference = 'hand-written node:http verifier';
const obvious = 'the obvious program';

const verifyPlans = {
  usual: { rounds: 3, warm: 10_000, count: 40_000 },
  quick: { rounds: 1, warm: 200, count: 1000 },
};
const verifyColumns = [
  ['µs CPU per delivery', 'cpuMicros', 1],
  ['× hand-written', 'cpuMicros', 3, reference],
  ['per s', 'perSecond', 0],
];

/** `full`: how many deliveries a full store has. */
const acceptPlans = {
  redis: { rounds: 3, warm: 4000, count: 16_000, full: 200_000 },
  embedded: { rounds: 3, warm: 1000, count: 8000, full: 100_000 },
  quick: { rounds: 1, warm: 100, count: 500, full: 2000 },
};
const acceptColumns = [
  ['µs CPU', 'cpuMicros', 1],
  ['× obvious', 'cpuMicros', 2, obvious],
  ['per s', 'perSecond', 0],
  ['× obvious', 'perSecond', 2, obvious],
  ['p50 ms', 'p50Ms', 2],
  ['p99 ms', 'p99Ms', 2],
  ['µs of the store', 'storeMicros', 1],
];

/** CPU of the server process beside that of a server written by hand, without any queue. */
export function verify({ isQuick }) {
  const plan = isQuick ? verifyPlans.quick : verifyPlans.usual;
  const contenders = [
    { name: reference, way: 'handWritten' },
    { name: ours, way: 'ours' },
    { name: logged, way: 'ours', isLogged: true },
  ];
  return onMachine((cores) =>
    withProcess(['receiver-load.mjs', 'load'], cores.others, async (load) => {
      const results = await interleave(plan.rounds, contenders, (contender) =>
        measure({ load, cores }, contender, plan),
      );
      const { figures, lines } = summarise(results, verifyColumns);
      return {
        figures,
        lines: [
          `verifying ${plan.count} deliveries of ${BODY_BYTES} bytes over ${CONNECTIONS} connections, nothing stored, ${describeRounds(plan)}`,
          ...lines,
          judge('ours, in times the hand-written one', figures[ours].cpuMicrosTimes.median, '≤ 1.05 ×'),
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
  return onStores('accepting', ({ store, cores }) =>
    withProcess(['receiver-load.mjs', 'load'], cores.others, (load) =>
      withStore(store.kind, cores.others, async (second) => {
        const bench = { load, cores };
        const plan = isQuick ? acceptPlans.quick : acceptPlans[store.kind];
        const full = `ours, ${plan.full} stored already`;
        const contenders = [
          { name: obvious, way: 'obvious', store },
          { name: ours, way: 'ours', store },
          { name: logged, way: 'ours', store, isLogged: true },
          { name: full, way: 'ours', store: second, namespace: 'b0' },
        ];
        const filling = { warm: 1, count: plan.full };
        let { stored } = await measure(bench, contenders.at(-1), filling);
        let serial = 0;
        const results = await interleave(plan.rounds, contenders, async (contender) => {
          if (contender.name !== full) {
            await store.empty();
            return await measure(bench, { ...contender, namespace: `b${(serial += 1)}` }, plan);
          }
          const result = await measure(bench, contender, plan, stored);
          ({ stored } = result);
          return result;
        });
        return presentAccept(store, results, plan, full);
      }),
    ),
  );
}

function presentAccept(store, results, plan, full) {
  const { figures, lines } = summarise(results, acceptColumns);
  const { cpuMicrosTimes, perSecondTimes, p50Ms } = figures[ours];
  const timesEmpty = (key) => round(figures[full][key].median / figures[ours][key].median, 2);
  const isRedis = store.kind === 'redis';
  const leastTimes = isRedis ? '≥ 0.9 ×' : '≥ 2 ×';
  return {
    figures,
    lines: [
      `accepting ${plan.count} deliveries of ${BODY_BYTES} bytes over ${CONNECTIONS} connections into ${store.name}, ${describeRounds(plan)}`,
      ...lines,
      judge('ours: per second, in times the obvious program', perSecondTimes.median, leastTimes),
      isRedis
        ? judge('ours: CPU, in times the obvious program', cpuMicrosTimes.median, '≤ 1.1 ×')
        : judge('ours: p50', p50Ms.median, '≤ 15 ms'),
      judge(`${full}: CPU, in times an empty store`, timesEmpty('cpuMicros'), '≤ 1.15 ×'),
      judge(`${full}: CPU of the store`, timesEmpty('storeMicros'), '≤ 1.15 ×'),
      ...describeBusy(results),
    ],
  };
}

/**
 * One measurement of one contender, in a server process of its own: `warm` deliveries that are not counted, then
 * `count` that are. Rejects where the queue, if there is one, does not hold exactly those that were answered 200, beside
 * `before`. One that is answered 503, because the machine stalled for the better part of a second, is reported and counts
 * for nothing.
 */
function measure({ load, cores }, contender, { warm, count }, before = 0) {
  const { way, namespace, store, isLogged } = contender;
  const options = { url: store?.url, ...store?.bullmq, namespace, isLogged };
  return withProcess(['receiver-servers.mjs', way, options], cores.measured, async (server) => {
    const order = { port: server.greeting.port, connections: CONNECTIONS };
    const readStore = () => store?.readCpuMicros() ?? 0;
    await load.ask('prepare', { count: warm + count });
    const warmed = readAnswers(warm, await load.ask('deliver', { ...order, from: 0, to: warm }));
    const storeBefore = await readStore();
    const sent = await measureUsage(server, () =>
      load.ask('deliver', { ...order, from: warm, to: warm + count }),
    );
    const storeMicros = (await readStore()) - storeBefore;
    const { accepted, refused } = readAnswers(count, sent);
    const least = before + warmed.accepted + accepted;
    return {
      ...sent,
      perSecond: accepted / sent.seconds,
      cpuMicros: sent.cpuMicros / accepted,
      storeMicros: storeMicros / accepted,
      refused: warmed.refused + refused,
      stored: store && (await checkStored(server, least, least + warmed.refused + refused)),
    };
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
