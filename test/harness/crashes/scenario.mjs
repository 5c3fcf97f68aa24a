import { setMaxListeners } from 'node:events';
import { copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createInbox, createJobQueue, openBackend, silentLog } from '@aftermeet/queue';

import { finish, writeLine } from '../command.mjs';
import { makeFolder, removeFolder } from '../processes.mjs';
import { openStore, whyNot } from '../stores.mjs';
import { checkEffects, checkRun, readRows } from './assertions.mjs';
import { listEffects, makePlan, nameEndpoint } from './plan.mjs';
import { findTimeLibrary, keepWorkers, startOutside } from './processes.mjs';
import { nameRun, writeCommand, writeTable } from './report.mjs';

/** Runs what was asked for, prints the results, and resolves with the exit code. */
export async function runAll(options) {
  const again = writeCommand(options);
  writeLine(`seed ${options.seed}; the same kills and faults: ${again}`);
  const violations = [];
  const timeLibrary = options.hasClocks ? findTimeLibrary() : undefined;
  if (options.hasClocks && timeLibrary === undefined) {
    const reason = 'all clocks are right: install libfaketime (Debian: faketime), or say --clocks off';
    writeLine(reason);
    if (process.env.AFTERMEET_REQUIRE_ALL === '1') violations.push(reason);
  }
  const results = [];
  const running = [];
  for (const [index, run] of listRuns(options).entries()) {
    const reason = whyNot(run.kind);
    if (reason !== undefined) {
      writeLine(`${run.kind} is left out: ${reason}`);
      if (process.env.AFTERMEET_REQUIRE_ALL === '1') violations.push(`${run.kind} can't run: ${reason}`);
      continue;
    }
    // The next one begins when this one only waits.
    await new Promise((onQuiet) => {
      running.push(runOne(run, index, onQuiet));
    });
  }
  await Promise.all(running);

  async function runOne(run, index, onQuiet) {
    const name = nameRun(run);
    try {
      const log = (line) => writeLine(`${name}: ${line}`);
      const settings = {
        ...options,
        timeLibrary,
        hasClocks: timeLibrary !== undefined,
        hasLedger: run.hasLedger,
      };
      const result = await runStore(run.kind, settings, { log, onQuiet });
      results[index] = result;
      if (run.mustDouble) {
        if (result.figures.doubled === 0) violations.push(`${name}: no duplicates, so this test can't fail`);
      } else violations.push(...result.violations.map((violation) => `${name}: ${violation}`));
    } catch (error) {
      violations.push(`${name} broke off: ${error.stack}`);
    }
  }

  const finished = results.filter((result) => result !== undefined);
  const { seed, json } = options;
  return finish({ seed, results: finished, violations }, { json, again, writeTable });
}

/** Each store; the quick form also shows that the test can fail. */
function listRuns({ stores, hasLedger, isQuick }) {
  const runs = stores.map((kind) => ({ kind, hasLedger }));
  const [kind] = stores;
  return hasLedger && isQuick ? [...runs, { kind, hasLedger: false, mustDouble: true }] : runs;
}

/** Ten times what it takes when nothing is wrong. */
const SETTLE_WITHIN_MS = 300_000;

const STOP_WITHIN_MS = 30_000;

const TELL_EVERY_MS = 10_000;

/**
 * Runs the whole plan on one store. `log` gets a line now and then; `onQuiet` is called when nothing more is killed
 * and only waits are left.
 */
async function runStore(kind, options, { log, onQuiet }) {
  const folder = makeFolder();
  const ending = [];
  try {
    return await runIn(
      folder,
      kind,
      { ...options, startedAtMs: Date.now() },
      { log, onQuiet, keep: (end) => ending.unshift(end) },
    );
  } finally {
    onQuiet();
    for (const end of ending) await end();
    removeFolder(folder);
  }
}

async function runIn(folder, kind, options, { log, onQuiet, keep }) {
  const startedMs = performance.now();
  const plan = makePlan(options);
  const store = await openStore(kind, folder);
  keep(() => store.close());
  const outside = await startOutside(folder, options);
  keep(() => outside.close());
  const backend = await openBackend(store.queueUrl, { log: silentLog });
  keep(() => backend.close());
  const inbox = await createInbox(backend, { log: silentLog });
  keep(() => inbox.close());
  const queue = await createJobQueue(backend);
  keep(() => queue.close());

  const { addresses } = outside;
  const order = { queueUrl: store.queueUrl, addresses, hasLedger: options.hasLedger };
  const { timeLibrary } = options;
  const workers = keepWorkers({ count: options.workers, folder, order, timeLibrary });
  keep(() => workers.close());
  await workers.untilReady();

  const stopping = new AbortController();
  const { signal } = stopping;
  // Each meeting waits for its time.
  setMaxListeners(0, signal);
  let accepted = 0;
  const strikes = startStriking(plan, { workers, store, signal });
  const fed = feed(inbox, plan.meetings, { signal, onAccepted: () => (accepted += 1) });
  const telling = setInterval(() => {
    const { kills, restarts, freezes } = strikes.counts;
    log(
      `${accepted} of ${plan.meetings.length} events stored, ${kills} workers killed, ${freezes} frozen, ${restarts} restarts`,
    );
  }, TELL_EVERY_MS);
  try {
    await Promise.all([fed, strikes.done]);
  } finally {
    clearInterval(telling);
    // What one of them leaves behind when the other has failed.
    stopping.abort();
  }
  log(`nothing more is killed; ${(await countOpenJobs(queue)) ?? 'many'} jobs are left`);
  onQuiet();

  const openJobs = await untilSettled(queue, SETTLE_WITHIN_MS);
  const exitCodes = await workers.stop(STOP_WITHIN_MS);
  const effects = plan.meetings.flatMap((meeting) =>
    listEffects(meeting, addresses, { hasReplies: options.hasLedger }),
  );
  const ledger = options.hasLedger ? await readRows(backend, effects) : undefined;
  const { arrived, faults, service } = await outside.look();
  const checked = checkEffects({ effects, arrived, ledger });
  const { figures } = checked;
  const violations = [
    ...checked.violations,
    ...checkRun({ plan, strikes, workers, exitCodes, openJobs, faults, figures }),
  ];
  if (violations.length > 0 && options.hasLedger)
    log(`what the workers logged: ${keepLog(workers.logFile, kind, options.seed)}`);
  return {
    kind,
    hasLedger: options.hasLedger,
    notes: checked.notes,
    violations,
    figures: { ...figures, ...strikes.counts, openJobs, tookMs: performance.now() - startedMs },
    faults,
    service,
  };
}

