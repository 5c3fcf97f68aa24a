import { setTimeout as pause } from 'node:timers/promises';

import { readLogs, readMemory } from '../processes.mjs';
import { createRandom } from '../random.mjs';
import { createFindings } from '../report.mjs';
import { heldBodies, outageUnderCrowd, slowSenders } from './crowds.mjs';
import { everythingKilled, listFaults, planRounds } from './faults.mjs';
import { createLedger, startLoad } from './load.mjs';
import { reconcile } from './queue.mjs';
import { createReceiver } from './receiver.mjs';
import { watchRound } from './round.mjs';

/** After two rounds everything is loaded and compiled; what comes later may only be the collector's laziness. */
const MAY_GROW_MB = 80;

/** An unexpected exception is answered 503 as well: only the log shows it. */
const UNEXPECTED = /"cause":"fault|could not be answered|uncaught/i;

const LANES = 64;

const THINK_MS = 40;

export const rows = {
  finished: 'rounds, crowds included',
  sent: 'deliveries sent',
  acknowledged: 'acknowledged',
  lost: 'lost',
  doubled: 'doubled',
  unexpected: 'never sent, but there',
  unavailable: 'answered 503',
  slowestUnavailableMs: 'slowest 503, ms',
  slowestOkMs: 'slowest 200, ms',
  delayMs: 'waited for a processor at most, ms',
  slowestReadyzMs: 'slowest /readyz in an outage, ms',
  slowestStopMs: 'slowest end after SIGTERM, ms',
  notTaken: 'not taken by a closing socket',
  recoveredMs: 'slowest recovery, ms',
  afterTwoMb: 'receiver MB after two rounds',
  afterAllMb: 'receiver MB after all',
};

const sums = ['lost', 'doubled', 'unexpected', 'unavailable', 'notTaken'];

/** Slow senders have nothing to do with the store: once is enough. */
export const listRuns = ({ stores, rounds, seed }) =>
  stores.map((kind, index) => ({ title: kind, kind, rounds, seed, withSlowSenders: index === 0 }));

/** Plays each fault under load, then the crowds, then the end of everything. */
export async function play({ kind, rounds, seed, withSlowSenders }, { folder, store, keep, log }) {
  const random = createRandom(seed);
  const ledger = createLedger(kind, createRandom(seed + 1));
  const findings = createFindings();
  const finished = [];

  async function start(name) {
    const receiver = await createReceiver({ name, folder, queueUrl: store.queueUrl });
    keep(() => receiver.end('SIGKILL'));
    await receiver.start();
    return receiver;
  }
  // The second starts the embedded store: it is the one that gets killed.
  const second = await start('second');
  const first = await start('first');
  const sync = await store.readSync();
  for (const [name, wanted] of Object.entries(store.expectedSync))
    findings.expect(sync[name] === wanted, `${name} is ${sync[name]}, not ${wanted}`);

  async function run(fault, label, receivers = [first, second]) {
    const startedMs = performance.now();
    const round = await playRound(fault, { store, ledger, receivers, seed: random.between(0, 2 ** 31) });
    finished.push(round);
    for (const violation of round.violations) findings.add(`${label}, ${fault.name}: ${violation}`);
    log(`${label} ${describeRound(round)} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
    for (const violation of round.violations) log(`  ! ${violation}`);
  }

  let afterTwoMb = 0;
  for (const [index, fault] of planRounds(listFaults(store), rounds, random).entries()) {
    await run(fault, `${index + 1}/${rounds}`);
    if (index < 2) afterTwoMb = readMemory(first.pid).nowMb;
  }
  const afterAllMb = readMemory(first.pid).nowMb;
  findings.expect(
    afterAllMb - afterTwoMb <= MAY_GROW_MB,
    `the receiver's memory grew from ${afterTwoMb} to ${afterAllMb} MB`,
  );
  await run(outageUnderCrowd(store), 'crowd');
  if (withSlowSenders) {
    const [slow, held] = await Promise.all(['slow', 'held'].map(start));
    // One after the other: the second fills the machine's memory with bodies, the first must see none of it.
    await run(slowSenders, 'crowd', [slow]);
    await run(heldBodies, 'crowd', [held]);
  }
  await run(everythingKilled(store), 'end');

  for (const { name, text } of readLogs(folder)) {
    for (const line of text.split('\n'))
      if (UNEXPECTED.test(line)) findings.add(`${name} logged unexpected errors`, line);
  }
  return {
    violations: findings.list(),
    notes: [
      `syncs with ${Object.entries(sync).flat().join(' ')}`,
      ...finished
        .filter(({ figures }) => figures.recoveredMs > 0)
        .map(({ fault, figures }) => `${fault}: back after ${Math.round(figures.recoveredMs)} ms`),
    ],
    figures: {
      ...sumUp(finished.map(({ figures }) => figures)),
      finished: finished.length,
      sent: ledger.byId.size,
      acknowledged: ledger.acknowledged.length,
      afterTwoMb,
      afterAllMb,
    },
  };
}

/** Plays one fault under load, lets everything settle, and compares the queue with what was sent. */
async function playRound(fault, { store, ledger, seed, receivers }) {
  // What the fault draws must not depend on how much the senders draw.
  const random = createRandom(seed);
  const round = watchRound({ receivers, random, isCalm: fault.isCalm });
  const { lanes = LANES, thinkMs = THINK_MS, failsOver } = fault;
  const load = startLoad({
    ledger,
    random: createRandom(seed + 1),
    answers: round.answers,
    receivers,
    lanes,
    thinkMs,
    failsOver,
  });
  let queue;
  let finished;
  try {
    try {
      await pause(random.between(250, 500));
      await fault.run(round);
      await pause(random.between(100, 200));
    } finally {
      await load.stop();
    }
    queue = await reconcile(store, ledger);
  } finally {
    finished = round.finish();
  }
  const { figures, notes, violations } = finished;
  return {
    fault: fault.name,
    notes,
    figures: { ...figures, ...queue.figures },
    violations: [...violations, ...queue.violations],
  };
}

/** One line for a person. */
function describeRound({ fault, figures, notes }) {
  const { answers, unavailable, recoveredMs } = figures;
  const recovered = recoveredMs > 0 ? [`back after ${Math.round(recoveredMs)} ms`] : [];
  return `${fault}: ${[`${answers} answers, ${unavailable} × 503`, ...recovered, ...notes].join('; ')}`;
}

/** The figures of all rounds in one: sums, and of times the most. */
function sumUp(rounds) {
  const total = {};
  for (const figures of rounds) {
    for (const [name, value] of Object.entries(figures)) {
      const before = total[name] ?? 0;
      total[name] = sums.includes(name) ? before + value : Math.max(before, value);
    }
  }
  return total;
}
