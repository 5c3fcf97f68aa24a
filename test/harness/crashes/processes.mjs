import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** As a supervisor would: a worker that ends by itself is started again, but not at once. */
const AGAIN_AFTER_MS = 300;

const READY_WITHIN_MS = 60_000;

/**
 * Keeps so many workers running. `endedByThemselves` lists those that ended without being killed: when, and with what.
 */
export function keepWorkers({ count, folder, order, timeLibrary }) {
  const cwd = join(folder, 'workers');
  mkdirSync(cwd);
  const logFile = join(cwd, 'log');
  const log = openSync(logFile, 'a');
  const endedByThemselves = [];
  const clockFile = (slot) => join(cwd, `clock-${slot}`);
  for (let slot = 0; slot < count; slot += 1) writeFileSync(clockFile(slot), '+0');
  let isStopping = false;
  let wasReady = false;
  const slots = Array.from({ length: count }, (_, index) => startIn({ index }));

  function startIn(slot) {
    const child = fork(join(import.meta.dirname, 'worker-process.mjs'), [JSON.stringify(order)], {
      cwd,
      stdio: ['ignore', 'ignore', log, 'ipc'],
      env: { ...process.env, ...fakeTime(timeLibrary, clockFile(slot.index)) },
    });
    Object.assign(slot, { child, isReady: false, isKilled: false });
    child.once('message', () => {
      slot.isReady = true;
      wasReady = true;
    });
    slot.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        slot.isReady = false;
        resolve(code ?? signal);
        if (!isStopping) startAgain(slot, code ?? signal);
      });
    });
    return slot;
  }

  function startAgain(slot, code) {
    if (slot.isKilled) {
      startIn(slot);
      return;
    }
    endedByThemselves.push({ atMs: performance.now(), code });
    slot.timer = setTimeout(() => startIn(slot), AGAIN_AFTER_MS);
  }

  /** The first from this slot on that works. */
  async function findReady(from) {
    const untilMs = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const ordered = [...slots.slice(from), ...slots.slice(0, from)];
      const ready = ordered.find(({ isReady }) => isReady);
      if (ready !== undefined) return ready;
      // Nothing has been killed yet: it would end again and again.
      if (!wasReady && endedByThemselves.length > 0)
        throw new Error(`a worker cannot start: ${readFileSync(logFile, 'utf8').slice(0, 2000)}`);
      if (performance.now() > untilMs) throw new Error(`no worker was ready within ${READY_WITHIN_MS} ms`);
      await pause(10);
    }
  }

  return {
    logFile,
    endedByThemselves,
    untilReady: () => findReady(0),
    /** Kills a worker that works, the one in this slot if it does; another takes its place. */
    async kill(from) {
      const slot = await findReady(from);
      slot.isKilled = true;
      slot.isReady = false;
      slot.child.kill('SIGKILL');
    },
    /** Sets the clock of the machine on which a worker runs. */
    setClock(slot, aheadS) {
      writeFileSync(clockFile(slot), aheadS < 0 ? String(aheadS) : `+${aheadS}`);
    },
    /** Stops a worker that works where it is, the one in this slot if it does. Returns what lets it go on. */
    async freeze(from) {
      const slot = await findReady(from);
      const { child } = slot;
      slot.isReady = false;
      child.kill('SIGSTOP');
      return () => {
        child.kill('SIGCONT');
        if (slot.child === child && child.exitCode === null && child.signalCode === null) slot.isReady = true;
      };
    },
    /** Tells all to end; resolves with the exit codes of those that worked. */
    async stop(withinMs) {
      endRestarts();
      const working = slots.filter(({ isReady }) => isReady);
      for (const { child } of slots) child.kill('SIGTERM');
      const late = pause(withinMs, 'still there', { ref: false });
      return await Promise.all(working.map(({ ended }) => Promise.race([ended, late])));
    },
    /** Ends what is left, whatever it does. */
    async close() {
      endRestarts();
      for (const { child } of slots) child.kill('SIGKILL');
      await Promise.all(slots.map(({ ended }) => ended));
      closeSync(log);
    },
  };

  function endRestarts() {
    isStopping = true;
    for (const { timer } of slots) clearTimeout(timer);
  }
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

/** Starts the state outside in a process of its own. `look` says what has arrived there. */
export async function startOutside(folder, options) {
  const cwd = join(folder, 'outside');
  mkdirSync(cwd);
  const child = fork(join(import.meta.dirname, 'outside-process.mjs'), [JSON.stringify(options)], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the emulators ended with ${code ?? signal}`);
  });
  ended.catch(() => undefined); // A caller that waits for a message gets the error.
  const hear = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  const addresses = await hear();
  return {
    addresses,
    look() {
      child.send('look');
      return hear();
    },
    close: () => child.kill('SIGKILL'),
  };
}
