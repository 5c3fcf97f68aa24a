import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { root } from '../../../scripts/make-ready.mjs';
import { finish, writeLine } from '../command.mjs';
import { makeFolder, readMemory, removeFolder } from '../processes.mjs';
import { createRandom } from '../random.mjs';
import { openStore, whyNot } from '../stores.mjs';
import { createAssertions, reconcile } from './assertions.mjs';
import { heldBodies, outageUnderCrowd, slowSenders } from './crowds.mjs';
import { everythingKilled, listFaults, planRounds } from './faults.mjs';
import { createLedger, startLoad } from './load.mjs';
import { createReceiver } from './receiver-process.mjs';
import { describeRound, sumUp, writeTable } from './report.mjs';

/** Plays the stores that were asked for, prints what was seen, and resolves with the exit code. */
export async function runAll(options) {
  const { seed, rounds, json, main = `${root}/packages/cli/dist/command/main.js` } = options;
  const again = `npm run outages -- --seed ${seed} --rounds ${rounds}`;
  writeLine(`seed ${seed}; the same faults in the same order: ${again}`);
  const results = [];
  const violations = [];
  for (const kind of options.stores) {
    const reason = whyNot(kind);
    if (reason !== undefined) {
      writeLine(`${kind} is not finished: ${reason}`);
      if (process.env.AFTERMEET_REQUIRE_ALL === '1') violations.push(`${kind} can't be finished: ${reason}`);
      continue;
    }
    // Slow senders have nothing to do with the store: once is enough.
    try {
      const result = await runStore(
        kind,
        { ...options, main, withSlowSenders: results.length === 0 },
        writeLine,
      );
      results.push(result);
      violations.push(...result.violations);
    } catch (error) {
      violations.push(`${kind} could not be finished to its end: ${error.stack}`);
    }
  }
  return finish({ seed, results, violations }, { json, again, writeTable });
}

/** After two rounds everything is loaded and compiled; what comes later may only be the collector's laziness. */
const MAY_GROW_MB = 80;

const UNEXPECTED = /"cause":"fault|could not be answered|uncaught/i;

/** Runs all rounds on one store and returns the results. `log` gets a line after each round. */
async function runStore(kind, options, log) {
  const folder = makeFolder();
  try {
    return await runIn(folder, kind, options, log);
  } finally {
    removeFolder(folder);
  }
}

async function runIn(folder, kind, { rounds, seed, main, fault: only, withSlowSenders }, log) {
  const random = createRandom(seed);
  const store = await openStore(kind, folder);
  const ledger = createLedger(kind, createRandom(seed + 1));
  const receiverOptions = { main, queueUrl: store.queueUrl, folder };
  // The second starts the embedded store: it is the one that gets killed.
  const second = await createReceiver({ ...receiverOptions, name: 'second' });
  const first = await createReceiver({ ...receiverOptions, name: 'first' });
  const receivers = [first, second];
  const violations = [];
  const finished = [];
  const sync = await store.readSync();
  for (const [name, wanted] of Object.entries(store.expectedSync)) {
    if (sync[name] !== wanted) violations.push(`${kind}: ${name} is ${sync[name]}, not ${wanted}`);
  }

  const state = { store, ledger, receivers };

  /** Plays one fault and notes what it did. */
  async function run(fault, label, where = state) {
    const startedMs = performance.now();
    const round = await runRound(fault, { ...where, seed: random.between(0, 2 ** 31) });
    finished.push(round);
    for (const violation of round.violations)
      violations.push(`${kind}, ${label}, ${fault.name}: ${violation}`);
    log(describeRound(`${kind} ${label}`, round, performance.now() - startedMs));
  }

  const faults = listFaults(store).filter(({ name }) => only === undefined || name.includes(only));
  const memory = {};
  for (const [index, fault] of planRounds(faults, rounds, random).entries()) {
    await run(fault, `${index + 1}/${rounds}`);
    if (index < 2) memory.afterTwo = readMemory(first.pid).nowMb;
  }
  memory.afterAll = readMemory(first.pid).nowMb;
  if (memory.afterAll - memory.afterTwo > MAY_GROW_MB) {
    violations.push(`${kind}: the receiver's memory grew from ${memory.afterTwo} to ${memory.afterAll} MB`);
  }

  if (only === undefined) {
    await run(outageUnderCrowd(store), 'crowd');
    if (withSlowSenders) await runSlowSenders();
    await run(everythingKilled(store), 'end');
  }

  async function runSlowSenders() {
    const names = ['slow', 'held'];
    const [slow, held] = await Promise.all(names.map((name) => createReceiver({ ...receiverOptions, name })));
    // One after the other: the second fills the machine's memory with bodies, the first must see none of it.
    await run(slowSenders, 'crowd', { ...state, receivers: [slow] });
    await run(heldBodies, 'crowd', { ...state, receivers: [held] });
    receivers.push(slow, held);
  }

  violations.push(...findFaultsInLogs(kind, folder));
  for (const receiver of receivers) await receiver.end('SIGTERM');
  await store.close();
  return { kind, sync, memory, violations, ...sumUp(finished, ledger) };
}