/** Where the log is found once the run's folder is gone. */
function keepLog(logFile, kind, seed) {
  const kept = join(tmpdir(), `aftermeet-crashes-${seed}-${kind}.log`);
  copyFileSync(logFile, kept);
  return kept;
}

/** A worker that can't start, or loses a call, within this time after the store's return is no wonder. */
const EXCUSED_FOR_MS = 15_000;

/**
 * Kills workers and the store as the plan says. `counts` tells how often so far; `isAway` whether the store was being
 * killed or coming back at a moment.
 */
function startStriking(plan, { workers, store, signal }) {
  const counts = { kills: 0, restarts: 0, freezes: 0, clockSteps: 0 };
  const windows = [];
  const startedMs = performance.now();
  const until = (atMs) => pause(Math.max(0, atMs - (performance.now() - startedMs)), undefined, { signal });
  const killStore = store.faults.find(({ name }) => name === 'store killed');

  async function killWorkers() {
    for (const { atMs, slot } of plan.killings) {
      await until(atMs);
      await workers.kill(slot);
      counts.kills += 1;
    }
  }

  async function freezeWorkers() {
    await Promise.all(
      plan.freezings.map(async ({ atMs, lastsMs, slot }) => {
        await until(atMs);
        const goOn = await workers.freeze(slot);
        await pause(lastsMs, undefined, { signal }).finally(goOn);
        counts.freezes += 1;
      }),
    );
  }

  async function setClocks() {
    await Promise.all(
      plan.clocks.map(async ({ slot, settings }) => {
        for (const { atMs, aheadS } of settings) {
          await until(atMs);
          workers.setClock(slot, aheadS);
          counts.clockSteps += 1;
        }
      }),
    );
  }

  async function restartStore() {
    for (const { atMs, awayMs } of plan.restartings) {
      await until(atMs);
      const window = { fromMs: performance.now(), untilMs: Infinity };
      windows.push(window);
      await killStore.begin();
      await pause(awayMs, undefined, { signal });
      await killStore.end();
      window.untilMs = performance.now() + EXCUSED_FOR_MS;
      counts.restarts += 1;
    }
  }

  return {
    counts,
    isAway: (atMs) => windows.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs <= untilMs),
    done: Promise.all([killWorkers(), freezeWorkers(), setClocks(), restartStore(), until(plan.lastsMs)]),
  };
}

const EVERY_MS = 500;

/** One count can fall between two states of a job. */
const CALM_COUNTS = 3;

/** How many jobs have not ended; undefined when the store did not log. */
async function countOpenJobs(queue) {
  try {
    return await countIn(queue);
  } catch {
    // It may just have been started again.
    return undefined;
  }
}

async function countIn(queue) {
  const counts = await Promise.all([
    queue.counts('event'),
    ...['slack', 'notion', 'email'].map((destination) => queue.countEffects(destination)),
  ]);
  return counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}

/** Resolves when every job has ended, or with how many have not when the time is over. */
async function untilSettled(queue, withinMs) {
  const untilMs = performance.now() + withinMs;
  let calm = 0;
  for (;;) {
    const open = await countOpenJobs(queue);
    calm = open === 0 ? calm + 1 : 0;
    if (calm === CALM_COUNTS || performance.now() > untilMs) return open;
    await pause(EVERY_MS);
  }
}

const AGAIN_AFTER_MS = 200;

const KEEP_SECONDS = 3600;

/** Stores each meeting's event when its time has come, and again and again while the store is away. */
async function feed(inbox, meetings, { onAccepted, signal }) {
  const startedMs = performance.now();
  await Promise.all(
    meetings.map(async (meeting) => {
      await pause(Math.max(0, meeting.atMs - (performance.now() - startedMs)), undefined, { signal });
      while (!(await accept(inbox, meeting))) await pause(AGAIN_AFTER_MS, undefined, { signal });
      onAccepted();
    }),
  );
}

async function accept(inbox, meeting) {
  try {
    await inbox.accept({ jobId: meeting.id, job: describeJob(meeting), keepSeconds: KEEP_SECONDS });
    return true;
  } catch {
    // The store is away: the sender tries again.
    return false;
  }
}

function describeJob({ id, team, occurrence }) {
  return {
    endpoint: nameEndpoint(team),
    deliveryId: `d-${id}`,
    body: JSON.stringify({
      event: 'meeting.completed',
      meeting_id: id,
      timestamp: occurrence,
      data: { title: id, is_transcript_empty: false },
    }),
    receivedAt: new Date().toISOString(),
  };
}
