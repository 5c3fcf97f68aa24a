import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createInbox, createJobQueue, openBackend, silentLog } from '@aftermeet/queue';

import { readLogs } from '../processes.mjs';
import { createFindings } from '../report.mjs';
import { checkEffects, readRows } from './effects.mjs';
import { GRACE_MS, listEffects, nameEndpoint } from './installation.mjs';
import { startOutside } from './outside.mjs';
import { makeSchedule } from './schedule.mjs';
import { findTimeLibrary, keepWorkers } from './workers.mjs';

/** Each meeting has a message, a reply to it, a page and a mail. */
const FULL = { meetings: 2000, kills: 200, restarts: 5, freezes: 4, freezeMs: 120_000 };

/** A worker that is frozen for longer than a lease of Slack's effects loses it. */
const QUICK = { meetings: 150, kills: 15, restarts: 1, freezes: 2, freezeMs: 12_000 };

/** At the same time. */
const WORKERS = 4;

/** Ten times what it takes when nothing is wrong. */
const SETTLE_WITHIN_MS = 300_000;

const TELL_EVERY_MS = 10_000;

export const rows = {
  effects: 'effects that had to arrive',
  arrived: 'arrived',
  missing: 'missing',
  doubled: 'more than once at Slack or Notion, or mail under two ids',
  resentMails: 'more mails under the same Message-ID',
  unexpected: 'never sent, but there',
  sent: 'sent, says the ledger',
  parkedMails: 'mails left to a person',
  failed: 'given up',
  unsettled: 'not settled',
  tries: 'claims',
  retried: 'effects with more than one claim',
  probes: 'probes',
  kills: 'workers killed',
  freezes: 'workers frozen',
  clockSteps: 'clocks set',
  longestS: 'longest way to Slack, seconds',
  lateMs: 'emulators late by at most, milliseconds',
  restarts: 'restarts of the store',
  tookS: 'seconds',
};

/** Each store; the quick form also shows that the test can fail. */
export function listRuns({ stores, seed, quick }, leaveOut) {
  const timeLibrary = findTimeLibrary();
  if (timeLibrary === undefined) leaveOut('all clocks are right: install libfaketime (Debian: faketime)');
  const common = { ...(quick ? QUICK : FULL), seed, timeLibrary, workers: WORKERS };
  const runs = stores.map((kind) => ({ ...common, kind, title: kind, hasLedger: true }));
  const withoutLedger = runs
    .slice(0, quick ? 1 : 0)
    .map((run) => ({ ...run, title: `${run.kind}, no ledger`, hasLedger: false }));
  return [...runs, ...withoutLedger];
}

