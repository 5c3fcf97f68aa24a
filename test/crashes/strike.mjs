import { setTimeout as pause } from 'node:timers/promises';

/** A worker that can't start, or loses a call, within this time after the store's return is no wonder. */
const EXCUSED_FOR_MS = 15_000;

/**
 * Kills workers and the store as the plan says. `counts` tells how often so far; `isAway` whether the store was being
 * killed or coming back at a moment.
 */
export function startStriking(plan, { workers, store, signal }) {
  const counts = { kills: 0, restarts: 0 };
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
    done: Promise.all([killWorkers(), restartStore(), until(plan.lastsMs)]),
  };
}
