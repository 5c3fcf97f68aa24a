// What both harnesses have as commands: how words are read, how a run begins and ends, the table at the end.
import { makeReady } from '../../scripts/make-ready.mjs';

export const storeKinds = ['redis', 'postgres', 'embedded'];

/** Runs a harness with the words of its command line; sets the exit code. */
export async function runCommand({ help, readOptions, importScenario }) {
  let options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  if (options.main === undefined) makeReady();
  // Only now: in a fresh clone there is nothing to import before.
  const { runAll } = await importScenario();
  endWithParent();
  process.exitCode = await runAll(options);
}

/** npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(143);
  }, 500).unref();
}

export function readWhole(name, text) {
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`--${name} is ${JSON.stringify(text)}: expected a whole number`);
  return Number(text);
}

/** The seed that is named, or any. */
export function readSeed(text) {
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : readWhole('seed', text);
}

/** Prints the results as JSON or in a table, and what went wrong; resolves with the exit code. */
export function finish({ seed, results, violations }, { json, again, writeTable }) {
  if (json) process.stdout.write(`${JSON.stringify({ seed, results, violations })}\n`);
  else if (results.length > 0) process.stdout.write(writeTable(results));
  if (violations.length === 0) return 0;
  writeLine(`\n${violations.length} violations:\n${violations.join('\n')}\nThe same again: ${again}`);
  return 1;
}

export function writeLine(text) {
  process.stderr.write(`${text}\n`);
}

/** Lines of figures: a row for each name, a column for each run. */
export function drawTable(titles, rows, results) {
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = (name, cells) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell ?? '-').padStart(12)).join('')}`;
  return [line('', titles), ...rows.map(([name, read]) => line(name, results.map(read)))];
}
