// One harness with two plans, `npm run outages` and `npm run crashes`: it reads the words, plays a plan on each store, and
// prints what was seen. Progress goes to stderr, the table to stdout. Exit code 1 when a run shows a violation.
import { parseArgs } from 'node:util';

import { makeReady } from '../../scripts/make-ready.mjs';
import { makeFolder, removeFolder } from './processes.mjs';

const STORES = ['redis', 'postgres', 'embedded'];

const commonOptions = {
  store: { type: 'string', multiple: true, default: STORES },
  seed: { type: 'string' },
  help: { type: 'boolean', default: false },
};

const commonHelp = `  --store NAME     redis, postgres or embedded; may be given several times (default: all three)
  --seed N         repeats the faults of an earlier run, in the same order (default: any)
`;

/**
 * Runs a plan with the words of the command line; sets the exit code. `counts` names its options that are whole numbers.
 * A plan has `rows` (the figures of the table, by name), `listRuns`, and `play`, which resolves with `figures`, `notes` and
 * `violations` of one run.
 */
export async function runHarness({ name, about, help, counts, options = {}, importPlan }) {
  const helpText = `${about}\n\n  npm run ${name} -- [options]\n\n${help}${commonHelp}`;
  let values;
  try {
    values = readOptions(options, counts);
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

/** `counts` has those whole numbers that were given. Throws an error for people when the words are wrong. */
function readOptions(options, names) {
  const numbers = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ options: { ...commonOptions, ...options, ...numbers } });
  const unknown = values.store.filter((name) => !STORES.includes(name));
  if (unknown.length > 0) throw new Error(`no store ${unknown.join()}: there are ${STORES.join(', ')}`);
  if (values.ledger !== undefined && values.ledger !== 'on' && values.ledger !== 'off')
    throw new Error(`--ledger is ${values.ledger}: expected on or off`);
  const given = names.filter((name) => values[name] !== undefined);
  return {
    ...values,
    counts: Object.fromEntries(given.map((name) => [name, readWhole(name, values[name])])),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readWhole('seed', values.seed),
  };
}

function readWhole(name, text) {
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`--${name} is ${JSON.stringify(text)}: expected a whole number`);
  return Number(text);
}

/** npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(143);
  }, 500).unref();
}

/** Plays one run in a folder of its own. `keep` takes what is to be ended after it, the last first. */
async function playRun(plan, run, { openStore, onQuiet }) {
  const folder = makeFolder();
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
  const failed = [];
  for (const end of ending) {
    await Promise.resolve()
      .then(end)
      .catch((error) => failed.push(`could not be ended: ${error.stack}`));
  }
  removeFolder(folder);
  return { title: run.title, ...result, violations: [...result.violations, ...failed] };
}

const SHOWN = 5;

/** Collects what was found, in sentences. The same sentence about several things is one, which names some of them. */
export function createFindings() {
  const found = new Map();
  const add = (sentence, what) => {
    const all = found.get(sentence) ?? [];
    if (what !== undefined) all.push(what);
    found.set(sentence, all);
  };
  return {
    add,
    expect: (isSo, sentence) => {
      if (!isSo) add(sentence);
    },
    list: () =>
      [...found].map(([sentence, all]) => {
        if (all.length === 0) return sentence;
        const more = all.length > SHOWN ? [`and ${all.length - SHOWN} more`] : [];
        return [`${sentence}: ${all.length}`, ...all.slice(0, SHOWN), ...more].join('\n    ');
      }),
  };
}

function writeLine(text) {
  process.stderr.write(`${text}\n`);
}

/** A row for each figure, a column for each run; below it the notes. */
function writeTable(rows, results) {
  const width = Math.max(...Object.values(rows).map((text) => text.length));
  const columnWidth = 2 + Math.max(10, ...results.map(({ title }) => title.length));
  const writeRow = (text, cells) =>
    `${text.padEnd(width)}${cells.map((cell) => String(cell ?? '-').padStart(columnWidth)).join('')}`;
  const round = (value) => (value === undefined ? undefined : Math.round(value));
  const lines = [
    writeRow(
      '',
      results.map(({ title }) => title),
    ),
    ...Object.entries(rows).map(([figure, text]) =>
      writeRow(
        text,
        results.map(({ figures }) => round(figures[figure])),
      ),
    ),
    ...results.flatMap(({ title, notes }) => notes.map((note) => `${title}: ${note}`)),
  ];
  return `${lines.join('\n')}\n`;
}
