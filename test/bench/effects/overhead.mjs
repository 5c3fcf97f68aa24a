// What an effect costs in our worker, queue and ledger included, where its destination does nothing: beside BullMQ's own
// worker with a job that does nothing, on the same store.
import { judge } from '../judge.mjs';
import { interleave } from '../receiver/bench.mjs';
import { describeNoise } from '../receiver/noise.mjs';
import { formatSpread, ratioOf, spread } from '../receiver/spread.mjs';
import { describeCores, measureDrain, onEachStore, unlimited, usualPlaces } from './bench.mjs';
import { oneRecipe, threeRecipes } from './samples.mjs';

const quick = { rounds: 1, warm: 0, count: 150 };
const plans = {
  redis: { rounds: 2, warm: 1000, count: 3000, leastPerSecond: 3000 },
  embedded: { rounds: 2, warm: 250, count: 1000, leastPerSecond: 700 },
};
const mostTimesNoop = 2;

const noop = "BullMQ's no-op, the same data";
const ours = 'ours, no limits';

export function run(options) {
  return onEachStore('what an effect costs', options, async (bench) => {
    const plan = { ...plans[bench.storeName], ...(bench.isQuick ? quick : {}) };
    const contenders = listContenders();
    const results = await interleave(plan.rounds, contenders, (contender) =>
      measureDrain(bench, contender, {
        warm: Math.ceil(plan.warm / (contender.effectsOfOne ?? 1)),
        count: Math.ceil(plan.count / (contender.effectsOfOne ?? 1)),
      }),
    );
    return { present: (noise) => present(bench, results, plan, noise) };
  });
}

function listContenders() {
  const fillEffects = { task: 'fillEffects', recipe: 'recap', channels: 1, policies: unlimited };
  const engine = (name, { fill = fillEffects, effectsOfOne = 1, ...options } = {}) => ({
    name,
    way: 'engine',
    options: { recipes: oneRecipe, policies: unlimited, isIdle: true, ...options },
    fill,
    effectsOfOne,
  });
  const fillEvents = { task: 'fillEvents' };
  return [
    {
      name: noop,
      way: 'noop',
      options: { places: usualPlaces },
      fill: { task: 'fillNoops' },
      isCounted: false,
    },
    { name: 'composing a message, nothing else', way: 'compose', options: {}, isCounted: false },
    engine(ours),
    engine('ours, log as the command writes it', { isLogged: true }),
    // Every effect has a channel of its own, and its turn there.
    engine('ours, a rateLimit for each', {
      fill: { ...fillEffects, channels: 1_000_000, policies: {} },
      channels: 1_000_000,
      policies: {},
    }),
    engine('ours, from events, 1 effect each', { fill: fillEvents }),
    engine('ours, from events, 3 effects each', { fill: fillEvents, recipes: threeRecipes, effectsOfOne: 3 }),
  ];
}

function present({ store }, results, plan, noise) {
  const { rounds, count, leastPerSecond } = plan;
  const figures = { rounds, count };
  const lines = [
    `working off ${count} effects whose destination does nothing, ${usualPlaces} at once, on ${store.name}, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${''.padEnd(36)} per s   µs by the clock          × no-op                  µs CPU                   × no-op                  µs of the store`,
  ];
  for (const name of results.keys()) {
    const of = (key, digits = 1) =>
      spread(
        results.get(name).map((one) => one[key]),
        digits,
      );
    const row = {
      perSecond: of('perSecond', 0),
      wallMicros: of('wallMicros'),
      wallTimesNoop: ratioOf(results, name, noop, 'wallMicros'),
      cpuMicros: of('cpuMicros'),
      cpuTimesNoop: ratioOf(results, name, noop, 'cpuMicros'),
      storeMicros: of('storeMicros'),
      waits: results.get(name).at(-1).waits,
    };
    figures[name] = row;
    const columns = [
      String(row.perSecond.median).padStart(5),
      formatSpread(row.wallMicros),
      formatSpread(row.wallTimesNoop, 2),
      formatSpread(row.cpuMicros),
      formatSpread(row.cpuTimesNoop, 2),
      formatSpread(row.storeMicros),
    ];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`.trimEnd());
    if (Object.keys(row.waits).length > 0)
      lines.push(`    put aside in the last round: ${JSON.stringify(row.waits)}`);
  }
  const { wallTimesNoop, cpuTimesNoop, perSecond } = figures[ours];
  const tell = (what, value, isMet, target) =>
    `  ours: ${what}`.padEnd(48) + String(value).padStart(6) + judge(isMet, target);
  lines.push(
    tell(
      'by the clock, in times the no-op',
      wallTimesNoop.median,
      wallTimesNoop.median <= mostTimesNoop,
      '≤ 2 ×',
    ),
    tell('CPU, in times the no-op', cpuTimesNoop.median, cpuTimesNoop.median <= mostTimesNoop, '≤ 2 ×'),
    tell('per second', perSecond.median, perSecond.median >= leastPerSecond, `≥ ${leastPerSecond}`),
    describeNoise(noise),
  );
  return { figures, lines };
}
