// Runs the benchmarks that are named, or all: `start`, `markdown`, `files`, `reader`, `upload`, `sender`, `render`, `trigger`, `console`, and those of the
// receiver, which `receiver` names together, and those of the recipe engine, which `effects` names. Each has a file with its name, whose
// `run` resolves with figures (for --json, an object by name) and the lines for a person. `--quick` shows that they still
// run: one round of small sizes, whose figures mean nothing. `--profile` keeps CPU profiles of the engine's worker, and
// says where its time went; its figures are those of a worker that is being watched.
import { exitOnSignals } from './at-exit.mjs';
import { run as runConsole } from './console.mjs';
import { run as runLatency } from './effects/latency.mjs';
import { run as runNeighbours } from './effects/neighbours.mjs';
import { run as runOverhead } from './effects/overhead.mjs';
import { run as runSlack } from './effects/slack.mjs';
import { run as runFiles } from './files.mjs';
import { run as runMarkdown } from './markdown.mjs';
import { run as runReader } from './reader.mjs';
import { run as runAccept } from './receiver/accept.mjs';
import { run as runBurst } from './receiver/burst.mjs';
import { run as runFloods } from './receiver/floods.mjs';
import { run as runMillion } from './receiver/million.mjs';
import { run as runTail } from './receiver/tail.mjs';
import { run as runTiming } from './receiver/timing.mjs';
import { run as runVerify } from './receiver/verify.mjs';
import { run as runRender } from './render.mjs';
import { run as runSender } from './sender.mjs';
import { run as runStart } from './start.mjs';
import { run as runTrigger } from './trigger/trigger.mjs';
import { run as runUpload } from './upload.mjs';

const benchmarks = new Map([
  ['start', runStart],
  ['markdown', runMarkdown],
  ['files', runFiles],
  ['reader', runReader],
  ['upload', runUpload],
  ['sender', runSender],
  ['render', runRender],
  ['trigger', runTrigger],
  ['verify', runVerify],
  ['accept', runAccept],
  ['tail', runTail],
  ['million', runMillion],
  ['burst', runBurst],
  ['timing', runTiming],
  ['floods', runFloods],
  ['latency', runLatency],
  ['overhead', runOverhead],
  ['slack', runSlack],
  ['neighbours', runNeighbours],
  ['console', runConsole],
]);
const groups = new Map([
  ['receiver', ['verify', 'accept', 'tail', 'million', 'burst', 'timing', 'floods']],
  ['effects', ['latency', 'overhead', 'slack', 'neighbours']],
]);

const flags = new Set(['--json', '--quick', '--profile']);
const words = process.argv
  .slice(2)
  .filter((word) => !flags.has(word))
  .flatMap((word) => groups.get(word) ?? [word]);
const asJson = process.argv.includes('--json');
const isQuick = process.argv.includes('--quick');
const isProfiled = process.argv.includes('--profile');
const unknown = words.filter((word) => !benchmarks.has(word));
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark ${unknown.join(', ')}: there are ${[...benchmarks.keys(), ...groups.keys()].join(', ')}.\n`,
  );
  process.exit(2);
}

if (isQuick)
  process.stderr.write('quick: the benchmarks run, but on small sizes; their figures mean nothing\n');
exitOnSignals();
const figures = {};
for (const name of words.length > 0 ? words : benchmarks.keys()) {
  const result = await benchmarks.get(name)({ isQuick, isProfiled });
  figures[name] = result.figures;
  if (!asJson) process.stdout.write(`${result.lines.join('\n')}\n`);
}
if (asJson) process.stdout.write(`${JSON.stringify(figures)}\n`);
