import { spawn } from 'node:child_process';

import type { ServerUser } from './server-user.ts';

export interface ProgramOptions {
  readonly user: ServerUser | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Rejects with its last words when it fails. */
export function runProgram(
  program: string,
  words: readonly string[],
  options: ProgramOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      ...options.user,
      cwd: options.folder,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let said = '';
    const keep = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-2000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) =>
      reject(new Error(`${program} could not be run: ${error.message}`, { cause: error })),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? code}: ${said.trim()}`));
    });
  });
}
