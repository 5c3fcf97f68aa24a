// One harness with two plans, `npm run outages` and `npm run crashes`: it reads the words, plays a plan on each store, and
// prints what was seen. Progress goes to stderr, the table to stdout. Exit code 1 when a run shows a violation.
import { parseArgs } from 'node:util';

import { makeReady } from '../../scripts/make-ready.mjs';
import { withFolder } from './processes.mjs';
import { drawTable } from './report.mjs';

const STORES = ['redis', 'postgres', 'embedded'];

const commonOptions = {
  store: { type: 'string', multiple: true, default: STORES },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  help: { type: 'boolean', default: false },
};

const commonHelp = `  --store NAME     redis, postgres or embedded; may be given several times (default: all three)
  --seed N         repeats the faults of an earlier run, in the same order (default: any)
`;

/**
 * Runs a plan with the words of the command line; sets the exit code. A plan has `rows` (the figures of the table, by
 * name), `listRuns`, and `play`, which resolves with `figures`, `notes` and `violations` of one run.
 */
export async function runHarness({ name, about, help, options, importPlan }) {
  const helpText = `${about}\n\n  npm run ${name} -- [options]\n\n${help}${commonHelp}`;
  let values;
  try {
    values = readOptions(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${helpText}`);
    process.exitCode = 2;
    return;
  }
  if (values.help) {
    process.stdout.write(helpText);
    return;
  }
  makeReady();
  endWithParent();
  // Only now: in a fresh clone there is nothing to import before.
  const plan = await importPlan();
  const { openStore, whyNot } = await import('./stores.mjs');

  const given = process.argv.slice(2);
  const words = given.some((word) => word.startsWith('--seed')) ? given : [...given, '--seed', values.seed];
  const again = `npm run ${name} -- ${words.join(' ')}`;
  writeLine(`seed ${values.seed}; the same again: ${again}`);
  const violations = [];
  const leaveOut = (sentence) => {
    writeLine(sentence);
    if (process.env.AFTERMEET_REQUIRE_ALL === '1') violations.push(sentence);
  };
  const stores = values.store.filter((kind) => {
    const reason = whyNot(kind);
    if (reason !== undefined) leaveOut(`${kind} is left out: ${reason}`);
    return reason === undefined;
  });

  const running = [];
  for (const run of plan.listRuns({ ...values, stores }, leaveOut)) {
    // The next one begins when this one only waits.
    await new Promise((onQuiet) => {
      running.push(playRun(plan, run, { openStore, onQuiet }));
    });
  }
  const results = await Promise.all(running);
  for (const { title, ...result } of results)
    violations.push(...result.violations.map((violation) => `${title}: ${violation}`));
  if (results.length > 0) process.stdout.write(writeTable(plan.rows, results));
  if (violations.length === 0) return;
  writeLine(`\n${violations.length} violations:\n${violations.join('\n')}\nThe same again: ${again}`);
  process.exitCode = 1;
}

/** Throws an error for people when the words are wrong. */
function readOptions(options) {
  const { values } = parseArgs({ options: { ...commonOptions, ...options } });
  const unknown = values.store.filter((name) => !STORES.includes(name));
  if (unknown.length > 0) throw new Error(`no store ${unknown.join()}: there are ${STORES.join(', ')}`);
  for (const name of ['seed', 'rounds'].filter((one) => values[one] !== undefined)) {
    if (!/^\d{1,10}$/.test(values[name]))
      throw new Error(`--${name} is ${JSON.stringify(values[name])}: expected a whole number`);
    values[name] = Number(values[name]);
  }
  return values;
}

/** npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(143);
  }, 500).unref();
}

/** Plays one run in a folder of its own. `keep` takes what is to be ended after it, the last first. */
function playRun(plan, run, { openStore, onQuiet }) {
  return withFolder(async (folder) => {
    const ending = [];
    const keep = (end) => void ending.unshift(end);
    const log = (text) => writeLine(`${run.title}: ${text}`);
    let result;
    try {
      const store = await openStore(run.kind, folder);
      keep(() => store.close?.());
      result = await plan.play(run, { folder, store, keep, log, onQuiet });
    } catch (error) {
      result = { figures: {}, notes: [], violations: [`broke off: ${error.stack}`] };
    }
    onQuiet();
    for (const end of ending) {
      try {
        await end();
      } catch (error) {
        result.violations.push(`could not be ended: ${error.stack}`);
      }
    }
    return { title: run.title, ...result };
  });
}

function writeLine(text) {
  process.stderr.write(`${text}\n`);
}

/** A row for each figure, a column for each run; below it the notes. */
function writeTable(rows, results) {
  const write = (value) => (value === undefined ? '-' : String(Math.round(value)));
  const lines = [
    ...drawTable(
      ['', ...results.map(({ title }) => title)],
      Object.entries(rows).map(([key, text]) => [text, ...results.map(({ figures }) => write(figures[key]))]),
    ),
    ...results.flatMap(({ title, notes }) => notes.map((note) => `${title}: ${note}`)),
  ];
  return `${lines.join('\n')}\n`;
}
