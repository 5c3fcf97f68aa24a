import { parseArgs } from 'node:util';

import { readSeed, readWhole, runCommand, storeKinds } from './command.mjs';

// `npm run crashes`: kills workers and stores under load, and looks whether each effect is there once (`--help` says
// more). Progress goes to stderr, the table or the JSON to stdout. Exit code 1 when something is missing or doubled.

const quick = { meetings: 150, kills: 15, restarts: 1, freezes: 2, 'freeze-seconds': 8 };

const usual = { meetings: 2000, kills: 200, restarts: 5, freezes: 4, 'freeze-seconds': 120 };

const help = `Sends meetings to Slack, Notion and mail while workers and the store are killed, and checks whether anything is
missing or there twice.

  npm run crashes -- [options]

  --meetings N     meetings, each with a message, a reply to it, a page and a mail (default: ${usual.meetings})
  --kills N        workers that get SIGKILL (default: ${usual.kills})
  --restarts N     times that the store is killed and started again (default: ${usual.restarts})
  --freezes N      workers that are stopped for a while in whatever they do (default: ${usual.freezes})
  --freeze-seconds N  for how long (default: ${usual['freeze-seconds']})
  --clocks off     all clocks are right (default: only that of the first worker is; others are 15 minutes or an hour
                   fast, or set by an hour to and fro)
  --store NAME     redis, postgres, embedded or all (default: all)
  --workers N      workers at the same time (default: 4)
  --seed N         repeats the kills and faults of an earlier run (default: any)
  --ledger off     with a ledger that keeps nothing: the run must fail, with duplicates
  --quick          ${quick.meetings} meetings, ${quick.kills} kills, ${quick.restarts} restart; then the same without a ledger, which must show duplicates
  --json           print the results as JSON on stdout
`;

await runCommand({ help, readOptions, importScenario: () => import('./crashes/scenario.mjs') });

/** Reads the words of the command line. Throws an error for people when they are wrong. */
function readOptions(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      meetings: { type: 'string' },
      kills: { type: 'string' },
      restarts: { type: 'string' },
      store: { type: 'string', default: 'all' },
      freezes: { type: 'string' },
      'freeze-seconds': { type: 'string' },
      clocks: { type: 'string', default: 'on' },
      workers: { type: 'string', default: '4' },
      seed: { type: 'string' },
      ledger: { type: 'string', default: 'on' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { store, ledger, clocks } = values;
  if (store !== 'all' && !storeKinds.includes(store))
    throw new Error(`no store ${store}: there are ${storeKinds.join(', ')} and all`);
  if (ledger !== 'on' && ledger !== 'off') throw new Error(`--ledger is ${ledger}: expected on or off`);
  if (clocks !== 'on' && clocks !== 'off') throw new Error(`--clocks is ${clocks}: expected on or off`);
  const sizes = values.quick ? quick : usual;
  const readCount = (name) => (values[name] === undefined ? sizes[name] : readWhole(name, values[name]));
  return {
    help: values.help,
    json: values.json,
    isQuick: values.quick,
    hasLedger: ledger === 'on',
    stores: store === 'all' ? storeKinds : [store],
    meetings: atLeastOne('meetings', readCount('meetings')),
    kills: readCount('kills'),
    restarts: readCount('restarts'),
    freezes: readCount('freezes'),
    freezeMs: readCount('freeze-seconds') * 1000,
    hasClocks: clocks === 'on',
    workers: atLeastOne('workers', readWhole('workers', values.workers)),
    seed: readSeed(values.seed),
  };
}

function atLeastOne(name, count) {
  if (count < 1) throw new Error(`--${name} is ${count}: expected 1 or more`);
  return count;
}
