import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { findFreePort } from '../processes.mjs';
import { SECRET } from './load.mjs';

/** Not what is looked at here: a busy machine may take its time. */
const READY_WITHIN_MS = 60_000;

/** An `aftermeet receiver` that keeps its port over its lives: senders know one address. */
export async function createReceiver({ name, main, queueUrl, folder }) {
  const port = await findFreePort();
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const logFile = join(cwd, 'log');
  const receiver = {
    name,
    url: `http://127.0.0.1:${port}`,
    isUp: false,
    pid: 0,
    /** Starts it and waits until it listens. */
    async start() {
      const log = openSync(logFile, 'a');
      child = spawn(process.execPath, [main, 'receiver', '--port', String(port), '--json'], {
        cwd,
        stdio: ['ignore', 'pipe', log],
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          QUEUE_URL: queueUrl,
          WEBHOOK_SECRET: SECRET,
          LOG_LEVEL: 'warn',
          LOG_FORMAT: 'json',
        },
      });
      closeSync(log);
      receiver.pid = child.pid;
      ended = once(child, 'exit').then(([code, signal]) => {
        receiver.isUp = false;
        return code ?? signal;
      });
      const line = once(createInterface({ input: child.stdout }), 'line', {
        signal: AbortSignal.timeout(READY_WITHIN_MS),
      }).then(([text]) => text);
      const first = await Promise.race([line, ended.then((code) => `ended with ${code}`)]);
      if (!String(first).startsWith('{')) throw new Error(`the receiver ${name} ${first}: ${tail(logFile)}`);
      receiver.isUp = true;
    },
    /** Sends a signal and resolves with the exit code, or the name of the signal that ended it. */
    async end(signal) {
      receiver.isUp = false;
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return await ended;
    },
    folder: cwd,
  };
  let child;
  let ended;
  await receiver.start();
  return receiver;
}

function tail(file) {
  return readFileSync(file, 'utf8').slice(-2000);
}
