// The console over the sample meeting of `aftermeet dev`, in a process of its own until this one ends.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from '../../scripts/make-ready.mjs';

let opening;

/** The address of the console, and that of the page of its only meeting. */
export function openConsole() {
  return (opening ??= start());
}

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-console-'));
  const child = spawn(process.execPath, [join(root, 'packages/cli/dist/command/main.js'), 'dev'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => {
    child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /^ +console +(\S+)$/.exec(line)?.[1] ?? '';
    if (line.startsWith('Arrived everywhere')) break;
  }
  // It must not keep this process alive when the pictures are taken.
  child.unref();
  child.stdout.unref();
  const page = await (await fetch(url)).text();
  const [, meeting = ''] = /href="\/console(\/meetings\/[^"]+)"/.exec(page) ?? [];
  return { list: url, meeting: `${url}${meeting}` };
}
