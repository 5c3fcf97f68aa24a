// What else the machine did during a part: a figure from a busy one is no figure.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

import { readCpuMicros } from './processes.mjs';

/** Starts to watch; the function that comes back tells, once every process of the part has ended. */
export function watchNoise() {
  const before = { load: loadavg()[0], busy: readBusyMicros(), own: readOwnMicros(), ms: performance.now() };
  return () => {
    const others = readBusyMicros() - before.busy - (readOwnMicros() - before.own);
    const available = (performance.now() - before.ms) * 1000 * availableParallelism();
    return {
      loadBefore: Number(before.load.toFixed(2)),
      loadAfter: Number(loadavg()[0].toFixed(2)),
      othersPercent: Math.max(0, Math.round((others / available) * 100)),
    };
  };
}

export function describeNoise({ loadBefore, loadAfter, othersPercent }) {
  const verdict = othersPercent > 10 ? ': TOO MUCH, measure again on a quiet machine' : '';
  return `  load average ${loadBefore} before, ${loadAfter} at the end; other programs used ${othersPercent} % of the machine${verdict}`;
}

/** All that the machine did, the waiting left out. */
function readBusyMicros() {
  try {
    const [, fields] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'));
    // user, nice, system; then idle and iowait; then irq and softirq.
    const ticks = fields.split(' ').map(Number);
    return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * 10_000;
  } catch {
    // Not Linux: nothing is said of others.
    return 0;
  }
}

/** Of this process and of all its children that have ended. */
function readOwnMicros() {
  return readCpuMicros([process.pid]);
}
