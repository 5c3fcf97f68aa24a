import { findChildren, readWaitedMs } from './processes.mjs';

const EVERY_MS = 50;
/** Looking for children reads all of /proc. */
const FIND_CHILDREN_EVERY_MS = 500;
/** As long as an answer may take: what a process waited in such a time is what one answer may have waited. */
const WINDOW_MS = 1200;

/**
 * Watches how long the kernel keeps processes waiting for a processor. `finish` says the most that one of them waited
 * within the time of one answer: other programs on the machine are no fault of the receiver.
 */
export function watchWaiting(receivers) {
  const histories = new Map();
  let mostMs = 0;
  let pids = [];
  let foundMs = -Infinity;
  const look = () => {
    const nowMs = performance.now();
    if (nowMs - foundMs > FIND_CHILDREN_EVERY_MS) {
      foundMs = nowMs;
      pids = receivers.flatMap(({ pid }) => [pid, ...findChildren(pid)]);
    }
    for (const pid of pids) {
      const history = histories.get(pid) ?? [];
      const waitedMs = readWaitedMs(pid);
      history.push({ nowMs, waitedMs });
      while (history[0].nowMs < nowMs - WINDOW_MS) history.shift();
      mostMs = Math.max(mostMs, waitedMs - history[0].waitedMs);
      histories.set(pid, history);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    finish() {
      clearInterval(timer);
      return mostMs;
    },
  };
}