/** Feeds meetings to workers that are struck, waits until nothing is left to do, and compares what arrived with the ledger. */
export async function play(run, { folder, store, keep, log, onQuiet }) {
  const { hasLedger, timeLibrary } = run;
  const startedMs = performance.now();
  const schedule = makeSchedule({ ...run, hasClocks: timeLibrary !== undefined, startedAtMs: Date.now() });
  const outside = await startOutside(folder, schedule);
  const backend = await openBackend(store.queueUrl, { log: silentLog });
  keep(() => backend.close());
  const inbox = await createInbox(backend, { log: silentLog });
  keep(() => inbox.close());
  const queue = await createJobQueue(backend);
  keep(() => queue.close());
  const { addresses } = outside;
  const order = { queueUrl: store.queueUrl, addresses, hasLedger };
  const workers = await keepWorkers({ count: run.workers, folder, order, timeLibrary, keep });

  const stopping = new AbortController();
  const { signal } = stopping;
  // Each meeting waits for its time.
  setMaxListeners(0, signal);
  let accepted = 0;
  const strikes = startStriking(schedule, { workers, store, signal });
  const fed = feed(inbox, schedule.meetings, { signal, onAccepted: () => (accepted += 1) });
  const telling = setInterval(() => {
    const { kills, restarts, freezes } = strikes.counts;
    log(
      `${accepted} of ${run.meetings} events stored, ${kills} workers killed, ${freezes} frozen, ${restarts} restarts`,
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

  const openJobs = await untilSettled(queue);
  const exitCodes = await workers.stop();
  const effects = schedule.meetings.flatMap((meeting) =>
    listEffects(meeting, addresses, { hasReplies: hasLedger }),
  );
  const ledger = hasLedger ? await readRows(backend, effects) : undefined;
  const { arrived, faults, service, lateMs } = await outside.look();
  const checked = checkEffects({ effects, arrived, ledger });
  const figures = {
    ...checked.figures,
    ...strikes.counts,
    lateMs,
    tookS: (performance.now() - startedMs) / 1000,
  };
  const violations = [
    ...checked.violations,
    ...checkRun({ schedule, strikes, workers, exitCodes, openJobs, faults, figures, folder }),
  ];
  if (violations.length > 0 && hasLedger) log(`what the workers logged: ${keepLogs(folder, run)}`);
  const counts = Object.entries({ ...faults, service });
  const harmless = figures.doubled > 0 ? [] : ["no duplicates, so this test can't fail"];
  return {
    figures,
    notes: [...counts.map(([place, count]) => `${place}: ${writeCounts(count)}`), ...checked.notes],
    violations: hasLedger ? violations : harmless,
  };
}

function writeCounts(counts) {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}

/** Where the logs are found once the run's folder is gone. */
function keepLogs(folder, { kind, seed }) {
  const kept = join(tmpdir(), `aftermeet-crashes-${seed}-${kind}.log`);
  const texts = readLogs(folder).map(({ text }) => text);
  writeFileSync(kept, texts.join(''));
  return kept;
}

/** A run that was harmless proves nothing. */
function checkRun({ schedule, strikes, workers, exitCodes, openJobs, faults, figures, folder }) {
  const findings = createFindings();
  const { expect } = findings;
  for (const [name, orders] of Object.entries(schedule.strikes))
    expect(strikes.counts[name] === orders.length, `${strikes.counts[name]} of ${orders.length} ${name}`);
  expect(figures.effects > 0, 'there was nothing to send');
  const late = `the emulators were ${Math.round(figures.lateMs)} ms late: more than the grace, so nothing is proved`;
  expect(figures.lateMs < GRACE_MS, late);
  expect(openJobs === 0, `${openJobs} jobs had not ended when the time was over`);

  const unexcused = workers.endedByThemselves.filter(({ atMs }) => !strikes.isAway(atMs));
  const codes = unexcused.map(({ code }) => code).join(', ');
  const names = unexcused.map(({ name }) => name);
  const logs = readLogs(folder).filter(({ name }) => names.includes(name));
  const words = logs.map(({ name, text }) => `${name}: ${text.slice(-1500)}`).join('\n');
  expect(unexcused.length === 0, `${unexcused.length} workers ended by themselves (${codes}): ${words}`);
  const wrong = exitCodes.filter((code) => code !== 0);
  expect(wrong.length === 0, `workers that were told to stop ended with ${wrong.join(', ')}`);

  for (const [destination, kinds] of Object.entries(faults)) {
    const happened = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    expect(happened > 0 || figures.effects < 300, `${destination} made no trouble: the faults did not bite`);
  }
  if (figures.probes !== undefined && strikes.counts.kills >= 10)
    expect(figures.probes > 0, 'no effect was ever open: the kills did not bite');
  return findings.list();
}

/** A worker that can't start, or loses a call, within this time after the store's return is no wonder. */
const EXCUSED_FOR_MS = 15_000;

/**
 * Strikes workers and the store as the schedule says. `counts` tells how often so far; `isAway` whether the store was being
 * killed or coming back at a moment.
 */
function startStriking({ strikes, lastsMs }, { workers, store, signal }) {
  const counts = { kills: 0, restarts: 0, freezes: 0, clockSteps: 0 };
  const windows = [];
  const startedMs = performance.now();
  const until = (atMs) => pause(Math.max(0, atMs - (performance.now() - startedMs)), undefined, { signal });
  const killStore = store.faults.find(({ name }) => name === 'store killed');
  const actions = {
    kills: ({ slot }) => workers.kill(slot),
    clockSteps: ({ slot, aheadS }) => workers.setClock(slot, aheadS),
    async freezes({ slot, lastsMs: frozenMs }) {
      const goOn = await workers.freeze(slot);
      await pause(frozenMs, undefined, { signal }).finally(goOn);
    },
    async restarts({ awayMs }) {
      const window = { fromMs: performance.now(), untilMs: Infinity };
      windows.push(window);
      await killStore.begin();
      await pause(awayMs, undefined, { signal });
      await killStore.end();
      window.untilMs = performance.now() + EXCUSED_FOR_MS;
    },
  };

  async function strike(name, order) {
    await until(order.atMs);
    await actions[name](order);
    counts[name] += 1;
  }
  const atOnce = (name) => Promise.all(strikes[name].map((order) => strike(name, order)));
  async function inTurn(name) {
    for (const order of strikes[name]) await strike(name, order);
  }

  return {
    counts,
    isAway: (atMs) => windows.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs <= untilMs),
    done: Promise.all([
      inTurn('kills'),
      inTurn('restarts'),
      atOnce('freezes'),
      atOnce('clockSteps'),
      until(lastsMs),
    ]),
  };
}

const EVERY_MS = 500;

/** One count can fall between two states of a job. */
const CALM_COUNTS = 3;

/** How many jobs have not ended; undefined when the store did not say. */
async function countOpenJobs(queue) {
  try {
    const counts = await Promise.all([
      queue.counts('event'),
      ...['slack', 'notion', 'email'].map((destination) => queue.countEffects(destination)),
    ]);
    return counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
  } catch {
    // It may just have been started again.
    return undefined;
  }
}

/** Resolves when every job has ended, or with how many have not when the time is over. */
async function untilSettled(queue) {
  const untilMs = performance.now() + SETTLE_WITHIN_MS;
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
