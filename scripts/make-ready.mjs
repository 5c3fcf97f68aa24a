// Makes a checkout ready to run: installs and builds what is missing or stale, and says so.
// No dependency: in a fresh clone there is none.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
const lockFile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const built = join(root, 'node_modules', '.aftermeet-built');
const workspaces = ['packages', 'receiver', 'recipes', 'nodes'];

/** Checks Node, then `npm ci` and the build where they are missing or older than what they come from. */
export function makeReady() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // Node 22.0 has no crc32 in node:zlib, and takes modules of BullMQ for CommonJS; 22.12 has all that 20.19 has.
  const isOld = major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12);
  if (isOld) {
    fail(`Node ${process.versions.node} is too old: Aftermeet needs Node 20.19, or 22.12 or newer.`);
  }
  if (modifiedMs(installed) < modifiedMs(lockFile)) {
    step('Installing dependencies (npm ci)', () =>
      // Through the shell on Windows, where npm is a script.
      spawnSync('npm', ['ci', '--include=dev', '--loglevel=error'], {
        cwd: root,
        stdio: 'inherit',
        shell: process.platform === 'win32',
      }),
    );
  }
  if (modifiedMs(built) < newestSourceMs()) {
    rmSync(built, { force: true });
    step('Building', () =>
      spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root, stdio: 'inherit' }),
    );
    writeFileSync(built, '');
  }
}

/** Runs a program of this checkout in place of this script: same terminal, same signals, its exit code. */
export async function hand(program, words, environment = process.env) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [join(root, program), ...words], {
    stdio: 'inherit',
    env: environment,
  });
  // A terminal sends Ctrl-C to both; a supervisor signals only this process.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  // npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone.
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch); // A second signal would end it before it has closed everything.
    child.kill('SIGTERM');
  }, 500);
  child.on('exit', (code, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}

function step(title, run) {
  const startedMs = Date.now();
  process.stderr.write(`${title} …\n`);
  const { status, error } = run();
  if (error) fail(`${title} could not start: ${error.message}`);
  if (status !== 0)
    fail(`${title} failed: what it printed is above. After mending it, run the same command again.`);
  process.stderr.write(`${title}: done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function modifiedMs(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function newestSourceMs() {
  let newest = Math.max(
    modifiedMs(join(root, 'tsconfig.base.json')),
    modifiedMs(join(root, 'tsconfig.json')),
    modifiedMs(installed),
  );
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      const path = join(folder, entry.name);
      // A folder's own time moves when a file in it is deleted.
      if (entry.isDirectory()) {
        newest = Math.max(newest, modifiedMs(path));
        visit(path);
      } else if (/\.(?:ts|json)$/.test(entry.name)) {
        newest = Math.max(newest, modifiedMs(path));
      }
    }
  };
  for (const workspace of workspaces) visit(join(root, workspace));
  return newest;
}
