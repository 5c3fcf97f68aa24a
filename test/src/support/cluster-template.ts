import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { openBackend, silentLog } from '@aftermeet/queue';

import { makeTemporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache/aftermeet-test');
const template = path.join(cache, 'cluster');

/**
 * Puts an empty database cluster into the folder of an embedded PostgreSQL, as its first start would make it: a copy
 * takes a quarter of the time. The original is made once per installation.
 */
export async function copyClusterTemplate(folder: string): Promise<void> {
  // Without a POSIX `cp` the server makes its own.
  if (process.platform === 'win32') return;
  if (!existsSync(template)) await makeTemplate();
  await copy(template, path.join(folder, 'cluster'));
}

async function makeTemplate(): Promise<void> {
  const folder = await makeTemporaryFolder({ inMemory: true });
  const backend = await openBackend(`embedded:${folder.path}`, { log: silentLog });
  await backend.close();
  await mkdir(cache, { recursive: true });
  const temporary = `${template}.${process.pid}`;
  await copy(path.join(folder.path, 'cluster'), temporary);
  folder.remove();
  // Another process may have been faster: its copy is as good.
  await rename(temporary, template).catch(() => rm(temporary, { recursive: true, force: true }));
}

/** With owners and modes, which PostgreSQL checks. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}
