import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Starts the world outside in a process of its own. `look` says what has arrived there. */
export async function startOutside(folder, options) {
  const cwd = join(folder, 'outside');
  mkdirSync(cwd);
  const child = fork(join(import.meta.dirname, 'main.mjs'), [JSON.stringify(options)], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the stand-ins ended with ${code ?? signal}`);
  });
  ended.catch(() => undefined); // Whoever waits for a message hears of it.
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
