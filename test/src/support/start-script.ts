import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { rolldown } from 'rolldown';

/** A Node process that a test may kill; it ends when its input does, at the latest with the test's process. */
export interface StartedScript {
  readonly pid: number;
  /** Every line that it has printed so far. */
  readonly lines: readonly string[];
  /** The next line that begins so; rejects when the process ends before. */
  nextLine(beginning: string): Promise<string>;
  /** Writes a line to its input. */
  tell(line: string): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended and everything it printed is in `lines`. */
  readonly ended: Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../../..');
const bundles = new Map<string, Promise<string>>();

/** Starts a script of the `scripts` folder from its source, whatever has been built. */
export async function startScript(name: string, words: readonly string[]): Promise<StartedScript> {
  let bundle = bundles.get(name);
  if (bundle === undefined) {
    bundle = bundleScript(name);
    bundles.set(name, bundle);
  }
  const child = spawn(process.execPath, [await bundle, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });

  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    notify();
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true;
      notify();
      resolve();
    });
  });
  let read = 0;

  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    kill: (signal) => void child.kill(signal),
    tell: (line) => void child.stdin.write(`${line}\n`),
    nextLine: (beginning) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const index = lines.findIndex((line, position) => position >= read && line.startsWith(beginning));
          const line = lines[index];
          if (line === undefined && !hasEnded) return;
          listeners.delete(look);
          if (line === undefined) {
            reject(
              new Error(`${name} ended without a line that begins with ${beginning}: ${lines.join(' | ')}`),
            );
            return;
          }
          read = index + 1;
          resolve(line);
        };
        listeners.add(look);
        look();
      }),
  };
}

/** Node 20 runs no TypeScript; the bundle must lie where Node finds the packages that it imports. */
async function bundleScript(name: string): Promise<string> {
  const build = await rolldown({
    input: path.join(import.meta.dirname, 'scripts', `${name}.ts`),
    platform: 'node',
    resolve: { conditionNames: ['@aftermeet/source', 'import', 'node', 'default'] },
    external: (id) => /^[^./]/.test(id) && !path.isAbsolute(id) && !/^(@aftermeet\/|aftermeet$)/.test(id),
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  const { code } = output[0];
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = path.join(root, 'node_modules/.cache/aftermeet-test', `${name}-${hash}.mjs`);
  const temporary = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(temporary, code);
  await rename(temporary, file);
  return file;
}
