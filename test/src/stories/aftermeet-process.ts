import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from '../pins/picture.ts';

const command = join(root, 'packages/cli/dist/command/main.js');
const READY_WITHIN_MS = 60_000;

/** An `aftermeet` process of a story, started as by a user. */
export interface AftermeetProcess {
  /** The JSON line that it printed once it was up. */
  readonly facts: Readonly<Record<string, string>>;
  readonly log: () => string;
  readonly pid: number;
  /** Sends the signal and resolves with the exit code, or the signal's name, once the process is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | string>;
}

export type Environment = Readonly<Record<string, string>>;

function spawnAftermeet(words: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, [command, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without the settings of the machine: a story defines its whole environment.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_FORMAT: 'json', ...environment },
  });
}

/** Starts a server process and waits until it reports that it is up. */
export async function startAftermeet(
  words: readonly string[],
  environment: Environment,
): Promise<AftermeetProcess> {
  const { line, ...started } = await startUntil([...words, '--json'], environment, '{');
  return { ...started, facts: JSON.parse(line) as Record<string, string> };
}

/** Starts a process and waits until it prints a line that begins so. */
export async function startUntil(
  words: readonly string[],
  environment: Environment,
  beginning: string,
): Promise<Omit<AftermeetProcess, 'facts'> & { readonly line: string }> {
  const child = spawnAftermeet(words, environment);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  const end = async (signal: NodeJS.Signals): Promise<number | string> => {
    child.kill(signal);
    return exited;
  };
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const wanted = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      if (line.startsWith(beginning)) resolve(line);
    });
  });
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  const line = await Promise.race([wanted, exited, once(timeout, 'abort')]);
  if (typeof line === 'string' && line.startsWith(beginning)) {
    return { line, log: () => log, pid: child.pid ?? 0, end };
  }
  await end('SIGKILL');
  throw new Error(`aftermeet ${words.join(' ')} did not get ready:\n${log}`);
}

/** Runs a command until it ends. */
export async function runAftermeet(
  words: readonly string[],
  environment: Environment,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawnAftermeet(words, environment);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
