import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts what is outside in a process of its own, so that busy emulators do not hold up the harness; it ends with the
 * folder. `look` says what has arrived there.
 */
export async function startOutside(folder, schedule) {
  const child = fork(join(import.meta.dirname, 'outside-process.mjs'), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the emulators ended with ${code ?? signal}`);
  });
  ended.catch(() => undefined); // A caller that waits for a message gets the error.
  child.on('error', () => undefined); // As does one that can't send its own any more.
  const ask = async (message) => {
    child.send(message);
    return (await Promise.race([once(child, 'message'), ended]))[0];
  };
  return { addresses: await ask(schedule), look: () => ask('look') };
}