/** An unexpected exception is answered 503 as well: only the log shows it. */
function findFaultsInLogs(kind, folder) {
  const found = [];
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, 'log');
    if (!existsSync(file)) continue;
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => UNEXPECTED.test(line));
    if (lines.length > 0)
      found.push(`${kind}: ${name} logged ${lines.length} unexpected errors: ${lines[0]}`);
  }
  return found;
}

const LANES = 64;

const THINK_MS = 40;

const RECOVER_WITHIN_MS = 10_000;

/** Plays one fault under load, lets everything settle, and compares the queue with what was sent. */
async function runRound(fault, { store, ledger, seed, receivers }) {
  // What the fault draws must not depend on how much the senders draw.
  const random = createRandom(seed);
  const assertions = createAssertions(receivers);
  const { answers } = assertions;
  let recoveredMs = 0;

  /** Waits until each of these receivers has accepted something that was sent after the moment. */
  async function untilRecovered(who, sinceMs) {
    for (const { name } of who) {
      let first;
      while (first === undefined && performance.now() - sinceMs < RECOVER_WITHIN_MS) {
        await pause(10);
        first = answers.find(
          ({ receiver, said, startedMs }) => receiver === name && said === 'accepted' && startedMs >= sinceMs,
        );
      }
      assertions.expect(
        first !== undefined,
        `${name} accepted nothing within ${RECOVER_WITHIN_MS} ms after the fault`,
      );
      if (first !== undefined) recoveredMs = Math.max(recoveredMs, first.endedMs - sinceMs);
    }
  }

  const { failsOver, lanes = LANES, thinkMs = THINK_MS } = fault;
  if (fault.isCalm === true) assertions.calm();
  const load = startLoad({
    ledger,
    random: createRandom(seed + 1),
    answers,
    receivers,
    lanes,
    thinkMs,
    failsOver,
  });
  await pause(random.between(250, 500));
  await fault.run({ random, receivers, assertions, untilRecovered });
  await pause(random.between(100, 200));
  await load.stop();

  const queue = await reconcile(store, ledger);
  const { violations, figures } = assertions.finish();
  return {
    fault: fault.name,
    recoveredMs,
    queue,
    figures,
    violations: [...violations, ...describeQueue(queue)],
  };
}

function describeQueue({ lost, doubled, unexpected, acceptedTwice, unanswered }) {
  return [
    ['acknowledged but not in the queue', lost],
    ['in the queue more than once', doubled],
    ['in the queue but never sent', unexpected],
    ['answered `accepted` more than once', acceptedTwice],
    ['never answered 200, however often it was sent again', unanswered],
  ]
    .filter(([, list]) => list.length > 0)
    .map(([what, list]) => `${what}: ${list.length} deliveries, ${list.slice(0, 3).join(', ')}`);
}
