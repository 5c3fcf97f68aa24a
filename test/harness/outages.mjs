import { parseArgs } from 'node:util';

import { readSeed, readWhole, runCommand, storeKinds } from './command.mjs';

// `npm run outages`: runs outages against real receivers and real stores (`--help` says more). Progress goes to
// stderr, the table or the JSON to stdout. Exit code 1 when something was lost, doubled or late.

const help = `Runs outages against real receivers and real stores, and checks whether anything was lost or doubled.

  npm run outages -- [options]

  --store NAME     redis, postgres or embedded; may be given several times (default: all three)
  --rounds N       rounds on each store (default: 20)
  --seed N         repeats the faults of an earlier run, in the same order (default: any)
  --fault WORDS    only the faults whose name has these words
  --json           print the results as JSON on stdout
  --main FILE      the command's main file of another build
`;

await runCommand({ help, readOptions, importScenario: () => import('./outages/scenario.mjs') });

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
    seed: readSeed(values.seed),
  };
}
