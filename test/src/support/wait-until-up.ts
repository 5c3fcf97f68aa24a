import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a server may take to start on a busy machine. */
const START_MS = 30_000;

/** Resolves when a server answers. Where it ended or takes too long, ends it and throws with what `readLog` gives. */
export async function waitUntilUp(
  name: string,
  child: ChildProcess,
  isUp: () => Promise<boolean>,
  readLog: () => Promise<string> = () => Promise.resolve(''),
): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await isUp())) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() > end) {
      child.kill();
      const how = hasEnded ? `ended with ${child.exitCode ?? child.signalCode}` : 'does not answer';
      throw new Error(`${name} ${how}. ${await readLog()}`);
    }
    await pause(10);
  }
}
