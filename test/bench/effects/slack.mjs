// How many messages a second go through Slack's own SDK to a stand-in that answers at once, beside a bare loop over the
// SDK with as many under way.
import { judge } from '../judge.mjs';
import { interleave } from '../receiver/bench.mjs';
import { describeNoise } from '../receiver/noise.mjs';
import { formatSpread, ratioOf, spread } from '../receiver/spread.mjs';
import { describeCores, measureDrain, onEachStore, unlimited, usualPlaces } from './bench.mjs';
import { oneRecipe } from './samples.mjs';

const quick = { rounds: 1, warm: 0, count: 150, channels: 75 };
const usual = { rounds: 3, warm: 2000, count: 8000, channels: 2000 };
const leastPerSecond = 1000;

const bare = "a bare loop over Slack's SDK";
const paced = 'ours, 1 a second for each channel';

export function run(options) {
  return onEachStore('messages to Slack', options, async (bench) => {
    const plan = bench.isQuick ? quick : usual;
    const results = await interleave(plan.rounds, listContenders(plan, bench.outside.greeting), (contender) =>
      measureDrain(bench, contender, plan),
    );
    return { present: (noise) => present(bench, results, plan, noise) };
  });
}

function listContenders({ channels }, { slackUrl }) {
  const engine = (name, policies) => ({
    name,
    way: 'engine',
    options: { recipes: oneRecipe, policies, slackUrl, channels },
    fill: { task: 'fillEffects', recipe: 'recap', channels, policies },
  });
  return [
    { name: bare, way: 'sdk', options: { places: usualPlaces, channels, slackUrl }, isCounted: false },
    engine('ours, no limits', unlimited),
    engine(paced, {}),
  ];
}

function present({ store }, results, { rounds, count, channels }, noise) {
  const figures = { rounds, count, channels };
  const lines = [
    `${count} messages through Slack's SDK to a stand-in, ${channels} channels, ${usualPlaces} at once, queue on ${store.name}, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
    describeCores(noise.cores),
    `  ${''.padEnd(36)} per s                    µs CPU                   × bare                   µs of the store`,
  ];
  for (const name of results.keys()) {
    const of = (key, digits = 1) =>
      spread(
        results.get(name).map((one) => one[key]),
        digits,
      );
    const row = {
      perSecond: of('perSecond', 0),
      cpuMicros: of('cpuMicros'),
      cpuTimesBare: ratioOf(results, name, bare, 'cpuMicros'),
      storeMicros: of('storeMicros'),
      waits: results.get(name).at(-1).waits,
    };
    figures[name] = row;
    const columns = [
      formatSpread(row.perSecond, 0),
      formatSpread(row.cpuMicros),
      formatSpread(row.cpuTimesBare, 2),
      formatSpread(row.storeMicros),
    ];
    lines.push(`  ${name.padEnd(36)} ${columns.join(' ')}`.trimEnd());
    if (Object.keys(row.waits).length > 0)
      lines.push(`    put aside in the last round: ${JSON.stringify(row.waits)}`);
  }
  const { median } = figures[paced].perSecond;
  lines.push(
    `  ${paced}: per second`.padEnd(48) +
      String(median).padStart(6) +
      judge(median >= leastPerSecond, `≥ ${leastPerSecond}`),
    describeNoise(noise),
  );
  return { figures, lines };
}
