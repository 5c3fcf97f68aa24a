import { parseArgs } from 'node:util';

export const storeKinds = ['redis', 'postgres', 'embedded'];

export const help = `Plays outages against real receivers and real stores, and looks whether anything was lost or doubled.

  npm run outages -- [options]

  --store NAME     redis, postgres or embedded; may be given several times (default: all three)
  --rounds N       rounds on each store (default: 20)
  --seed N         plays the faults of an earlier run again, in the same order (default: any)
  --fault WORDS    only the faults whose name has these words
  --json           print the results as JSON on stdout
  --main FILE      the command's main file of another build
`;

/** Reads the words of the command line. Throws an error for people when they are wrong. */
export function readOptions(words) {
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
