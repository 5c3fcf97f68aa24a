import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { findChildren, findProcessesIn, signalAll } from '../processes/processes.mjs';

const WITHIN_MS = 5000;

/** Deaths in a receiver that runs in several processes (`--processes`): one of its workers, then its first process. */
export const processGroupDeath = {
  name: 'worker, then primary of --processes 2 killed',
  words: ['--processes', '2'],
  failsOver: true,
  // Seven processes are started for it: as long as five other rounds.
  isPlayedOnce: true,
  async play(world) {
    const { judge, random } = world;
    const group = world.receivers[1];
    judge.mayBreak(group.name);
    const workers = findChildren(group.pid);
    judge.expect(workers.length === 2, `--processes 2 made ${workers.length} workers`);
    const killed = random.pick(workers);
    // The kernel lists a killed process for a while: one that takes its place is another.
    const findLiving = () => findChildren(group.pid).filter((pid) => pid !== killed);
    const killedMs = performance.now();
    signalAll([killed], 'SIGKILL');
    await world.untilRecovered([group], killedMs);
    const isReplaced = await until(() => findLiving().length === 2);
    judge.expect(isReplaced, 'a killed worker was not replaced');
    judge.figure('worker replaced after, ms', performance.now() - killedMs);
    await pause(random.between(0, 200));
    await group.end('SIGKILL');
    const orphanedMs = performance.now();
    await until(() => findProcessesIn(group.folder).length === 0);
    const left = findProcessesIn(group.folder);
    judge.expect(left.length === 0, `workers outlived their primary: ${left.map(readName).join(', ')}`);
    judge.figure('workers gone after, ms', performance.now() - orphanedMs);
    signalAll(left, 'SIGKILL');
    const startedMs = performance.now();
    await group.start();
    judge.mustHold(group.name);
    judge.figure('started within, ms', performance.now() - startedMs);
    await world.untilRecovered([group], performance.now());
    judge.stopped(group.name, performance.now());
    const code = await group.end('SIGTERM');
    judge.expect(code === 0, `--processes 2 that was told to stop ended with ${code}`);
    judge.expect(
      findProcessesIn(group.folder).length === 0,
      'workers were there after their primary had ended',
    );
  },
};

/** Whether it came to be so within {@link WITHIN_MS}. */
async function until(isSo) {
  const beganMs = performance.now();
  for (;;) {
    if (isSo()) return true;
    if (performance.now() - beganMs >= WITHIN_MS) return false;
    await pause(20);
  }
}

function readName(pid) {
  return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
}
