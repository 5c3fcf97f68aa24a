// Whether the time of a refusal tells where a signature differs from the right one. In a process of its own, see
// `timing/sample.mjs`.
import { judge } from '../judge.mjs';
import { planCores, round, withBench } from './bench.mjs';
import { describeNoise } from './noise.mjs';
import { startProcess } from './processes.mjs';

const usual = { checked: 4_000_000, control: 1_000_000 };
const quick = { checked: 40_000, control: 40_000 };
/** Below it a difference is not told from chance: the bound of dudect (Reparaz, Balasch, Verbauwhede 2017). */
const mostT = 4.5;

export async function run({ isQuick }) {
  const counts = isQuick ? quick : usual;
  const { result, noise } = await withBench(async () => {
    const { server: cores } = planCores();
    const sampler = await startProcess('timing/sample.mjs', [], { cores });
    try {
      return {
        checked: await sampler.ask({ subject: 'verify-delivery', count: counts.checked }),
        control: await sampler.ask({ subject: 'early-exit', count: counts.control }),
      };
    } finally {
      await sampler.stop();
    }
  });
  return present(result, noise);
}

function present({ checked, control }, noise) {
  const lines = [
    `the time of a refusal by where the signature first differs, Node ${process.versions.node}`,
    noise.cores.server.length === 0
      ? '  (no taskset here: nothing is pinned to a core)'
      : `  (on core ${noise.cores.server})`,
    ...describeSubject('verifyDelivery', checked),
    ...describeSubject('a check that ends at the first differing byte, which must be seen', control),
    `  verifyDelivery: largest |t| ${checked.largestT.toFixed(2)}${judge(checked.largestT < mostT, `< ${mostT}`)}`,
    `  the other:      largest |t| ${control.largestT.toFixed(2)}${judge(control.largestT >= mostT, `≥ ${mostT}, or the method sees nothing`)}`,
    describeNoise(noise),
  ];
  return { figures: { noise, mostT, verifyDelivery: checked, earlyExit: control }, lines };
}

function describeSubject(title, { samples, classes, pairs, crops }) {
  const means = classes.map(({ name, meanNs }) => `${name} ${round(meanNs, 1)} ns`).join(', ');
  return [
    `  ${title}: ${samples} samples`,
    `    mean of the fastest 90 %: ${means}`,
    `    Welch's t, the slowest cut off (${crops.map((part) => `${part * 100} % kept`).join(', ')})`,
    ...pairs.map(
      ({ names, t }) =>
        `      ${names.join(' / ').padEnd(34)} ${t.map((one) => one.toFixed(2).padStart(8)).join(' ')}`,
    ),
  ];
}
