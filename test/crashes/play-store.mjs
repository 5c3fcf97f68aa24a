import { setMaxListeners } from 'node:events';
import { copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createInbox, createJobQueue, openBackend, silentLog } from '@aftermeet/queue';

import { makeFolder, removeFolder } from '../outages/processes/folders.mjs';
import { openStore } from '../outages/stores/open-store.mjs';
import { feed } from './feed.mjs';
import { listEffects } from './installation.mjs';
import { judgeRun } from './judge-run.mjs';
import { judgeEffects } from './judge.mjs';
import { startOutside } from './outside/start-outside.mjs';
import { makePlan } from './plan.mjs';
import { readRows } from './read-rows.mjs';
import { countOpenJobs, untilSettled } from './settle.mjs';
import { startStriking } from './strike.mjs';
import { keepWorkers } from './workers/keep-workers.mjs';

/** Ten times what it takes when nothing is wrong. */
const SETTLE_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 30_000;
const TELL_EVERY_MS = 10_000;

/**
 * Plays the whole plan on one store. `say` gets a line now and then; `onQuiet` is called when nothing more is killed
 * and only waits are left.
 */
export async function playStore(kind, options, { say, onQuiet }) {
  const folder = makeFolder();
  const ending = [];
  try {
    return await playIn(
      folder,
      kind,
      { ...options, startedAtMs: Date.now() },
      { say, onQuiet, keep: (end) => ending.unshift(end) },
    );
  } finally {
    onQuiet();
    for (const end of ending) await end();
    removeFolder(folder);
  }
}

async function playIn(folder, kind, options, { say, onQuiet, keep }) {
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
  const queue = await createJobQueue(backend, { log: silentLog });
  keep(() => queue.close());

  const { addresses } = outside;
  const order = { queueUrl: store.queueUrl, addresses, hasLedger: options.hasLedger };
  const workers = keepWorkers({ count: options.workers, folder, order });
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
    const { kills, restarts } = strikes.counts;
    say(
      `${accepted} of ${plan.meetings.length} events stored, ${kills} workers killed, ${restarts} restarts`,
    );
  }, TELL_EVERY_MS);
  try {
    await Promise.all([fed, strikes.done]);
  } finally {
    clearInterval(telling);
    // What one of them leaves behind when the other has failed.
    stopping.abort();
  }
  say(`nothing more is killed; ${(await countOpenJobs(queue)) ?? 'many'} jobs are left`);
  onQuiet();

  const openJobs = await untilSettled(queue, SETTLE_WITHIN_MS);
  const exitCodes = await workers.stop(STOP_WITHIN_MS);
  const effects = plan.meetings.flatMap((meeting) =>
    listEffects(meeting, addresses, { hasReplies: options.hasLedger }),
  );
  const ledger = options.hasLedger ? await readRows(backend, effects, silentLog) : undefined;
  const { arrived, faults, service } = await outside.look();
  const judged = judgeEffects({ effects, arrived, ledger });
  const { figures } = judged;
  const violations = [
    ...judged.violations,
    ...judgeRun({ plan, strikes, workers, exitCodes, openJobs, faults, figures }),
  ];
  if (violations.length > 0 && options.hasLedger)
    say(`what the workers logged: ${keepLog(workers.logFile, kind, options.seed)}`);
  return {
    kind,
    hasLedger: options.hasLedger,
    notes: judged.notes,
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
