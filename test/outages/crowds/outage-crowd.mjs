import { setTimeout as pause } from 'node:timers/promises';

import { forgetPeak, readMemory } from '../processes/processes.mjs';

const OUTAGE_MS = 3000;
/** Five hundred requests, their sockets and what they wait for, many times over. */
const MAY_GROW_MB = 100;

/** The store hangs while five hundred connections deliver: memory must not grow with the time that it takes. */
export function outageUnderCrowd(store) {
  const stop = store.faults.find(({ name }) => name === 'store stopped');
  return {
    name: 'store stopped under 500 connections',
    lanes: 500,
    thinkMs: 250,
    async play({ receivers, judge, untilRecovered }) {
      const memory = receivers.map(({ name, pid }) => ({ name, pid, beforeMb: readMemory(pid).nowMb }));
      for (const { pid } of memory) forgetPeak(pid);
      await stop.begin();
      const fromMs = performance.now();
      await pause(OUTAGE_MS);
      judge.away({ fromMs, untilMs: performance.now() });
      await stop.end();
      await untilRecovered(receivers, performance.now());
      for (const { name, pid, beforeMb } of memory) {
        const { peakMb } = readMemory(pid);
        judge.figure(`${name} MB before`, beforeMb);
        judge.figure(`${name} MB at most`, peakMb);
        judge.expect(
          peakMb - beforeMb < MAY_GROW_MB,
          `${name} grew from ${beforeMb} to ${peakMb} MB while the store was away`,
        );
      }
    },
  };
}
