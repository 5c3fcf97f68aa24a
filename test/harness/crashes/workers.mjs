import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { createProgram } from '../processes.mjs';

/** As a supervisor would: a worker that ends by itself is started again, but not at once. */
const AGAIN_AFTER_MS = 300;

/** Longer than a freeze, which all of them may be in. */
const READY_WITHIN_MS = 180_000;

const STOP_WITHIN_MS = 30_000;

/**
 * Keeps so many workers running. `endedByThemselves` lists those that ended without being killed: when, and with what.
 */
export async function keepWorkers({ count, folder, order, timeLibrary, keep }) {
  const words = [join(import.meta.dirname, 'worker-process.mjs'), JSON.stringify(order)];
  const clockFile = (slot) => join(folder, `clock-${slot}`);
  const slots = Array.from({ length: count }, (_, slot) => {
    writeFileSync(clockFile(slot), '+0');
    const env = fakeTime(timeLibrary, clockFile(slot));
    const worker = createProgram({ name: `worker-${slot}`, folder, words, env });
    return { worker, isKilled: false, isFrozen: false };
  });
  const endedByThemselves = [];
  let isStopping = false;

  async function supervise(slot) {
    const { worker } = slot;
    for (;;) {
      const code = await worker.ended;
      if (isStopping) return;
      if (!slot.isKilled) {
        endedByThemselves.push({ atMs: performance.now(), code, name: worker.name });
        await pause(AGAIN_AFTER_MS);
      }
      Object.assign(slot, { isKilled: false, isFrozen: false });
      if (isStopping) return;
      // One that ends before it works is seen above.
      await worker.start().catch(() => undefined);
    }
  }

  /** The first from this slot on that works. */
  async function findReady(from) {
    const ordered = [...slots.slice(from), ...slots.slice(0, from)];
    const untilMs = performance.now() + READY_WITHIN_MS;
    while (performance.now() < untilMs) {
      const ready = ordered.find(({ worker, isKilled, isFrozen }) => worker.isUp && !isKilled && !isFrozen);
      if (ready !== undefined) return ready;
      await pause(10);
    }
    throw new Error(`no worker was ready within ${READY_WITHIN_MS} ms`);
  }

  let supervised;
  keep(async () => {
    isStopping = true;
    await Promise.all(slots.map(({ worker }) => worker.end('SIGKILL')));
    await supervised;
  });

  await Promise.all(slots.map(({ worker }) => worker.start()));
  supervised = Promise.all(slots.map(supervise));
  return {
    endedByThemselves,
    /** Kills a worker that works, the one in this slot if it does; another takes its place. */
    async kill(from) {
      const slot = await findReady(from);
      slot.isKilled = true;
      slot.worker.signal('SIGKILL');
    },
    /** Sets the clock of the machine on which a worker runs. */
    setClock(slot, aheadS) {
      writeFileSync(clockFile(slot), aheadS < 0 ? String(aheadS) : `+${aheadS}`);
    },
    /** Stops a worker that works where it is, the one in this slot if it does. Returns what lets it go on. */
    async freeze(from) {
      const slot = await findReady(from);
      slot.isFrozen = true;
      slot.worker.signal('SIGSTOP');
      return () => {
        slot.worker.signal('SIGCONT');
        slot.isFrozen = false;
      };
    },
    /** Tells all to end; resolves with the exit codes of those that worked. */
    async stop() {
      isStopping = true;
      const late = pause(STOP_WITHIN_MS, 'still there', { ref: false });
      const working = slots.filter(({ worker }) => worker.isUp);
      return await Promise.all(working.map(({ worker }) => Promise.race([worker.end('SIGTERM'), late])));
    },
  };
}

/** Variables that give a process a clock of its own; its monotonic clock stays that of the machine. */
function fakeTime(library, file) {
  if (library === undefined) return {};
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** The library of Debian's package faketime, where it is installed. */
export function findTimeLibrary() {
  return readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
}
