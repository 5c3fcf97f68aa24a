import { parseArgs } from 'node:util';

import { makeReady } from '../../scripts/make-ready.mjs';

// `npm run outages`: runs outages against real receivers and real stores (`--help` says more). Progress goes to
// stderr, the table or the JSON to stdout. Exit code 1 when something was lost, doubled or late.

const storeKinds = ['redis', 'postgres', 'embedded'];

const help = `Runs outages against real receivers and real stores, and checks whether anything was lost or doubled.

  npm run outages -- [options]

  --store NAME     redis, postgres or embedded; may be given several times (default: all three)
  --rounds N       rounds on each store (default: 20)
  --seed N         repeats the faults of an earlier run, in the same order (default: any)
  --fault WORDS    only the faults whose name has these words
  --json           print the results as JSON on stdout
  --main FILE      the command's main file of another build
`;

process.exitCode = await run(process.argv.slice(2));

async function run(words) {
  let options;
  try {
    options = readOptions(words);
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  if (options.main === undefined) makeReady();
  // Only now: in a fresh clone there is nothing to import before.
  const { runAll } = await import('./outages/scenario.mjs');
  return await runAll(options);
}

/** Reads the words of the command line. Throws an error for people when they are wrong. */
function readOptions(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      store: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string' },
      fault: { type: 'string' },
      json: { type: 'boolean', default: false },
      main: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const stores = values.store ?? storeKinds;
  const unknown = stores.filter((name) => !storeKinds.includes(name));
  if (unknown.length > 0) throw new Error(`no store ${unknown.join()}: there are ${storeKinds.join(', ')}`);
  return {
    ...values,
    stores,
    rounds: readWhole('rounds', values.rounds),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readWhole('seed', values.seed),
  };
}

function readWhole(name, text) {
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`--${name} is ${JSON.stringify(text)}: expected a whole number`);
  return Number(text);
}
