import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { heldBodies } from './crowds/held-bodies.mjs';
import { outageUnderCrowd } from './crowds/outage-crowd.mjs';
import { slowSenders } from './crowds/slow-senders.mjs';
import { everythingKilled } from './faults/everything-killed.mjs';
import { listFaults, planRounds } from './faults/list-faults.mjs';
import { createLedger } from './load/ledger.mjs';
import { playRound } from './play-round.mjs';
import { makeFolder, removeFolder } from './processes/folders.mjs';
import { readMemory } from './processes/processes.mjs';
import { createReceiver } from './processes/receiver.mjs';
import { createRandom } from './random.mjs';
import { describeRound, sumUp } from './report.mjs';
import { openStore } from './stores/open-store.mjs';

/** After two rounds everything is loaded and compiled; what comes later may only be the collector's laziness. */
const MAY_GROW_MB = 80;
const UNEXPECTED = /"cause":"fault|could not be answered|uncaught/i;

/** Plays all rounds on one store, and says what was seen. `say` gets a line after each round. */
export async function playStore(kind, options, say) {
  const folder = makeFolder();
  try {
    return await playIn(folder, kind, options, say);
  } finally {
    removeFolder(folder);
  }
}

async function playIn(folder, kind, { rounds, seed, main, fault: only, withSlowSenders }, say) {
  const random = createRandom(seed);
  const store = await openStore(kind, folder);
  const ledger = createLedger(kind, createRandom(seed + 1));
  const receiverOptions = { main, queueUrl: store.queueUrl, folder };
  // The second starts the embedded store: it is the one that gets killed.
  const second = await createReceiver({ ...receiverOptions, name: 'second' });
  const first = await createReceiver({ ...receiverOptions, name: 'first' });
  const receivers = [first, second];
  const violations = [];
  const played = [];
  const sync = await store.readSync();
  for (const [name, wanted] of Object.entries(store.expectedSync)) {
    if (sync[name] !== wanted) violations.push(`${kind}: ${name} is ${sync[name]}, not ${wanted}`);
  }

  const world = { store, ledger, receivers, receiverOptions };

  /** Plays one fault and notes what it did. */
  async function play(fault, label, where = world) {
    const startedMs = performance.now();
    const round = await playRound(fault, { ...where, seed: random.between(0, 2 ** 31) });
    played.push(round);
    for (const violation of round.violations)
      violations.push(`${kind}, ${label}, ${fault.name}: ${violation}`);
    say(describeRound(`${kind} ${label}`, round, performance.now() - startedMs));
  }

  const faults = listFaults(store, main).filter(({ name }) => only === undefined || name.includes(only));
  const memory = {};
  for (const [index, fault] of planRounds(faults, rounds, random).entries()) {
    await play(fault, `${index + 1}/${rounds}`);
    if (index < 2) memory.afterTwo = readMemory(first.pid).nowMb;
  }
  memory.afterAll = readMemory(first.pid).nowMb;
  if (memory.afterAll - memory.afterTwo > MAY_GROW_MB) {
    violations.push(`${kind}: the receiver's memory grew from ${memory.afterTwo} to ${memory.afterAll} MB`);
  }

  if (only === undefined) {
    await play(outageUnderCrowd(store), 'crowd');
    if (withSlowSenders) await playSlowSenders();
    await play(everythingKilled(store), 'end');
  }

  async function playSlowSenders() {
    const names = ['slow', 'held'];
    const [slow, held] = await Promise.all(names.map((name) => createReceiver({ ...receiverOptions, name })));
    // One after the other: the second fills the machine's memory with bodies, the first must see none of it.
    await play(slowSenders, 'crowd', { ...world, receivers: [slow] });
    await play(heldBodies, 'crowd', { ...world, receivers: [held] });
    receivers.push(slow, held);
  }

  violations.push(...findFaultsInLogs(kind, folder));
  for (const receiver of receivers) await receiver.end('SIGTERM');
  await store.close();
  return { kind, sync, memory, violations, ...sumUp(played, ledger) };
}

/** An exception that nobody expected is answered 503 as well: only the log tells. */
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
